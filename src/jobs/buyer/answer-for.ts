import type { Document } from '../../domain/document.ts';
import type { Order } from '../../domain/order.ts';
import { type AnswerFlaws, type GivenAnswer, readAnswer } from '../../planner/identity/answer.ts';
import type { StepDeps } from '../deps.ts';
import { isAsked } from './ask-buyer.ts';
import { takeAnswer } from './take-answer.ts';

/** What came of a person saying whom a factura is to name; `says` is for that person, in Spanish. */
export type AnsweredFor =
  | { kind: 'taken'; type: NonNullable<GivenAnswer['type']> }
  | { kind: 'wrong'; flaws: AnswerFlaws }
  | { kind: 'refused'; says: string };

/** A person of the shop gives what only the buyer could say; it is held to the rules of the buyer's own page. */
export async function answerFor(
  deps: Pick<StepDeps, 'ledger' | 'clock'>,
  document: Document,
  { given, by }: { given: GivenAnswer; by: string },
): Promise<AnsweredFor> {
  const order = (await deps.ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  if (!order || !isAsked(document)) return { kind: 'refused', says: late };
  const read = readAnswer(given, order);
  if (!read.ok) return { kind: 'wrong', flaws: read.flaws };
  const taken = await takeAnswer(deps, document, read.answer, by);
  if (taken === 'taken') return { kind: 'taken', type: read.answer.type };
  return { kind: 'refused', says: taken === 'late' ? late : first };
}

const late = 'Ese pedido ya no espera la identificación de su comprador.';
const first =
  'El comprador ya dio su identificación; si está equivocada, corríjala en el pedido de la tienda y vuelva a leerlo.';
