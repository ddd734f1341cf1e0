import { isEmail } from '../../../mappers/body.ts';
import { answerSource, type BuyerAnswer, type BuyerPolicy } from '../../domain/buyer-policy.ts';
import {
  answeredId,
  bareNumber,
  bareText,
  examine,
  type Flaw,
  foreignId,
  identify,
  mayBeTelephone,
  rucOwner,
} from '../../domain/identification.ts';
import { type Amount, decimal } from '../../domain/money.ts';
import type { Buyer, IdCandidate, Order } from '../../domain/order.ts';

export type Choice =
  | { kind: 'named'; found: Found }
  | { kind: 'final-consumer'; askedIn: Reading | null }
  | { kind: 'final-consumer-refused'; askedIn: Reading | null }
  | { kind: 'wrong'; wrong: Wrong }
  /** RUCs of two taxpayers: only the buyer knows which. */
  | { kind: 'contradiction'; one: Found; other: Found };

/**
 * The buyer's answer goes first, and a RUC before a cédula when a company's factura was requested.
 * Two different cédulas do not contradict each other: the recipient of a parcel has one too.
 */
export function choose(readings: readonly Reading[], order: Order, policy: BuyerPolicy): Choice {
  const valid = readings.filter((reading) => reading.kind === 'valid');
  const answered = valid.find(({ candidate }) => candidate.source === answerSource);
  if (answered) return { kind: 'named', found: answered };
  const rucs = valid.filter(({ type }) => type === 'ruc');
  const company = companyInvoice(rucs, order);
  const first = readings.find(({ kind }) => kind !== 'passed-over');
  if (first?.kind === 'final-consumer' && company === undefined && mayBeFinal(order, policy))
    return { kind: 'final-consumer', askedIn: first };

  const chosen = company ?? valid[0];
  if (chosen?.type === 'ruc') {
    const other = rucs.find(({ id }) => id.slice(0, 10) !== chosen.id.slice(0, 10));
    return other ? { kind: 'contradiction', one: chosen, other } : { kind: 'named', found: chosen };
  }
  const wrong = readings.filter((reading) => reading.kind === 'wrong');
  const spoiled = companyOf(order) ? wrong.find(({ candidate }) => candidate.type === 'ruc') : undefined;
  if (spoiled) return { kind: 'wrong', wrong: spoiled };
  if (chosen) return { kind: 'named', found: chosen };
  if (wrong[0]) return { kind: 'wrong', wrong: wrong[0] };
  const askedIn = first?.kind === 'final-consumer' ? first : null;
  return { kind: mayBeFinal(order, policy) ? 'final-consumer' : 'final-consumer-refused', askedIn };
}

function companyInvoice(rucs: readonly Found[], order: Order): Found | undefined {
  return rucs.find(({ candidate }) => candidate.type === 'ruc') ?? (companyOf(order) ? rucs[0] : undefined);
}

/** "No supera 50": the limit itself is allowed, with tax (art. 19 Reglamento). */
export function mayBeFinal(order: Order, { finalConsumer }: BuyerPolicy): boolean {
  if (order.buyer.forgotten) return false;
  return finalConsumer.allowed && decimal(order.total).lte(finalConsumer.limit);
}

export interface GivenAnswer {
  type: BuyerAnswer['type'] | null;
  id: string;
  name: string;
  email: string;
}

/** A Spanish sentence for each invalid field. */
export type AnswerFlaws = Partial<Record<keyof GivenAnswer, string>>;

type ReadAnswer = { ok: true; answer: BuyerAnswer } | { ok: false; flaws: AnswerFlaws };

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

export function readId(
  { type, id }: Pick<GivenAnswer, 'type' | 'id'>,
  order: Order,
): { value: string | null; flaws: AnswerFlaws } {
  if (type === null) return { value: null, flaws: { type: 'Elija qué identificación va a escribir.' } };
  const wrong = (message: string) => ({ value: null, flaws: { id: message } });
  const seen = readCandidate({ value: id, source: answerSource, type }, order);
  if (seen.kind === 'passed-over' && seen.as === 'phone')
    return wrong('Este es el teléfono de su compra: escriba el número de su identificación.');
  const read = answeredId(type, id);
  return read.value === null ? wrong(read.message) : { value: read.value, flaws: {} };
}

type Named =
  | { ok: true; name: string; source: NameSource; warning: string | null }
  /** `company`: the buyer's own name is known, the company's is not. */
  | { ok: false; missing: 'company' | 'name' };

