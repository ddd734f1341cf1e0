import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * Two installations on one Redis prefix take each other's jobs, know none of them, and are slow: nothing is lost, since
 * the ledgers know, but a person must give one of them a prefix of its own.
 */
export async function lookAtPrefix({
  redis,
  ledger,
  clock,
  alerts,
}: {
  redis: { url: string; prefix: string };
  ledger: Pick<Ledger, 'installation'>;
  clock: Clock;
  alerts: Alerts;
}): Promise<void> {
  const alert = { code: 'redis-shared', subject: redis.prefix };
  const { askPrefixOwner } = await import('../queue/prefix-owner.ts');
  const id = await ledger.installation.id(clock.now());
  const owner = await askPrefixOwner(redis.url, redis.prefix, id);
  if (owner === null) return;
  if (owner === id) return alerts.over(alert);
  await alerts.raise({
    ...alert,
    what: `Otra instalación usa el mismo Redis con el mismo prefijo (${redis.prefix}): cada una toma trabajos de la otra y ambas van lentas.`,
    cure: 'Dé a una de las dos otro redis.prefix, o un Redis propio, y reinicie.',
  });
}
