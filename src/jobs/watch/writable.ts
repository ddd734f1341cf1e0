import type { Alert } from '../../domain/alerts.ts';
import { LedgerError } from '../../domain/errors.ts';
import type { StepDeps } from '../deps.ts';

/** A server that restarts is away for seconds. */
const looksInVain = 2;
const tellAgainMs = 60 * 60_000;

const alert: Alert = {
  code: 'ledger-unwritable',
  subject: 'registro',
  what: 'No se puede escribir en el registro: no se reciben avisos de las tiendas ni se emite nada.',
  cure: 'Libere espacio en el disco, o revise el servidor de PostgreSQL; después todo sigue solo.',
};

type WritableDeps = Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'channels'>;

/**
 * One look whether the ledger can be written. Every other alert is kept in the ledger; this one goes to the log and straight to
 * each channel, again every hour, and its end too. A channel that cannot be reached misses it.
 */
export function openWritableWatch({ ledger, clock, log, channels }: WritableDeps): () => Promise<void> {
  let inVain = 0;
  let since: string | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;

  async function tell(news: 'begun' | 'still' | 'ended', since: string): Promise<void> {
    const told = { begun: [], still: [], ended: [], [news]: [{ ...alert, since }] };
    for (const channel of channels.values())
      await channel
        .tell(told)
        .catch((error: unknown) =>
          log.error({ channel: channel.id, err: error }, 'A channel was not reached'),
        );
  }

  return async () => {
    const error: unknown = await ledger.check().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    inVain = error === null ? 0 : inVain + 1;
    if (error === null && since !== null) {
      log.info({ alert: alert.code, since }, 'The ledger can be written again');
      await tell('ended', since);
      since = null;
    }
    // One that says itself that it cannot be written is believed at once.
    const isSure = error instanceof LedgerError || inVain >= looksInVain;
    if (error === null || !isSure) return;
    if (since !== null && performance.now() - toldAt < tellAgainMs) return;
    toldAt = performance.now();
    log.error({ alert: alert.code, cure: alert.cure, err: error }, alert.what);
    await tell(since === null ? 'begun' : 'still', since ?? clock.now().toISOString());
    since ??= clock.now().toISOString();
  };
}
