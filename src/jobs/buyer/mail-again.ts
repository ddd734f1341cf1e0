import type { Document } from '../../domain/document.ts';
import type { Order } from '../../domain/order.ts';
import { askOrder } from '../ask.ts';
import { priorities, type StepDeps } from '../deps.ts';
import { isAsked, mayAsk } from './ask-buyer.ts';

/** Sends the buyer the link once more. Answers null, or in Spanish why no letter leaves. */
export async function mailAgain(
  { ledger, clock, mailer }: Pick<StepDeps, 'ledger' | 'clock' | 'mailer'>,
  document: Document,
): Promise<string | null> {
  if (!mailer) return 'No hay un servidor de correo configurado (mail.url): copie el enlace y envíelo usted.';
  const now = clock.now();
  const question = await ledger.questions.get(document);
  if (!isAsked(document) || !question || question.answeredAt !== null)
    return 'Ese pedido ya no espera la respuesta de su comprador.';
  if (!mayAsk(question, now)) return 'El enlace del comprador ya venció: copie uno nuevo y envíelo usted.';
  const order = (await ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  if (!order?.buyer.email)
    return 'El pedido no trae el correo del comprador: copie el enlace y envíelo usted.';
  await ledger.transaction(async (tables) => {
    await tables.questions.unmark(document, 'mailed');
    await askOrder(tables, 'ask-buyer', document, { dueAt: now, priority: priorities.question });
  });
  return null;
}
