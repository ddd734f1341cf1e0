import { type Amount, decimal, sum, toAmount } from '../../core/money.ts';
import type { Order } from '../../core/order.ts';
import { lineSource, type Refund } from '../../core/refund.ts';
import type { PlannedDocument, SentContent } from '../input.ts';

/** The factura whose fate is final and good. */
export interface Authorized extends PlannedDocument {
  sent: SentContent;
}

export function authorizedFactura(documents: readonly PlannedDocument[]): Authorized | undefined {
  return documents.find(
    (document): document is Authorized =>
      document.kind === 'factura' && document.state === 'authorized' && document.sent !== null,
  );
}

/** The nota de crédito of a refund that counts; cancelled ones keep their identity, but nothing more. */
export function creditOf(
  documents: readonly PlannedDocument[],
  refundId: string,
): PlannedDocument | undefined {
  return documents.find(
    ({ kind, sourceId, state }) => kind === 'nota-credito' && sourceId === refundId && state !== 'cancelled',
  );
}

/** The factura that left without what a refund gave back. */
export function nettedBy(documents: readonly PlannedDocument[], refundId: string): SentContent | undefined {
  return (
    documents.find(({ kind, sent }) => kind === 'factura' && sent?.nettedRefunds.includes(refundId))?.sent ??
    undefined
  );
}

/**
 * What of a refund's money concerns the factura: gift cards sold stand outside of it by policy, and giving one
 * back credits nothing. null where the source does not tell the amount.
 */
export function moneyOn(
  factura: Pick<SentContent, 'ties'>,
  order: Order,
  refund: Refund,
): { money: Amount; refund: Refund } {
  const cards = new Set(
    order.lines
      .filter(({ kind }) => kind === 'gift-card')
      .map(({ id }) => lineSource(id))
      .filter((source) => !factura.ties.some((tie) => tie.source === source)),
  );
  const outside = (refund.parts ?? []).filter(({ of }) => of !== null && cards.has(of));
  const parts = refund.parts === null ? null : refund.parts.filter((part) => !outside.includes(part));
  const off = sum(outside.flatMap(({ net, tax }) => [net, tax]));
  const money = decimal(refund.amount ?? '0').minus(off);
  return { money: toAmount(money.isNegative() ? '0' : money), refund: { ...refund, parts } };
}
