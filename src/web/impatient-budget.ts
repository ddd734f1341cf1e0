import { setTimeout as wait } from 'node:timers/promises';
import type { Budget } from '../domain/budget.ts';
import { FacturapuenteError } from '../domain/errors.ts';

/** Too many people want files at once, or the key is held back. */
export class BusyError extends FacturapuenteError {}

/** About what the budget gives in the time people wait: whoever comes later would wait in vain. */
const defaultPlaces = 50;

/**
 * An account's rate budget for people who wait before a page: `take` gives up after `withinMs`, and at once
 * while `places` others wait, so that a link opened a thousand times takes no slots from invoices.
 */
export function impatientBudget(budget: Budget, places = defaultPlaces, withinMs = 15_000): Budget {
  let waiting = 0;
  return {
    async take(kind) {
      if (waiting >= places) throw busy();
      waiting += 1;
      const stop = new AbortController();
      const turn = budget.take(kind).finally(() => {
        waiting -= 1;
      });
      const late = wait(withinMs, undefined, { signal: stop.signal }).then(() => {
        throw busy();
      });
      // The race decides; whoever loses it is no failure.
      for (const one of [turn, late]) one.catch(() => {});
      await Promise.race([turn, late]).finally(() => stop.abort());
    },
    slow: (forMs) => budget.slow(forMs),
  };
}

function busy(): BusyError {
  return new BusyError(
    'service-busy',
    'El servicio de facturación está ocupado; vuelva a intentarlo en unos minutos.',
    'The rate budget of the account has no slot for a download in time; try again later.',
  );
}
