import type { Alerts } from '../domain/alerts.ts';
import { afterFailure, failuresToOpen, type OpenBreaker } from '../domain/circuit-breaker.ts';
import type { Clock } from '../domain/clock.ts';
import { ShopError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import type { Shop } from '../domain/platform.ts';
import { owner } from '../domain/scope.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchCalls } from '../observability/calls.ts';
import { seldom } from '../observability/seldom.ts';

const code = 'shop-not-answering';

/**
 * Moves the circuit breakers of shops by the outcomes of our own calls (domain/circuit-breaker.ts). Failures are counted in
 * this process; an open breaker is the ledger's, for all. Calls are never refused here: what waits behind a breaker is
 * not released (ledger/work/work.ts), and a person's command may try. Errors of the ledger change no call's outcome.
 */
export function openShopBreakers({
  ledger,
  clock,
  alerts,
  log,
}: {
  ledger: Pick<Ledger, 'breakers' | 'transaction'>;
  clock: Clock;
  alerts: Alerts;
  log: Log;
}): (storeId: string, shop: Shop) => Shop {
  /** What failed in a row, by store: orders by their ids, lists by the names of their calls. */
  const failing = new Map<string, Set<string>>();
  // Another process may have opened one.
  const known = seldom(() => ledger.breakers.list(), { atLeastMs: 1_000 });
  const isOpen = async (storeId: string) => (await known()).some((one) => one.storeId === storeId);

  async function failed(storeId: string, what: string, { merchant }: ShopError): Promise<void> {
    const row = failing.get(storeId) ?? new Set();
    failing.set(storeId, row.add(what));
    if (row.size < failuresToOpen && !(await isOpen(storeId))) return;
    const now = clock.now();
    const next = await ledger.transaction(async ({ breakers }) => {
      const after = afterFailure(await breakers.get(storeId), { storeId, now, reason: merchant });
      if (after) await breakers.put(after);
      return after;
    });
    // Each time: whoever opened it may have died before he told of it.
    if (next) await tellOpened(next);
  }

  async function tellOpened({ storeId, reason, probes, retryAt }: OpenBreaker): Promise<void> {
    log.warn({ store: storeId, probes, retryAt }, 'The circuit breaker of a shop is open; its jobs wait');
    await alerts.raise({
      code,
      subject: storeId,
      about: owner.store(storeId),
      what: `La tienda ${storeId} no responde: sus pedidos esperan, y los de las demás tiendas siguen. ${reason}`,
      cure: 'Revise que su sitio esté en línea; se prueba sola cada pocos minutos, y lo que espera sigue cuando responda.',
    });
  }

  async function answered(storeId: string): Promise<void> {
    const failures = failing.get(storeId)?.size ?? 0;
    failing.delete(storeId);
    // What this process opened itself may be younger than what it knows.
    if (failures < failuresToOpen && !(await isOpen(storeId))) return;
    // The alert goes first: while the breaker is there, the next answer ends it.
    await alerts.over({ code, subject: storeId });
    if (await ledger.breakers.close(storeId))
      log.info({ store: storeId }, 'The shop answers again; its circuit breaker is closed');
  }

  const noted = (storeId: string, change: Promise<void>): Promise<void> =>
    change.catch((error: unknown) =>
      log.warn({ err: error, store: storeId }, 'The outcome of a call to a shop could not be noted'),
    );

  return (storeId, shop) =>
    watchCalls(shop, ['close'], async (name, call, [first]) => {
      try {
        const answer = await call();
        await noted(storeId, answered(storeId));
        return answer;
      } catch (error) {
        if (!(error instanceof ShopError)) throw error;
        const what = typeof first === 'string' ? first : name;
        if (error.outage) await noted(storeId, failed(storeId, what, error));
        // One that waiting does not help was given by a shop that answers.
        else if (!error.retryable) await noted(storeId, answered(storeId));
        throw error;
      }
    });
}
