import type { Document } from '../../domain/document.ts';
import type { Letter } from '../../domain/mail.ts';
import type { MoveNote } from '../../domain/move-note.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import { done, readOrderSubject, type Step } from '../../domain/work.ts';
import type { Question } from '../../ledger/questions.ts';
import { waitsForBuyer } from '../../planner/identity/sentences.ts';
import type { StepDeps } from '../deps.ts';
import { knownStore } from '../unknown-store.ts';
import { letterToBuyer } from './letter.ts';

/**
 * Sends the buyer of a held order the link to the page, once an order: the mark stands before the letter leaves, so
 * that a process that dies over it sends no second one. A server that does not take it is tried again, five times.
 */
export function askBuyer(deps: StepDeps): Step {
  return async ({ subject, attempts }) => {
    const { ledger, mailer, clock, log } = deps;
    const key = readOrderSubject(subject);
    const question = await ledger.questions.get(key);
    const document = (await ledger.documents.ofOrder(key)).find(isAsked);
    const now = clock.now();
    if (!mailer || !document || !question || !mayAsk(question, now)) return done;
    const store = knownStore(deps, key);
    const order = (await ledger.orders.get(key))?.snapshot as Order | undefined;
    const letter = order && writeTo(deps, store, order, { question, document });
    if (!letter || !(await ledger.questions.mark(key, 'mailed', now))) return done;
    try {
      await mailer.send(letter);
    } catch (error) {
      if (attempts < mostTries - 1) {
        await ledger.questions.unmark(key, 'mailed');
        throw error;
      }
      log.warn({ store: store.id, order: key.orderId, err: error }, 'The buyer could not be asked by e-mail');
      await keepNote(deps, document, { code: 'buyer-mail-refused' });
      return done;
    }
    await keepNote(deps, document, { code: 'buyer-mailed' });
    log.info({ store: store.id, order: key.orderId }, 'The buyer was asked by e-mail');
    return done;
  };
}

const mostTries = 5;

/** A factura that waits for what only its buyer can say. */
export const isAsked = ({ kind, state, code }: Document): boolean =>
  kind === 'factura' && state === 'held' && waitsForBuyer(code);

/** Whether an answer would still be taken. */
export const mayAsk = ({ answeredAt, expiresAt }: Question, now: Date): boolean =>
  answeredAt === null && Date.parse(expiresAt) > now.getTime();

function writeTo(
  { links }: StepDeps,
  store: Store,
  order: Order,
  { question, document }: { question: Question; document: Document },
): Letter | null {
  const { email } = order.buyer;
  if (question.mailedAt !== null || email === null) return null;
  return letterToBuyer({
    to: email,
    shop: store.issuer.nombre_comercial,
    order: order.name,
    total: document.charged ?? order.total,
    link: links.identification(document.id, new Date(question.expiresAt)),
    cutOffAt: new Date(question.cutOffAt),
  });
}

async function keepNote({ ledger, clock }: StepDeps, document: Document, note: MoveNote): Promise<void> {
  await ledger.documents.move(document.id, { from: ['held'], to: 'held', note, now: clock.now() });
}
