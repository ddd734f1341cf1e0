import type { MappingContext, Recipient } from '../../mappers/context.ts';
import { type Mapped, toFactura } from '../../mappers/factura.ts';
import { Hold } from '../../mappers/hold.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import { type DocumentIdentity, documentReference } from '../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { Refund } from '../domain/refund.ts';
import type { Store } from '../domain/settings.ts';
import type { Trace } from './action.ts';
import { identifyBuyer } from './identity-gate.ts';
import { moneyOn } from './refunds/covered.ts';
import { netOff, nettable } from './refunds/net-off.ts';
import { withRecordsCombined } from './refunds/records.ts';
import { withoutReturned } from './refunds/returned.ts';
import { nothingLeft } from './refunds/sentences.ts';

export type MappedSale =
  | {
      ok: true;
      mapped: Extract<Mapped, { ok: true }>;
      recipient: Recipient;
      /** Refunds taken off before mapping. */
      netted: string[];
      trace: Trace;
    }
  | {
      ok: false;
      code: string;
      reason: string;
      buyerReason: string | null;
      /** What the document had to reach. */
      charged: Amount;
      /** What the document would have added up to, where that is the matter. */
      document: Amount | null;
      trace: Trace;
    };

/**
 * Identity gate, mapper and refunds in one: the body this order would be sent with now, for what its refunds
 * leave of it. Used to plan (no number yet) and again at sending time, with the reserved number and that day's date.
 */
export function mapFactura(
  read: Order,
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  identity: DocumentIdentity,
  at: { now: Date; secuencial: string | null },
): MappedSale {
  const order = withRecordsCombined(read, []);
  const refunds = nettable(order);
  const charged = invoiced(order, refunds, store.policy);
  const netted = refunds.flatMap(({ id, linesFrom = [] }) => [id, ...linesFrom]);
  // Whom a factura must name depends on the transaction, whatever came back of it since (docs/refunds.md).
  const sold = store.policy.finalConsumer.measures === 'sale' ? invoiced(order, [], store.policy) : charged;
  const buyer = identifyBuyer(
    { ...order, total: sold },
    store.policy,
    toAmount(decimal(sold).minus(charged)),
  );
  if (!buyer.ok) return { ...buyer, charged, document: null, trace: { identity: buyer.trace } };
  const context: MappingContext = {
    issuer: store.issuer,
    series: store.series,
    secuencial: at.secuencial,
    today: ecuadorDay(at.now),
    policy: store.policy,
    recipient: buyer.recipient,
    reference: documentReference(identity),
  };
  const trace: Trace = { identity: buyer.trace, ...(netted.length > 0 ? { netted } : {}) };
  const mapped = mapLeft(order, refunds, context);
  if (!mapped.ok) return { ...mapped, buyerReason: null, charged, trace };
  const { recipient } = context;
  return { ok: true, mapped, recipient, netted, trace: { ...trace, mapping: mapped.trace } };
}

/** What the factura has to reach: what was paid and not given back, gift cards aside where the policy leaves them out. */
function invoiced(order: Order, refunds: readonly Refund[], { giftCardsSold }: Store['policy']): Amount {
  const exclude = giftCardsSold.as === 'exclude';
  const cards = order.lines.filter(({ kind }) => exclude && kind === 'gift-card');
  const outside = sum(cards.flatMap(({ net, tax }) => [net, tax]));
  const back = sum(
    refunds.map((refund) => (exclude ? moneyOn({ ties: [] }, order, refund).money : (refund.amount ?? '0'))),
  );
  return toAmount(decimal(order.total).minus(outside).minus(back));
}

/** The order's factura less its refunds; where all of it cannot be mapped, less first what came back whole. */
function mapLeft(order: Order, refunds: readonly Refund[], context: MappingContext): Mapped {
  const full = toFactura(order, context);
  if (full.ok) return lessRefunds(order, full, refunds, context);
  const rest = withoutReturned(order, refunds);
  if (rest === null) return full;
  const sold = toFactura(rest, context);
  return sold.ok ? lessRefunds(rest, sold, nettable(rest), context) : sold;
}

function lessRefunds(
  order: Order,
  full: Extract<Mapped, { ok: true }>,
  refunds: readonly Refund[],
  context: MappingContext,
): Mapped {
  try {
    return netOff(order, full, refunds, context) ?? { ok: false, ...nothingLeft, document: null };
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document };
  }
}
