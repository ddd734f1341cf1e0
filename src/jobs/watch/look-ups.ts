import { ecuadorDay } from '../../domain/calendar.ts';
import { keepOnly } from '../alerts.ts';
import type { StepDeps } from '../deps.ts';

/** Ends what was told of a store that used up its look-ups of names, once their day is over. */
export async function watchLookUps({
  ledger,
  clock,
  alerts,
}: Pick<StepDeps, 'ledger' | 'clock' | 'alerts'>): Promise<void> {
  const today = ecuadorDay(clock.now());
  await keepOnly({ ledger, alerts }, 'registry-limit', ({ since }) => ecuadorDay(new Date(since)) >= today);
}
