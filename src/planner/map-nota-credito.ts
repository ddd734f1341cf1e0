import { balanceOf } from '../../mappers/credit/balance.ts';
import { Hold } from '../../mappers/hold.ts';
import { type MappedCredit, type Original, toNotaCredito } from '../../mappers/nota-credito.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import { type DocumentIdentity, documentReference } from '../domain/document.ts';
import type { Order } from '../domain/order.ts';
import type { Refund } from '../domain/refund.ts';
import type { Store } from '../domain/settings.ts';
import type { SentContent } from './input.ts';
import { moneyOn } from './refunds/covered.ts';
import { demandClear } from './refunds/detail.ts';
import type { Counted } from './refunds/within-rate.ts';

/**
 * The nota de crédito one refund asks for now, beside those that already count. Used to plan (no number yet) and
 * again at sending time. The refund's money must not exceed what is left of the factura.
 */
export function mapNotaCredito(
  order: Order,
  given: Refund,
  factura: SentContent,
  credits: readonly Counted[],
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  identity: DocumentIdentity,
  at: { now: Date; secuencial: string | null },
): MappedCredit {
  const balance = balanceOf(factura, credits);
  const on = moneyOn(factura, order, given, balance.total.minus(balance.owed));
  const { number, issueDate: date, accessKey, comprador } = factura;
  const original: Original = { number, date, accessKey, comprador, balance };
  try {
    demandClear(order, given, on, factura, { credits, balance }, store.policy);
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document };
  }
  return toNotaCredito(order, on.refund, on.money, original, {
    issuer: store.issuer,
    series: store.series,
    secuencial: at.secuencial,
    today: ecuadorDay(at.now),
    policy: store.policy,
    reference: documentReference(identity),
  });
}
