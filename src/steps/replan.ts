import { orderSubject } from '../core/work.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { priorities } from './deps.ts';

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
      await work.ask({
        kind: 'sync-order',
        subject: orderSubject(document),
        storeId: document.storeId,
        budget: null,
        priority: priorities.download,
        dueAt: now,
      });
    }
  });
  return held.length;
}
