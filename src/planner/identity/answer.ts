import { isEmail } from '../../../mappers/buyer.ts';
import { answeredId } from '../../domain/answered-id.ts';
import { answerSource, type BuyerAnswer } from '../../domain/buyer-question.ts';
import type { Order } from '../../domain/order.ts';
import { usable } from './name.ts';
import { readCandidate } from './readings.ts';

/** What a buyer wrote on our page, as it came. */
export interface GivenAnswer {
  type: BuyerAnswer['type'] | null;
  id: string;
  name: string;
  email: string;
}

/** A Spanish sentence for each field that is not right. */
export type AnswerFlaws = Partial<Record<keyof GivenAnswer, string>>;

export type ReadAnswer = { ok: true; answer: BuyerAnswer } | { ok: false; flaws: AnswerFlaws };

/** Reads what the buyer wrote by the rules the order's own identification is read by. */
export function readAnswer(given: GivenAnswer, order: Order): ReadAnswer {
  const id = readId(given, order);
  const name = given.name.trim().replace(/\s+/g, ' ');
  const email = given.email.trim();
  const flaws: AnswerFlaws = {
    ...id.flaws,
    // Longest text of razonSocialComprador (XSD).
    ...((usable(name) === null || name.length > 300) && {
      name: 'Escriba los nombres y apellidos, o la razón social, que deben constar en la factura.',
    }),
    ...(email !== '' &&
      !isEmail(email) && {
        email: 'Este correo no está completo: revíselo o déjelo en blanco.',
      }),
  };
  if (given.type === null || id.value === null || Object.keys(flaws).length > 0) return { ok: false, flaws };
  return { ok: true, answer: { type: given.type, id: id.value, name, email: email === '' ? null : email } };
}

/** The identification alone, in its plain form; null with the flaws that say why. */
export function readId(
  { type, id }: Pick<GivenAnswer, 'type' | 'id'>,
  order: Order,
): { value: string | null; flaws: AnswerFlaws } {
  if (type === null) return { value: null, flaws: { type: 'Elija qué identificación va a escribir.' } };
  const wrong = (says: string) => ({ value: null, flaws: { id: says } });
  const seen = readCandidate({ value: id, source: answerSource, type }, order);
  if (seen.kind === 'passed-over' && seen.as === 'phone')
    return wrong('Este es el teléfono de su compra: escriba el número de su identificación.');
  const read = answeredId(type, id);
  return read.value === null ? wrong(read.says) : { value: read.value, flaws: {} };
}
