import { type Recipient, reasonOf } from '../../mappers/hold.ts';
import { identificationTable } from '../../mappers/tables/limits.ts';
import type { BuyerPolicy } from '../domain/buyer-policy.ts';
import { finalConsumerId, type NamedBy, saysFlaw } from '../domain/identification.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import {
  type BuyerCode,
  type BuyerSaid,
  buyerHolds,
  forBuyer,
  unansweredNote,
  unreadNote,
} from '../messages/holds-buyer.ts';
import type { PlanInput } from './action.ts';
import { currentFactura, verdictBeforeMapping } from './eligibility.ts';
import {
  type CandidateVerdict,
  type Choice,
  choose,
  type Found,
  type IdentityReasons,
  mayBeFinal,
  nameOf,
  otherPerson,
  type Reading,
  readCandidates,
  unreadIds,
  type Wrong,
} from './identity/choice.ts';

export type Identity =
  | { ok: true; recipient: Recipient; trace: IdentityReasons }
  | ({ ok: false; trace: IdentityReasons } & Unnamed);

/** `back`: the part of the total that was given back and still counts for the limit of consumidor final. */
export function identifyBuyer(order: Order, policy: BuyerPolicy, back: Amount = '0.00'): Identity {
  const identity = identifyByOrder(order, policy, back);
  return identity.ok || order.buyer.asked?.overdue !== true
    ? identity
    : withoutAnswer(identity, order, policy);
}

function withoutAnswer(held: Extract<Identity, { ok: false }>, order: Order, policy: BuyerPolicy): Identity {
  const { trace, ok, ...unnamed } = held;
  const final = policy.buyer.afterCutOff === 'final-consumer' && mayBeFinal(order, policy);
  if (!final) return { ok, ...unanswered(unnamed), trace };
  const decided = { kind: 'final-consumer', askedIn: null } as const;
  const consumer = finalConsumer(null, { ...trace, finalConsumer: finalOf(decided, order, policy) });
  const why =
    'El comprador no dio su identificación hasta la hora límite: la política decide consumidor final.';
  return { ...consumer, trace: { ...consumer.trace, warnings: [why, ...consumer.trace.warnings] } };
}

function identifyByOrder(order: Order, policy: BuyerPolicy, back: Amount): Identity {
  const identity = identifyByReadings(order, policy, back);
  const isUnnamed = identity.ok ? identity.trace.name === 'law' : identity.code === 'buyer-id-missing';
  const unread = isUnnamed ? unreadIds(order) : [];
  if (unread.length === 0) return identity;
  const warning = unreadNote(unread);
  const trace = { ...identity.trace, warnings: [...identity.trace.warnings, warning] };
  return identity.ok
    ? { ...identity, trace }
    : { ...identity, reason: `${identity.reason} ${warning}`, trace };
}

function identifyByReadings(order: Order, policy: BuyerPolicy, back: Amount): Identity {
  const readings = readCandidates(order);
  const choice = choose(readings, order, policy);
  const trace = startTrace(readings, choice, order, policy);
  const hold = (unnamed: Unnamed): Identity => ({ ok: false, ...unnamed, trace });
  switch (choice.kind) {
    case 'named':
      return named(choice.found, { readings, order, policy, trace });
    case 'final-consumer':
      return finalConsumer(choice.askedIn, trace);
    case 'final-consumer-refused':
      return hold(finalConsumerRefused(choice, order, policy.finalConsumer, back));
    case 'wrong':
      return hold(wrongId(choice.wrong));
    case 'contradiction':
      return hold(contradiction(choice.one, choice.other));
  }
}

/** Null when the policy does not want it or the order's own name is enough. */
export function nameToLookUp(order: Order, policy: BuyerPolicy): NamedBy | null {
  const { registry } = policy.buyer;
  if (registry === 'off') return null;
  const readings = readCandidates(order);
  const choice = choose(readings, order, policy);
  if (choice.kind !== 'named') return null;
  const { type, id } = choice.found;
  if (type !== 'ruc' && type !== 'cedula') return null;
  const own = nameOf(choice.found, readings, order, { ...policy.buyer, registry: 'off' });
  return registry === 'prefer' || !own.ok || own.warning !== null ? { type, id } : null;
}

function named(
  found: Found,
  from: { readings: readonly Reading[]; order: Order; policy: BuyerPolicy; trace: IdentityReasons },
): Identity {
  const legal = nameOf(found, from.readings, from.order, from.policy.buyer);
  const other = otherPerson(found, from.readings);
  const warnings = [
    found.warning,
    other
      ? `El pedido trae identificaciones de dos personas, en «${found.candidate.source}» y en «${other.candidate.source}»: consta la primera. Confirme con el comprador que es la suya.`
      : null,
    legal.ok ? legal.warning : null,
  ].filter((text) => text !== null);
  if (!legal.ok) return { ok: false, ...nameMissing(legal.missing), trace: { ...from.trace, warnings } };
  const { type, candidate } = found;
  return {
    ok: true,
    recipient: { type: identificationTable[type].code, id: found.id, name: legal.name },
    trace: { ...from.trace, type, source: candidate.source, name: legal.source, warnings },
  };
}

