import type { Recipient } from '../../mappers/context.ts';
import { type Mapped, toFactura } from '../../mappers/factura.ts';
import { Hold } from '../../mappers/hold.ts';
import { ecuadorDay } from '../core/calendar.ts';
import { type DocumentIdentity, documentReference } from '../core/document.ts';
import { type Amount, toAmount } from '../core/money.ts';
import type { Order } from '../core/order.ts';
import type { Store } from '../core/settings.ts';
import type { Trace } from './action.ts';
import { identifyBuyer } from './identity-gate.ts';
import { type Remaining, remainingOrder } from './refunds/remaining.ts';

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
 * Refunds, identity gate and mapper in one: the body this order would be sent with now, for what its refunds
 * leave of it. Used to plan (no number yet) and again at sending time, with the reserved number and that day's date.
 */
export function mapFactura(
  sold: Order,
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  identity: DocumentIdentity,
  at: { now: Date; secuencial: string | null },
): MappedSale {
  const remaining = takeOffRefunds(sold);
  if (!remaining.ok) return remaining;
  const { order, netted } = remaining;
  const charged = toAmount(order.total);
  const buyer = identifyBuyer(order, store.policy);
  if (!buyer.ok) return { ...buyer, charged, document: null, trace: { identity: buyer.trace } };
  const mapped = toFactura(order, {
    issuer: store.issuer,
    series: store.series,
    secuencial: at.secuencial,
    today: ecuadorDay(at.now),
    policy: store.policy,
    recipient: buyer.recipient,
    reference: documentReference(identity),
  });
  const trace: Trace = { identity: buyer.trace, ...(netted.length > 0 ? { netted } : {}) };
  if (!mapped.ok) return { ...mapped, buyerReason: null, charged, trace };
  return {
    ok: true,
    mapped,
    recipient: buyer.recipient,
    netted,
    trace: { ...trace, mapping: mapped.trace },
  };
}

function takeOffRefunds(sold: Order): ({ ok: true } & Remaining) | Extract<MappedSale, { ok: false }> {
  try {
    return { ok: true, ...remainingOrder(sold) };
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document, buyerReason: null, charged: toAmount(sold.total), trace: {} };
  }
}
