import type { Recipient } from '../../mappers/context.ts';
import { type Mapped, toFactura } from '../../mappers/factura.ts';
import { ecuadorDay } from '../core/calendar.ts';
import { type DocumentIdentity, documentReference } from '../core/document.ts';
import type { Amount } from '../core/money.ts';
import type { Order } from '../core/order.ts';
import type { Store } from '../core/settings.ts';
import type { Trace } from './action.ts';
import { identifyBuyer } from './identity-gate.ts';

export type MappedSale =
  | { ok: true; mapped: Extract<Mapped, { ok: true }>; recipient: Recipient; trace: Trace }
  | {
      ok: false;
      code: string;
      reason: string;
      buyerReason: string | null;
      /** What the document would have added up to, where that is the matter. */
      document: Amount | null;
      trace: Trace;
    };

/**
 * Identity gate and mapper in one: the body this order would be sent with now. Used to plan (no number yet) and
 * again at sending time, with the reserved number and that day's date.
 */
export function mapFactura(
  order: Order,
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  identity: DocumentIdentity,
  at: { now: Date; secuencial: string | null },
): MappedSale {
  const buyer = identifyBuyer(order, store.policy);
  if (!buyer.ok) return { ...buyer, document: null, trace: { identity: buyer.trace } };
  const mapped = toFactura(order, {
    issuer: store.issuer,
    series: store.series,
    secuencial: at.secuencial,
    today: ecuadorDay(at.now),
    policy: store.policy,
    recipient: buyer.recipient,
    reference: documentReference(identity),
  });
  const identityTrace = { identity: buyer.trace };
  if (!mapped.ok) return { ...mapped, buyerReason: null, trace: identityTrace };
  const trace = { ...identityTrace, mapping: mapped.trace };
  return { ok: true, mapped, recipient: buyer.recipient, trace };
}