function finalConsumer(askedIn: Reading | null, trace: IdentityReasons): Extract<Identity, { ok: true }> {
  return {
    ok: true,
    recipient: {
      type: identificationTable['consumidor-final'].code,
      id: finalConsumerId,
      name: 'CONSUMIDOR FINAL',
    },
    trace: {
      ...trace,
      type: 'consumidor-final',
      source: askedIn?.candidate.source ?? null,
      name: 'law',
      warnings: ['Una factura a consumidor final no se puede anular ni admite nota de crédito.'],
    },
  };
}

function startTrace(
  readings: readonly Reading[],
  choice: Choice,
  order: Order,
  policy: BuyerPolicy,
): IdentityReasons {
  const final = choice.kind === 'final-consumer' || choice.kind === 'final-consumer-refused' ? choice : null;
  return {
    type: null,
    source: null,
    name: null,
    warnings: [],
    candidates: candidatesOf(readings, choice),
    finalConsumer: final && finalOf(final, order, policy),
  };
}

function finalOf(
  final: Extract<Choice, { askedIn: Reading | null }>,
  order: Order,
  { finalConsumer: { limit } }: BuyerPolicy,
): IdentityReasons['finalConsumer'] {
  // Discounts above what is sold are a mistake of the shop, not a sale within a limit.
  if (decimal(order.total).lt(0)) return null;
  return {
    decision: final.kind === 'final-consumer' ? 'allowed' : 'refused',
    askedByBuyer: final.askedIn !== null,
    limit,
    total: order.total,
    creditable: false,
  };
}

const why: Record<CandidateVerdict, string> = {
  chosen: 'es la que consta en la factura',
  same: 'es la misma identificación, repetida en otro lugar',
  other: 'es válida, pero otra va antes que ella',
  refused: 'pide consumidor final, que este pedido no admite',
  contradicts: 'contradice a otro RUC del pedido',
  wrong: 'no es una cédula ni un RUC válido, ni se indica otro tipo',
  phone: 'es un número de teléfono',
  'order-number': 'es el número del pedido',
  nothing: 'dice que no hay identificación',
};

function candidatesOf(readings: readonly Reading[], choice: Choice): IdentityReasons['candidates'] {
  return readings.map((reading) => {
    const verdict = verdictOf(reading, choice);
    const { source, type: stated } = reading.candidate;
    return { source, stated, verdict, why: why[verdict] };
  });
}

function verdictOf(reading: Reading, choice: Choice): CandidateVerdict {
  switch (reading.kind) {
    case 'passed-over':
      return reading.as;
    case 'wrong':
      return 'wrong';
    case 'final-consumer':
      if (choice.kind === 'final-consumer-refused') return 'refused';
      return choice.kind === 'final-consumer' && choice.askedIn === reading ? 'chosen' : 'other';
    case 'valid':
      if (choice.kind === 'contradiction') return reading.type === 'ruc' ? 'contradicts' : 'other';
      if (choice.kind !== 'named') return 'other';
      if (choice.found === reading) return 'chosen';
      return choice.found.id === reading.id ? 'same' : 'other';
  }
}

/** Null when none. Only for orders about to be invoiced: a look-up costs money. */
export function legalNameWanted(input: PlanInput): NamedBy | null {
  if (verdictBeforeMapping(input, currentFactura(input.documents)) !== null) return null;
  return nameToLookUp(input.order, input.store.policy);
}

export const waitsForBuyer = (code: string | null): boolean =>
  code !== null && Object.hasOwn(buyerHolds, code);

interface Unnamed {
  code: BuyerCode;
  reason: string;
  buyerReason: string;
}

const unnamed = (...said: BuyerSaid): Unnamed => ({
  code: said[0],
  reason: reasonOf(...said),
  buyerReason: forBuyer(...said),
});

const wrongId = ({ candidate, flaw, digits }: Wrong): Unnamed =>
  unnamed('buyer-id-wrong', { why: 'flaw', source: candidate.source, flaw: saysFlaw(flaw, digits) });

const contradiction = (one: Found, other: Found): Unnamed =>
  unnamed('buyer-id-wrong', { why: 'two', one: one.candidate.source, other: other.candidate.source });

function finalConsumerRefused(
  { askedIn }: Extract<Choice, { kind: 'final-consumer-refused' }>,
  { buyer, total }: Order,
  { allowed, limit }: BuyerPolicy['finalConsumer'],
  back: Amount,
): Unnamed {
  if (buyer.forgotten) return unnamed('buyer-id-missing', { why: 'forgotten' });
  const about = { total: toAmount(total), limit: allowed ? limit : null, returned: decimal(back).gt(0) };
  if (askedIn !== null)
    return unnamed('buyer-id-missing', { why: 'asked', source: askedIn.candidate.source, ...about });
  const zeros = buyer.ids.find(({ value }) => /^\D*0[0\D]*$/.test(value));
  return zeros
    ? unnamed('buyer-id-wrong', { why: 'zeros', source: zeros.source, ...about })
    : unnamed('buyer-id-missing', { why: 'none', ...about });
}

const nameMissing = (missing: 'company' | 'name'): Unnamed =>
  missing === 'company'
    ? unnamed('buyer-company-missing', { why: 'missing' })
    : unnamed('buyer-name-missing', {});

const unanswered = (held: Unnamed): Unnamed => ({ ...held, reason: `${held.reason} ${unansweredNote}` });
