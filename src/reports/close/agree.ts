import { ecuadorDay } from '../../domain/clock.ts';
import { documentNumber } from '../../domain/document.ts';
import { type Amount, decimal, isWithinCents, roundCents, sum, toAmount } from '../../domain/money.ts';
import { creditRounding, isCreditRounding } from '../../domain/money-policy.ts';
import type { Order } from '../../domain/order.ts';
import type { Known } from '../../jobs/prepare.ts';
import { stateWords } from '../../jobs/timeline-words.ts';
import type { Action, PlannedDocument, SentContent } from '../../planner/action.ts';
import { isOfThatOrder } from '../../planner/eligibility.ts';
import { isPaidStill } from '../../planner/order-money.ts';
import { moneyOn, withOverpaidReturned, worthOutside } from '../../planner/refund-money.ts';
import { inOrder, withRecordsCombined } from '../../planner/refund-records.ts';
import { soldTwice, takenOver } from '../../planner/split-orders.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import type { Found } from '../ask-service.ts';
import { authorizedTaxes, sentTaxes, type TaxRow, taxName } from '../tax-rows.ts';
import type { Difference, DifferenceCode, Explained } from './day-close.ts';
import type { ReadOrder } from './read-sales.ts';

export interface Held {
  document: Known;
  /** Null where the shop was not asked or did not answer. */
  sale: ReadOrder | 'gone' | null;
  found: Found | null;
  annulled: boolean;
}

export const kindName = (kind: Known['kind']): string =>
  kind === 'factura' ? 'La factura' : 'La nota de crédito';

export const nameOf = (document: Known): string => `${kindName(document.kind)} ${documentNumber(document)}`;

export function differenceOf(
  code: DifferenceCode,
  {
    storeId,
    orderName,
    ...rest
  }: Pick<Known, 'storeId' | 'orderName' | 'establecimiento' | 'puntoEmision' | 'secuencial'>,
  sentence: string,
): Difference {
  return { code, sentence, store: storeId, order: orderName, number: documentNumber(rest) };
}

/** As sent; empty without an attempt (a key given by hand without a check). */
export const ourTaxes = ({ document: { sent } }: Pick<Held, 'document'>): TaxRow[] =>
  sent ? sentTaxes(sent) : [];

/** By the kept fingerprint, or because the sale is younger than the document. */
export function isOfOtherSale(document: Known, order: Order): boolean {
  const placed = ecuadorDay(new Date(order.placedAt));
  return document.fingerprint ? !isOfThatOrder(order)(document) : (document.issueDate ?? placed) < placed;
}

/** By the shop's data; null where unknown. */
export function shopTotal({ document, sale }: Held): Amount | null {
  if (sale === null || sale === 'gone' || isOfOtherSale(document, sale.order)) return null;
  const { order, documents } = sale;
  if (document.kind === 'factura') return document.sent && expectedFactura(order, document.sent);
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
  return expectedCredit(order, document.sourceId, factura);
}

export function disagreements(held: Held): Difference[] {
  if (held.annulled) return annulment(held);
  return [...withService(held), ...(held.document.state === 'authorized' ? withShop(held) : [])];
}

export function soldInTwoOrders({ order, documents, relatives }: ReadOrder): Difference[] {
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
  const other = soldTwice(order, documents, relatives);
  if (!factura || !other) return [];
  return [
    differenceOf(
      'authorized-twice',
      factura,
      `${nameOf(factura)} es del pedido ${order.name}, que salió del pedido ${other.name}, y ese tiene su factura por las mismas líneas: si es una sola venta, anule una de las dos en el portal del SRI o acredítela a mano, y decida en policy.subOrders cuál se factura.`,
    ),
  ];
}

/** No difference where the sale is undone too. */
function annulment({ document, sale }: Held): Difference[] {
  if (sale === null || sale === 'gone' || isUndone(sale.order) || isOfOtherSale(document, sale.order))
    return [];
  return [
    differenceOf(
      'document-annulled',
      document,
      `${nameOf(document)} figura ANULADA en el portal del SRI y el pedido ${document.orderName} sigue vendido en la tienda: si la venta quedó sin efecto, regístrelo en la tienda; si sigue en pie, emita a mano otro documento.`,
    ),
  ];
}

