import type { Clock } from '../domain/clock.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { InstallItem } from '../domain/install.ts';
import type { Owner } from '../domain/scope.ts';
import type { Deed, DeedOutcome } from '../ledger/deeds.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What became of it, for the record; facts hold no buyers' data. */
export interface Outcome {
  outcome: Exclude<DeedOutcome, 'refused'>;
  facts: Record<string, unknown>;
}

/** Carries it out and writes down who had it done and what came of it, a failure too; see ledger/deeds.ts. */
export async function writtenDown<T>(
  { ledger, clock }: { ledger: Pick<Ledger, 'deeds'>; clock: Clock },
  deed: Pick<Deed, 'who' | 'what' | 'subject'> & { about?: Owner },
  task: () => Promise<Outcome & { found: T }>,
): Promise<T> {
  const now = clock.now();
  const add = (came: Outcome) => ledger.deeds.add({ ...deed, ...came, now });
  try {
    const { found, ...came } = await task();
    await add(came);
    return found;
  } catch (error) {
    await add(failureOf(error));
    throw error;
  }
}

/** Of what ended with an error; defects are told elsewhere. */
export function failureOf(error: unknown): Outcome {
  return { outcome: 'failed', facts: error instanceof FacturapuenteError ? { code: error.code } : {} };
}

/** Of a list that was gone through: whether anything on it was changed, and what is left open. */
export function outcomeOf(items: readonly InstallItem[]): Outcome {
  const named = (wanted: (item: InstallItem) => boolean) =>
    items.filter(wanted).map(({ code, what }) => code ?? what);
  const changed = named(({ done }) => done === true);
  const open = named(({ state }) => state !== 'ok' && state !== 'warning');
  return { outcome: changed.length > 0 ? 'done' : 'nothing', facts: { changed, open } };
}