/** A person's name counts for a company only by policy, and never beside a cédula. */
export function nameOf(
  found: Found,
  readings: readonly Reading[],
  order: Order,
  policy: Pick<BuyerPolicy['buyer'], 'registry' | 'companyNameMissing'>,
): Named {
  const own = ownName(found, readings, order, policy);
  if (policy.registry === 'off') return own;
  const { registered } = order.buyer;
  const name = registered?.id === found.id ? usable(registered.name) : null;
  const wanted = policy.registry === 'prefer' || !own.ok || own.warning !== null;
  return name !== null && wanted ? { ok: true, name, source: 'registry', warning: null } : own;
}

function ownName(
  found: Found,
  readings: readonly Reading[],
  order: Order,
  { companyNameMissing }: Pick<BuyerPolicy['buyer'], 'companyNameMissing'>,
): Named {
  const answer = order.buyer.asked?.answer;
  if (answer?.id === found.id) return given(answer.name, 'buyer');
  const person = usable(order.buyer.name);
  const company = otherName(companyOf(order), person);
  const owner = found.type === 'ruc' ? rucOwner(found.id) : 'person';
  if (company !== null && (owner !== 'person' || person === null)) return given(company, 'company');
  if (person === null) return { ok: false, missing: owner === 'company' ? 'company' : 'name' };
  if (owner !== 'company') return given(person, 'person');
  // Shops without a company field get the company's name in the field for a person's.
  if (soundsLikeCompany(person)) return given(person, 'company');
  const elsewhere = readings.some((reading) => reading.kind === 'valid' && reading.type !== 'ruc');
  if (elsewhere || companyNameMissing === 'hold') return { ok: false, missing: 'company' };
  const warning =
    'El RUC es de una sociedad y el pedido no trae su razón social: consta el nombre que dio el comprador.';
  return { ok: true, name: person, source: 'person', warning };
}

/** Buyers who must fill in a company repeat their own name: it is no company's, unless it sounds like one. */
function otherName(company: string | null, person: string | null): string | null {
  const isOwn = company !== null && person !== null && bareText(company) === bareText(person);
  return isOwn && !soundsLikeCompany(company) ? null : company;
}

/** The legal form at the end ("S.A.", "Cía. Ltda.", "S.A.S."), or a word for a body without one. */
function soundsLikeCompany(name: string): boolean {
  if (/\s(S\.?\s?A\.?(\s?S\.?)?|C\.\s?A\.?)\s*$/.test(name)) return true;
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return /\b(cia|ltda|limitada|compania|corporacion|empresa|sociedad|fundacion|cooperativa|asociacion|consorcio|fideicomiso|federacion|municipio|universidad|colegio|condominio|conjunto)\b/.test(
    plain,
  );
}

const given = (name: string, source: NameSource): Named => ({ ok: true, name, source, warning: null });

function companyOf(order: Order): string | null {
  const company = usable(order.buyer.company);
  return company !== null && saysNothing(company) ? null : company;
}

const isMail = (text: string) => !/\s/.test(text) && text.slice(1, -1).includes('@');

export function usable(text: string | null): string | null {
  const name = (text ?? '').trim();
  const bare = bareText(name);
  if (bare.length < 2 || /^\d+$/.test(bareNumber(bare)) || isMail(name)) return null;
  return name;
}

export interface Found {
  kind: 'valid';
  candidate: IdCandidate;
  type: Exclude<BuyerType, 'consumidor-final'>;
  id: string;
  warning: string | null;
}

export interface Wrong {
  kind: 'wrong';
  candidate: IdCandidate;
  flaw: Flaw;
  digits: number;
}

export type Reading =
  | Found
  | Wrong
  | { kind: 'final-consumer'; candidate: IdCandidate }
  | { kind: 'passed-over'; candidate: IdCandidate; as: 'phone' | 'order-number' | 'nothing' };

export function readCandidates(order: Order): Reading[] {
  const answer = order.buyer.asked?.answer;
  const onOrder = order.buyer.ids.map((candidate) => readCandidate(candidate, order));
  return answer ? [readAnswered(answer), ...onOrder] : onOrder;
}

function readAnswered({ type, id }: BuyerAnswer): Found {
  return { kind: 'valid', candidate: { value: id, source: answerSource, type }, type, id, warning: null };
}

const nothing = /^(no?|na|sn|x+|0+|ningun[oa]?|noaplica|notengo|sincedula|sinruc|none|null|undefined)?$/;

const finalConsumerWords = /^(?=.)(consumidorfinal|cf)?(9{10,13})?$/;

const saysNothing = (text: string): boolean => nothing.test(bareText(text));

