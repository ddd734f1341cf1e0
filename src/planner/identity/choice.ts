import type { BuyerPolicy } from '../../domain/buyer-policy.ts';
import { answerSource } from '../../domain/buyer-question.ts';
import { decimal } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import { companyOf } from './name.ts';
import type { Found, Reading, Wrong } from './readings.ts';

/** Whom the readings name, before the name itself. */
export type Choice =
  | { kind: 'named'; found: Found }
  | { kind: 'final-consumer'; askedIn: Reading | null }
  /** Above the limit, or the shop does not do it. */
  | { kind: 'final-consumer-refused'; askedIn: Reading | null }
  | { kind: 'wrong'; wrong: Wrong }
  /** RUCs of two taxpayers: only the buyer knows which. */
  | { kind: 'contradiction'; one: Found; other: Found };

/**
 * The first valid identification in the configured order of sources, with these exceptions:
 * - what the buyer answered us goes before everything on the order;
 * - a RUC goes before cédula and passport where the buyer asked for a company's factura: he named a company, or
 *   typed it where a RUC is asked for; RUCs of two taxpayers contradict each other;
 * - such a RUC that is wrong is not replaced by a cédula found elsewhere;
 * - consumidor final that the buyer asked for before any other identification is honoured up to the limit.
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

/**
 * "No supera 50": the limit itself is allowed; compared with tax (art. 19 Reglamento). Never where the buyer was
 * forgotten: he may have given his identification.
 */
export function mayBeFinal(order: Order, { finalConsumer }: BuyerPolicy): boolean {
  if (order.buyer.forgotten) return false;
  return finalConsumer.allowed && decimal(order.total).lte(finalConsumer.limit);
}
