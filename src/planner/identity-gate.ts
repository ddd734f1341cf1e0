import type { Recipient } from '../../mappers/context.ts';
import { identificationTable } from '../../mappers/tables/identification.ts';
import type { BuyerPolicy } from '../domain/buyer-policy.ts';
import { finalConsumerId } from '../domain/identification.ts';
import type { NamedBy } from '../domain/legal-names.ts';
import { type Amount, decimal } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { type Choice, choose, mayBeFinal } from './identity/choice.ts';
import { nameOf } from './identity/name.ts';
import { type Found, type Reading, readCandidates } from './identity/readings.ts';
import {
  contradiction,
  finalConsumerRefused,
  nameMissing,
  type Unnamed,
  unanswered,
  wrongId,
} from './identity/sentences.ts';
import type { CandidateVerdict, IdentityTrace } from './identity/trace.ts';

export type Identity =
  | { ok: true; recipient: Recipient; trace: IdentityTrace }
  | ({ ok: false; trace: IdentityTrace } & Unnamed);

/**
 * Who the document names. The order's identifications are read one by one (identity/readings.ts), one is chosen
 * (identity/choice.ts), and the name that belongs to it found (identity/name.ts). Consumidor final is a decision
 * with a limit and a record, never a default above it: such a factura can never be credited. Whom nobody can
 * name is held, with a sentence for the merchant and one for the buyer. `back`: what of the order's total was given
 * back since, and still counts for the limit.
 */
export function identifyBuyer(order: Order, policy: BuyerPolicy, back: Amount = '0.00'): Identity {
  const identity = identifyByOrder(order, policy, back);
  return identity.ok || order.buyer.asked?.overdue !== true
    ? identity
    : withoutAnswer(identity, order, policy);
}

/** What the policy decides where the buyer was asked and did not answer in time. */
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

/**
 * The person or company whose legal name should be looked up for this order; null where the policy does not want
 * it or the order's own name will do.
 */
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
  from: { readings: readonly Reading[]; order: Order; policy: BuyerPolicy; trace: IdentityTrace },
): Identity {
  const legal = nameOf(found, from.readings, from.order, from.policy.buyer);
  const warnings = [found.warning, legal.ok ? legal.warning : null].filter((text) => text !== null);
  if (!legal.ok) return { ok: false, ...nameMissing(legal.missing), trace: { ...from.trace, warnings } };
  const { type, candidate } = found;
  return {
    ok: true,
    recipient: { type: identificationTable[type].code, id: found.id, name: legal.name },
    trace: { ...from.trace, type, source: candidate.source, name: legal.source, warnings },
  };
}

function finalConsumer(askedIn: Reading | null, trace: IdentityTrace): Extract<Identity, { ok: true }> {
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
): IdentityTrace {
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
): IdentityTrace['finalConsumer'] {
  // Discounts beyond what is sold are a mistake of the shop's, and no sale within a limit.
  if (decimal(order.total).isNegative()) return null;
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

/** What became of every identification on the order, without its value. */
function candidatesOf(readings: readonly Reading[], choice: Choice): IdentityTrace['candidates'] {
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