const isUndone = (order: Order): boolean =>
  order.settlement === 'cancelled' ||
  order.settlement === 'refunded' ||
  !isPaidStill(order) ||
  sum(order.refunds.map(({ amount }) => amount ?? '0')).gte(order.total);

function withService(held: Held): Difference[] {
  const { document, found } = held;
  const name = nameOf(document);
  const of = (code: DifferenceCode, sentence: string) => [differenceOf(code, document, sentence)];
  if (found === null || found.kind === 'unanswered') return [];
  if (document.state === 'authorized') {
    if (found.kind === 'authorized') return amounts(held, found.facts);
    const state =
      found.kind === 'nothing'
        ? 'el servicio no la tiene'
        : `en el servicio está ${found.state === 'error' ? 'con error' : 'en proceso'}`;
    return of(
      'state-differs',
      `${name} figura autorizada en el registro y ${state}: compruebe su clave de acceso en el portal del SRI.`,
    );
  }
  const settled =
    document.state === 'rejected' || document.state === 'manual' || document.state === 'cancelled';
  if (settled && found.kind === 'authorized')
    return of(
      'state-differs',
      `${name} está autorizada en el servicio por ${toAmount(found.facts.importeTotal)} y el registro la tiene como «${stateWords[document.state].toLowerCase()}»: tómela con «facturapuente adopt».`,
    );
  return [];
}

function amounts({ document }: Held, facts: AuthorizedXml): Difference[] {
  const wrong: string[] = [];
  let isMore = false;
  /** @param cents how far the service's own rounding may separate them. */
  const compare = (what: string, ours: string | null, theirs: string | null, cents = 0) => {
    if (ours === theirs) return;
    wrong.push(`${what}: ${ours ?? 'nada'} en el registro, ${theirs ?? 'nada'} en el servicio`);
    isMore ||= cents === 0 || ours === null || theirs === null || !isWithinCents(ours, theirs, cents);
  };
  compare('número', documentNumber(document), facts.numero);
  compare('RUC', document.ruc, facts.ruc);
  compare('fecha', document.issueDate, facts.fechaEmision);
  const taxes = Math.max(facts.totalImpuestos.length, 1);
  compare('total', document.total && toAmount(document.total), toAmount(facts.importeTotal), taxes);
  if (document.sent) {
    if (!decimal(document.sent.total).equals(document.total ?? '0')) {
      isMore = true;
      wrong.push(
        `total: ${document.total} en el registro y ${toAmount(document.sent.total)} en lo que se envió`,
      );
    }
    const sent = rows(ourTaxes({ document }));
    const read = rows(authorizedTaxes(facts.totalImpuestos));
    for (const code of new Set([...sent.keys(), ...read.keys()])) {
      compare(`base del impuesto ${code}`, sent.get(code)?.base ?? null, read.get(code)?.base ?? null);
      compare(`valor del impuesto ${code}`, sent.get(code)?.valor ?? null, read.get(code)?.valor ?? null, 1);
    }
  }
  if (wrong.length === 0) return [];
  const [code, message] = isMore
    ? (['document-differs', 'no es lo mismo en el registro y en el servicio'] as const)
    : (['rounding-difference', 'la redondeó el servicio a su manera; vale lo autorizado'] as const);
  return [differenceOf(code, document, `${nameOf(document)} ${message} (${wrong.join('; ')}).`)];
}

const rows = (taxes: readonly TaxRow[]) => new Map(taxes.map((row) => [taxName(row), row]));

