import type { BuyerAnswer } from '../../core/buyer-question.ts';
import { examine } from '../../core/identification.ts';
import { saysFlaw } from '../../core/identification-flaws.ts';
import type { Order } from '../../core/order.ts';
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
      !/^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(email) && {
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
  const wrong = (says: string) => ({ value: null, flaws: { id: says } });
  if (type === null) return { value: null, flaws: { type: 'Elija qué identificación va a escribir.' } };
  if (id.trim() === '') return wrong('Escriba el número de su identificación.');
  const reading = readCandidate({ value: id.trim(), source: '', type }, order);
  if (reading.kind === 'passed-over' && reading.as === 'phone')
    return wrong('Este es el teléfono de su compra: escriba el número de su identificación.');
  if (type === 'pasaporte' || type === 'exterior') {
    if (reading.kind === 'valid') return { value: reading.id, flaws: {} };
    return wrong('Escriba el número tal como consta en el documento: de 3 a 20 letras y números.');
  }
  const examined = examine(id);
  if (!examined.ok) return wrong(`Este número ${saysFlaw(examined.flaw, examined.digits)}.`);
  const { found } = examined;
  if (found.type === 'consumidor-final')
    return wrong('Este es el número de consumidor final: escriba su propia identificación.');
  if (found.type !== type)
    return wrong(
      found.type === 'ruc'
        ? 'Este número es un RUC: elija «RUC».'
        : 'Este número es una cédula: elija «Cédula».',
    );
  return { value: found.value, flaws: {} };
}
