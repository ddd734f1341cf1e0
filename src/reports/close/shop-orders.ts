import { ecuadorDay } from '../../domain/clock.ts';
import { documentCodes, documentNumber } from '../../domain/document.ts';
import { decimal } from '../../domain/money.ts';
import type { Store } from '../../domain/settings.ts';
import type { Known } from '../../jobs/prepare.ts';
import { isDocumentOf, isOfThatOrder } from '../../planner/eligibility.ts';
import { readAccessKey } from '../../service/event.ts';
import type { AccountingDeps } from '../ask-service.ts';
import { keyOf } from '../chosen-stores.ts';
import { differenceOf, type Held, isOfOtherSale, kindName, nameOf } from './agree.ts';
import type { Difference } from './day-close.ts';
import { type ReadOrder, saleDay } from './read-sales.ts';

export async function shopOrders(
  deps: AccountingDeps,
  stores: readonly Store[],
  sales: readonly ReadOrder[],
  held: Iterable<Held>,
): Promise<Difference[]> {
  const all = [...held];
  return [
    ...all.flatMap(doubled),
    ...underTwoStores(sales),
    ...(await underOtherNames(deps, stores, sales)),
    ...all.flatMap(ofOtherSale),
    ...all.flatMap(notOnOrder),
    ...(await passedOver(deps, sales)),
  ];
}

function doubled({ document, sale }: Held): Difference[] {
  if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
  // In the order of creation; a reused id belongs to two sales.
  const isOfSale = isDocumentOf(sale.order);
  const first = sale.documents.find(
    (one) =>
      one.kind === document.kind &&
      one.sourceId === document.sourceId &&
      one.state === 'authorized' &&
      isOfSale(one) === isOfSale(document),
  );
  return !first || first.id === document.id ? [] : [twice(document, first, '')];
}

const twice = (second: Known, first: Parameters<typeof documentNumber>[0], of: string): Difference =>
  differenceOf(
    'authorized-twice',
    second,
    `${nameOf(second)} del pedido ${second.orderName} es un duplicado: ya estaba autorizada la ${documentNumber(first)}${of}. Anule una de las dos en el portal del SRI.`,
  );

const issuedOf = ({ documents }: ReadOrder): Known | undefined =>
  documents.find(
    ({ kind, state, annulledAt }) => kind === 'factura' && state === 'authorized' && !annulledAt,
  );

function underTwoStores(sales: readonly ReadOrder[]): Difference[] {
  const first = new Map<string, { store: Store; factura: Known }>();
  return sales.flatMap((sale) => {
    const factura = issuedOf(sale);
    if (!factura) return [];
    const { platform, id, name, placedAt, total, currency } = sale.order;
    const same = JSON.stringify([platform, id, name, Date.parse(placedAt), total, currency]);
    const before = first.get(same);
    if (!before) first.set(same, { store: sale.store, factura });
    return before
      ? [twice(factura, before.factura, ` por la tienda ${before.store.id}, que es la misma`)]
      : [];
  });
}

async function underOtherNames(
  { ledger }: AccountingDeps,
  stores: readonly Store[],
  sales: readonly ReadOrder[],
): Promise<Difference[]> {
  const found: Difference[] = [];
  const known = await ledger.stores.list();
  const others = known.filter(
    ({ platform, shop }) => !stores.some((store) => store.platform.name === platform && store.shop === shop),
  );
  for (const { platform, shop } of others)
    for (const sale of sales) {
      const factura = issuedOf(sale);
      if (!factura || sale.order.platform !== platform) continue;
      const theirs = await ledger.documents.ofOrder({ platform, shop, orderId: sale.order.id });
      const first = theirs.find(
        (one) =>
          one.kind === 'factura' &&
          one.state === 'authorized' &&
          one.annulledAt === null &&
          one.ambiente === factura.ambiente &&
          one.orderName === factura.orderName &&
          decimal(one.total ?? '0').equals(factura.total ?? '0'),
      );
      if (first) found.push(twice(factura, first, ` cuando la tienda era ${shop}`));
    }
  return found;
}

/** A restored or reinstalled shop reuses ids. Accepted where the sale has its own factura (jobs/retry.ts). */
function ofOtherSale({ document, sale }: Held): Difference[] {
  if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
  const isOfSale = isOfThatOrder(sale.order);
  const isAccepted = sale.documents.some(
    (one) => one.fingerprint && one.state === 'authorized' && isOfSale(one),
  );
  if (isAccepted || !isOfOtherSale(document, sale.order)) return [];
  const placed = ecuadorDay(new Date(sale.order.placedAt));
  return [
    differenceOf(
      'document-of-other-sale',
      document,
      `${nameOf(document)} es del ${document.issueDate} y el pedido ${sale.order.name} que hoy lleva ese número en la tienda se hizo el ${placed}: la tienda se restauró o se reinstaló y dio el número otra vez. El documento sigue siendo de la venta anterior. Si el pedido de hoy es otra venta, acéptelo con «facturapuente accept» y el id de su documento retenido, o factúrelo a mano.`,
    ),
  ];
}

/** The shop was restored, or a person removed the key. */
function notOnOrder({ document, sale }: Held): Difference[] {
  const { accessKey, state, writtenBack, kind } = document;
  if (sale === null || sale === 'gone' || state !== 'authorized' || writtenBack !== 'authorized') return [];
  if (accessKey === null || sale.order.accessKeys.includes(accessKey)) return [];
  if (!isOfThatOrder(sale.order)(document)) return [];
  // A duplicated order has the key of the original too.
  const others = sale.order.accessKeys.filter(
    (key) => readAccessKey(key).tipo_comprobante === documentCodes[kind],
  );
  const instead = others.length > 0 ? `lleva ${others.join(', ')}` : 'no lleva ninguna';
  return [
    differenceOf(
      'key-not-on-order',
      document,
      `La clave de ${kindName(kind).toLowerCase()} ${documentNumber(document)} se escribió en el pedido ${document.orderName}, que ahora ${instead}: la tienda se restauró de un respaldo o alguien la quitó. El documento sigue autorizado; no emita otro.`,
    ),
  ];
}

/** The clock was ahead at the first start. An `invoiceFrom` of the config is the merchant's decision. */
async function passedOver({ ledger }: AccountingDeps, sales: readonly ReadOrder[]): Promise<Difference[]> {
  const found: Difference[] = [];
  const begins = new Map<string, number>();
  for (const { store, order, sold } of sales) {
    const sale = sold.find(({ kind, code }) => kind === 'factura' && code === 'before-start');
    if (!sale || store.policy.invoiceFrom) continue;
    const begun = begins.get(store.shop) ?? Date.parse((await ledger.days.firstRecord(keyOf(store))) ?? '');
    begins.set(store.shop, begun);
    if (!(Date.parse(order.paidAt ?? order.placedAt) > begun)) continue;
    found.push({
      code: 'sale-passed-over',
      store: store.id,
      order: order.name,
      number: null,
      sentence: `El pedido ${order.name} cobró ${sale.amount} el ${saleDay(order)}, cuando este registro ya trabajaba para la tienda ${store.id}, y quedó sin factura por anterior al inicio: escriba en la configuración invoiceFrom: '${saleDay(order)}' y pídalo con «facturapuente sync --since ${saleDay(order)}».`,
    });
  }
  return found;
}
