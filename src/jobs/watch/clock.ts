import type { StepDeps } from '../deps.ts';
import { moveFirstStarts } from '../first-start.ts';

/** What a clock is off by network and seconds alone. */
const toleratedMs = 60_000;
/** From here on the service's signed webhooks are refused (docs/operations.md, `clock`). */
const graveMs = 300_000;

const code = 'clock-differs';

/**
 * Compares our clock with the time the service names with every answer: a first start that our clock put into the future
 * is moved, and people are told of a clock that is minutes off. A service that does not answer says nothing.
 */
export async function watchClock(deps: StepDeps): Promise<void> {
  const { clock, accounts, alerts } = deps;
  const asked = new Set<string>();
  for (const account of accounts.values()) {
    if (asked.has(account.baseUrl)) continue;
    asked.add(account.baseUrl);
    const before = clock.now().getTime();
    const answer = await deps.service(account, null).ping();
    if (answer.kind === 'unknown' || answer.kind === 'throttled' || answer.date === null) continue;
    // Cut to the second.
    const aheadMs = (before + clock.now().getTime()) / 2 - (answer.date.getTime() + 500);
    if (aheadMs >= toleratedMs) await moveFirstStarts(deps, { now: answer.date, aheadMs });
    const subject = account.baseUrl;
    if (Math.abs(aheadMs) < graveMs) await alerts.over({ code, subject });
    else
      await alerts.raise({
        code,
        subject,
        what: `El reloj con el que se trabaja ${aheadMs > 0 ? 'adelanta' : 'atrasa'} ${Math.round(Math.abs(aheadMs) / 60_000)} minutos frente al del servicio de facturación.`,
        cure: 'Ponga en hora este equipo (o el servidor de PostgreSQL) con NTP: con otro día el servicio no acepta los documentos.',
      });
  }
}
