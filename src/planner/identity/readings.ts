import { answerSource, type BuyerAnswer } from '../../domain/buyer-question.ts';
import {
  bareNumber,
  bareText,
  examine,
  type Flaw,
  foreignId,
  identify,
} from '../../domain/identification.ts';
import type { Buyer, IdCandidate, Order } from '../../domain/order.ts';
import { mayBeTelephone } from '../../domain/stated-identification.ts';

/** A valid identification and where it was found. */
export interface Found {
  kind: 'valid';
  candidate: IdCandidate;
  type: 'ruc' | 'cedula' | 'pasaporte' | 'exterior';
  id: string;
  warning: string | null;
}

export interface Wrong {
  kind: 'wrong';
  candidate: IdCandidate;
  flaw: Flaw;
  digits: number;
}

/** What one candidate turned out to be. `final-consumer`: the buyer asked for it in so many words or nines. */
export type Reading =
  | Found
  | Wrong
  | { kind: 'final-consumer'; candidate: IdCandidate }
  | { kind: 'passed-over'; candidate: IdCandidate; as: 'phone' | 'order-number' | 'nothing' };

/** Reads every candidate by itself, in the configured order of sources; what the buyer answered us goes first. */
export function readCandidates(order: Order): Reading[] {
  const answer = order.buyer.asked?.answer;
  const onOrder = order.buyer.ids.map((candidate) => readCandidate(candidate, order));
  return answer ? [readAnswered(answer), ...onOrder] : onOrder;
}

/** Checked when it was given (answer.ts), with its type stated. */
function readAnswered({ type, id }: BuyerAnswer): Found {
  return { kind: 'valid', candidate: { value: id, source: answerSource, type }, type, id, warning: null };
}

/** What people and plugins write where there is nothing to write. */
const nothing = /^(no?|na|sn|x+|0+|ningun[oa]?|noaplica|notengo|sincedula|sinruc|none|null|undefined)?$/;

/** Asked for in words, in the thirteen nines of the law, or in both. */
const finalConsumer = /^(?=.)(consumidorfinal|cf)?(9{10,13})?$/;

export const saysNothing = (text: string): boolean => nothing.test(bareText(text));

export function readCandidate(candidate: IdCandidate, order: Order): Reading {
  const { value, type } = candidate;
  const text = bareText(value);
  if (saysNothing(value)) return { kind: 'passed-over', candidate, as: 'nothing' };
  if (finalConsumer.test(text)) return { kind: 'final-consumer', candidate };
  if (isPhone(candidate, order.buyer)) return { kind: 'passed-over', candidate, as: 'phone' };
  if (isOrderNumber(text, order)) return { kind: 'passed-over', candidate, as: 'order-number' };
  // Passports and foreign IDs follow no rule: believed only where their type is stated.
  if (type === 'pasaporte' || type === 'exterior') return readForeign(candidate, type);
  const examined = examine(value);
  if (!examined.ok) return { kind: 'wrong', candidate, flaw: examined.flaw, digits: examined.digits };
  const { found } = examined;
  if (found.type === 'consumidor-final') return { kind: 'final-consumer', candidate };
  return { kind: 'valid', candidate, type: found.type, id: found.value, warning: found.warning };
}

function readForeign(candidate: IdCandidate, type: 'pasaporte' | 'exterior'): Reading {
  const id = foreignId(candidate.value);
  if (id === null) return { kind: 'wrong', candidate, flaw: 'not-a-number', digits: candidate.value.length };
  const local = examine(id);
  const warning =
    local.ok && local.found.type !== 'consumidor-final'
      ? 'El comprador dijo que es un pasaporte o una identificación del exterior, aunque el número también sería una cédula o un RUC.'
      : null;
  return { kind: 'valid', candidate, type, id, warning };
}

/** The order's id, its name, or a long number within its name ("Pedido-1710034065"). */
function isOrderNumber(text: string, order: Order): boolean {
  const own = [order.id, order.name].flatMap((known) => [bareText(known), ...(known.match(/\d{6,}/g) ?? [])]);
  return own.includes(text) || own.includes(bareNumber(text));
}

/**
 * Whether what stands for an identification is a telephone: anything written as an international one, and any of the
 * order's, with or without country prefix, unless it is an identification that the buyer gave as a telephone too.
 */
function isPhone(candidate: IdCandidate, buyer: Buyer): boolean {
  const digits = digitsOf(candidate.value);
  if (/^\s*\(?\+/.test(candidate.value) && digits.length >= 9) return true;
  if (/^(00)?593\d{8,9}$/.test(digits) && digits.length !== 10 && digits.length !== 13) return true;
  const national = nationalNumber(digits);
  if (national.length < 7) return false;
  const same = [buyer.phone, ...(buyer.phones ?? [])].map(digitsOf).filter((phone) => {
    const known = nationalNumber(phone);
    // Other countries' prefixes are of any length; nine digits in a row are no chance.
    return known === national || (national.length >= 9 && known.endsWith(national));
  });
  return same.length > 0 && !isGivenTwice(candidate, same, buyer.country);
}

/**
 * A valid cédula or RUC in a field that asks for it, and the same digits for a telephone, in Ecuador: believed where no
 * telephone has such digits. A mobile number passes for a cédula one time in ten, and would name a stranger; abroad
 * every number may be one.
 */
function isGivenTwice(
  { value, type, elsewhere }: IdCandidate,
  phones: readonly string[],
  country: string | null,
): boolean {
  if (elsewhere || type === 'pasaporte' || type === 'exterior') return false;
  if (country !== null && country !== 'EC') return false;
  const id = identify(value)?.value;
  return id !== undefined && !mayBeTelephone(id) && phones.every((phone) => phone === id);
}

const digitsOf = (text: string | null): string => (text ?? '').replace(/\D/g, '');

/** "+593 98 765 4321", "00593987654321" and "0987654321" are one. */
function nationalNumber(digits: string): string {
  return digits.replace(/^0{0,2}593(?=0?\d{8,9}$)/, '').replace(/^0+/, '');
}