function readCandidate(candidate: IdCandidate, order: Order): Reading {
  const { value, type } = candidate;
  const text = bareText(value);
  if (saysNothing(value)) return { kind: 'passed-over', candidate, as: 'nothing' };
  if (finalConsumerWords.test(text)) return { kind: 'final-consumer', candidate };
  if (isPhone(candidate, order.buyer)) return { kind: 'passed-over', candidate, as: 'phone' };
  if (isOrderNumber(text, order)) return { kind: 'passed-over', candidate, as: 'order-number' };
  // Passports and ids of other countries follow no rule: accepted only with a stated type.
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

const ofRecipient = /shipping|delivery|env[ií]o|entrega|destinatari|recept|recib|recog|retir/i;

export function otherPerson(found: Found, readings: readonly Reading[]): Found | undefined {
  const isPerson = ({ type, id }: Found) =>
    type === 'cedula' || (type === 'ruc' && rucOwner(id) === 'person');
  if (found.candidate.source === answerSource || !isPerson(found)) return undefined;
  return readings.find(
    (one): one is Found =>
      one.kind === 'valid' &&
      isPerson(one) &&
      one.id.slice(0, 10) !== found.id.slice(0, 10) &&
      !one.candidate.elsewhere &&
      !ofRecipient.test(one.candidate.source),
  );
}

const mostUnread = 3;

/** One instant in ten has the digits of a cédula of Pichincha. Names with "_" in front are of apps and plugins. */
export function unreadIds(order: Order): string[] {
  const names = order.attributes
    .filter(({ name, value }) => {
      const digits = bareNumber(value);
      if (name.startsWith('_') || isInstant(digits, order.placedAt)) return false;
      const candidate = { value, source: name, type: null, elsewhere: true } as const;
      return readCandidate(candidate, order).kind === 'valid' && !mayBeTelephone(digits);
    })
    .map(({ name }) => name.trim());
  return [...new Set(names)].slice(0, mostUnread);
}

/** Instants within a month of the order; RUCs of Quito's companies begin alike, and end in 001. */
function isInstant(digits: string, placedAt: string): boolean {
  const ms = digits.length === 10 ? Number(digits) * 1000 : Number(digits);
  return !digits.endsWith('001') && Math.abs(ms - Date.parse(placedAt)) < 31 * 86_400_000;
}

function isOrderNumber(text: string, order: Order): boolean {
  const own = [order.id, order.name].flatMap((known) => [bareText(known), ...(known.match(/\d{6,}/g) ?? [])]);
  return own.includes(text) || own.includes(bareNumber(text));
}

function isPhone(candidate: IdCandidate, buyer: Buyer): boolean {
  const digits = digitsOf(candidate.value);
  if (/^\s*\(?\+/.test(candidate.value) && digits.length >= 9) return true;
  if (/^(00)?593\d{8,9}$/.test(digits) && digits.length !== 10 && digits.length !== 13) return true;
  const national = nationalNumber(digits);
  if (national.length < 7) return false;
  const same = [buyer.phone, ...(buyer.phones ?? [])].map(digitsOf).filter((phone) => {
    const known = nationalNumber(phone);
    // Prefixes of other countries have any length; nine equal digits in a row are no coincidence.
    return known === national || (national.length >= 9 && known.endsWith(national));
  });
  return same.length > 0 && !isGivenTwice(candidate, same, buyer.country);
}

/** One mobile number in ten passes for a cédula and would name a stranger; abroad any number may. */
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

/** "+593 98 765 4321", "00593987654321" and "0987654321" are the same. */
function nationalNumber(digits: string): string {
  return digits.replace(/^0{0,2}593(?=0?\d{8,9}$)/, '').replace(/^0+/, '');
}

export type BuyerType = 'ruc' | 'cedula' | 'pasaporte' | 'exterior' | 'consumidor-final';

export type CandidateVerdict =
  | 'chosen'
  | 'same'
  | 'other'
  | 'refused'
  | 'contradicts'
  | 'wrong'
  | 'phone'
  | 'order-number'
  /** "-", "no tengo". */
  | 'nothing';

/** `law`: CONSUMIDOR FINAL. */
export type NameSource = 'person' | 'company' | 'buyer' | 'registry' | 'law';

/** Never holds a value the buyer typed. */
export interface IdentityReasons {
  /** Null when the order is held. */
  type: BuyerType | null;
  /** Null when held, and for consumidor final that was not asked for. */
  source: string | null;
  name: NameSource | null;
  warnings: string[];
  candidates: { source: string; stated: IdCandidate['type']; verdict: CandidateVerdict; why: string }[];
  finalConsumer: {
    decision: 'allowed' | 'refused';
    askedByBuyer: boolean;
    limit: Amount;
    total: Amount;
    /** Since 2026 such a factura can be neither annulled nor credited. */
    creditable: false;
  } | null;
}
