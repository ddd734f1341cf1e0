import type { BuyerPolicy } from '../../domain/buyer-policy.ts';
import { bareNumber, bareText, rucOwner } from '../../domain/identification.ts';
import type { Order } from '../../domain/order.ts';
import { type Found, type Reading, saysNothing } from './readings.ts';
import type { NameSource } from './trace.ts';

export type Named =
  | { ok: true; name: string; source: NameSource; warning: string | null }
  /** `company`: the buyer's own name is known, the company's is not. */
  | { ok: false; missing: 'company' | 'name' };

/**
 * The razón social that belongs to the identification: a company's for its RUC, the person's for cédula,
 * passport and a natural person's RUC. A person's name stands for a company only by policy, and where it is all the buyer
 * gave: beside a cédula it is known to be the person's.
 */
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
  // Shops without a field for the company get its name where a person's belongs.
  if (soundsLikeCompany(person)) return given(person, 'company');
  const elsewhere = readings.some((reading) => reading.kind === 'valid' && reading.type !== 'ruc');
  if (elsewhere || companyNameMissing === 'hold') return { ok: false, missing: 'company' };
  const warning =
    'El RUC es de una sociedad y el pedido no trae su razón social: consta el nombre que dio el comprador.';
  return { ok: true, name: person, source: 'person', warning };
}

/** Whoever must fill in a company writes his own name there: no company's, unless it sounds like one. */
function otherName(company: string | null, person: string | null): string | null {
  const isOwn = company !== null && person !== null && bareText(company) === bareText(person);
  return isOwn && !soundsLikeCompany(company) ? null : company;
}

/** The legal form at the end ("S.A.", "Cía. Ltda.", "S.A.S."), or a word for a body that has none. */
function soundsLikeCompany(name: string): boolean {
  if (/\s(S\.?\s?A\.?(\s?S\.?)?|C\.\s?A\.?)\s*$/.test(name)) return true;
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return /\b(cia|ltda|limitada|compania|corporacion|empresa|sociedad|fundacion|cooperativa|asociacion|consorcio|fideicomiso|federacion|municipio|universidad|colegio|condominio|conjunto)\b/.test(
    plain,
  );
}

const given = (name: string, source: NameSource): Named => ({ ok: true, name, source, warning: null });

/** The company's name on the order, if it is one: no "-", no number, no e-mail address. */
export function companyOf(order: Order): string | null {
  const company = usable(order.buyer.company);
  return company !== null && saysNothing(company) ? null : company;
}

const isMail = (text: string) => !/\s/.test(text) && text.slice(1, -1).includes('@');

/** What is no name is as good as none: an e-mail address, a number with or without its label, one lonely sign. */
export function usable(text: string | null): string | null {
  const name = (text ?? '').trim();
  const bare = bareText(name);
  if (bare.length < 2 || /^\d+$/.test(bareNumber(bare)) || isMail(name)) return null;
  return name;
}