function withShop(held: Held): Difference[] {
  const { document, sale } = held;
  const name = nameOf(document);
  const of = (code: DifferenceCode, sentence: string) => [differenceOf(code, document, sentence)];
  if (sale === null) return [];
  if (sale === 'gone')
    return of(
      'document-without-sale',
      `${name} es del pedido ${document.orderName}, que la tienda ya no tiene: recupérelo de la papelera, o emita la nota de crédito si la venta no existió.`,
    );
  if (isOfOtherSale(document, sale.order)) return [];
  const undone = sale.actions.find(isUndoing(document));
  if (undone)
    return of(undoing[undone.code] as DifferenceCode, `Pedido ${document.orderName}: ${undone.reason}`);
  const expected = shopTotal(held);
  if (document.kind === 'nota-credito' && expected === null)
    return of(
      'document-without-sale',
      `${name} es del reembolso ${document.sourceId} del pedido ${document.orderName}, que la tienda ya no tiene o cuyo monto no indica: revise si el dinero se devolvió.`,
    );
  if (expected === null)
    return of(
      'document-differs',
      `${name} se emitió sin el dinero de un reembolso que el pedido ${document.orderName} ya no tiene: revise si se devolvió.`,
    );
  if (document.total !== null && decimal(expected).equals(document.total)) return [];
  if (isRounded(held) || isTakenOver(held, sale, expected)) return [];
  return of(
    'document-differs',
    `${name} es por ${document.total ?? 'nada'} y la tienda dice ${expected} en el pedido ${document.orderName}: ${decimal(expected).gt(document.total ?? '0') ? 'emita a mano un documento por lo que falta' : 'revise qué cambió en el pedido después de emitirla'}.`,
  );
}

/** A person decides these: a document remains and its sale or refund does not. */
const undoing: Readonly<Record<string, DifferenceCode>> = {
  'cancelled-kept': 'document-without-sale',
  'unpaid-after-invoice': 'unpaid-after-invoice',
  'refund-missing': 'refund-missing',
  'refund-deleted': 'document-without-sale',
};

const isUndoing =
  ({ kind, sourceId }: Known) =>
  (one: Action): boolean =>
    one.action === 'manual' &&
    one.kind === kind &&
    one.identity.sourceId === sourceId &&
    Object.hasOwn(undoing, one.code);

function isTakenOver(
  { document }: Held,
  { order, documents, relatives }: ReadOrder,
  expected: Amount,
): boolean {
  if (document.kind !== 'factura' || !document.sent || document.total === null) return false;
  const moved = takenOver(order, documents, relatives, document.sent);
  return moved.gt(0) && moved.plus(expected).minus(document.total).abs().lte('0.02');
}

/** A cent off the shop's refund, as planned (ADR 22). */
function isRounded(held: Held): boolean {
  const { kind, state, charged, total } = held.document;
  const expected = shopTotal(held);
  if (kind !== 'nota-credito' || state !== 'authorized' || expected === null || total === null) return false;
  return isCreditRounding(charged, total) && decimal(expected).equals(charged);
}

export function roundedOnes(held: Iterable<Held>): Explained[] {
  return [...held].filter(isRounded).map(({ document: { kind, storeId, orderName, charged, total } }) => ({
    kind,
    store: storeId,
    order: orderName,
    fate: 'rounded',
    code: 'credit-rounding',
    reason: creditRounding(charged, total) ?? '',
  }));
}

export function expectedFactura(read: Order, sent: SentContent): Amount | null {
  const { nettedRefunds } = sent;
  const order = withRecordsCombined(withOverpaidReturned(read, sent), []);
  const { refunds } = order;
  const netted = refunds.filter(({ id }) => nettedRefunds.includes(id));
  if (netted.length < nettedRefunds.length || netted.some(({ amount }) => amount === null)) return null;
  const outside = roundCents(worthOutside(order, sent));
  const back = sum(netted.map((refund) => moneyOn(sent, order, refund).money));
  const received = decimal(order.total).plus(order.overpaid ?? '0');
  return toAmount(
    received
      .minus(sent.overpaid ?? '0')
      .minus(outside)
      .minus(back),
  );
}

export function expectedCredit(
  order: Order,
  refundId: string,
  factura: PlannedDocument | undefined,
): Amount | null {
  const combined = withRecordsCombined(withOverpaidReturned(order, factura?.sent ?? undefined), []);
  const refund = combined.refunds.find(({ id }) => id === refundId);
  if (refund?.amount == null) return null;
  if (!factura?.sent) return toAmount(refund.amount);
  const before = inOrder(combined.refunds).slice(0, inOrder(combined.refunds).indexOf(refund));
  const left = decimal(factura.sent.total).minus(sum(before.map(({ amount }) => amount ?? '0')));
  return moneyOn(factura.sent, combined, refund, left).money;
}
