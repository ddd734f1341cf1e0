import type { Ledger } from '../ledger/ledger.ts';
import { askSync } from './ask.ts';

/** More held documents than anybody lets pile up; the rest comes with their next webhook. */
const limit = 10_000;

/**
 * Asks for every held order to be looked at again. Called when work starts: the person who waited may have
 * corrected the configuration (a tax rule, the consumidor final limit), which no webhook tells.
 */
export async function replanHeld(ledger: Ledger, now: Date): Promise<number> {
  const held = await ledger.documents.list({ states: ['held'], limit });
  await ledger.transaction(async ({ work }) => {
    for (const document of held) {
      await askSync({ work }, document, now);
    }
  });
  return held.length;
}
