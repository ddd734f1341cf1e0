import type { BuyerAnswer } from '../../domain/buyer-question.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Document } from '../../domain/document.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { askOrder } from '../ask.ts';
import { priorities } from '../deps.ts';
import { isAsked } from './ask-buyer.ts';

/**
 * Keeps what the buyer of a held factura answered and asks for the order to be planned at once, in one COMMIT with a
 * line of the document's history. `by` is the person of the shop who gave it, where it was not the buyer: then nobody
 * need have been asked. `late`: it waits for no answer any more; `answered`: somebody was first.
 */
export async function takeAnswer(
  { ledger, clock }: { ledger: Ledger; clock: Clock },
  document: Document,
  answer: BuyerAnswer,
  by?: string,
): Promise<'taken' | 'answered' | 'late'> {
  const now = clock.now();
  return ledger.transaction(async (tables) => {
    await tables.documents.lock(document.id);
    const current = await tables.documents.get(document.id);
    if (!current || !isAsked(current)) return 'late';
    if (by !== undefined) await tables.questions.open(current, { cutOffAt: now, expiresAt: now, now });
    if (!(await tables.questions.answer(current, answer, now))) return 'answered';
    const note = { code: 'buyer-answered', type: answer.type, ...(by !== undefined && { by }) };
    await tables.documents.move(current.id, { from: ['held'], to: 'held', note, now });
    await askOrder(tables, 'sync-order', current, { dueAt: now, priority: priorities.emission });
    return 'taken';
  });
}
