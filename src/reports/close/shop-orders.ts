import { ecuadorDay } from '../../domain/calendar.ts';
import { documentCodes, documentNumber } from '../../domain/document.ts';
import { decimal } from '../../domain/money.ts';
import type { Store } from '../../domain/settings.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import type { Known } from '../../jobs/planned-documents.ts';
import { isDocumentOf, isOfThatOrder } from '../../planner/bound.ts';
import { readAccessKey } from '../../service/access-key.ts';
import type { AccountingDeps } from '../deps.ts';
import { keyOf } from '../shop-names.ts';
import { differenceOf, type Held, kindName } from './agree.ts';
import type { Difference } from './day-close.ts';
import type { ReadOrder } from './read-sales.ts';
import { saleDay } from './shop-day.ts';

/*
 * The shop's own list of orders, order by order: that no sale has two documents under whatever name the ledger knows the
 * shop, that a document is of the sale that bears its order's id today, that its key stands on the order, and that no
 * sale of our time was taken for history. None of it asks how the ledger came to believe what it does.
 */

interface SoldBy {
  stores: readonly Store[];
  sales: readonly ReadOrder[];
  held: Iterable<Held>;
}

export async function shopOrders(
  deps: AccountingDeps,
  { stores, sales, held }: SoldBy,
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

/** An authorised document whose sale or refund had one already: together they declare the money twice. */
function doubled({ document, sale }: Held): Difference[] {
  if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
  // They are in the order in which they were made; an id that was given again is of two sales.
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
    `${kindName(second.kind)} ${documentNumber(second)} del pedido ${second.orderName} es la segunda de lo mismo: ya estaba autorizada la ${documentNumber(first)}${of}. Anule una de las dos en el portal del SRI.`,
  );

const issuedOf = ({ documents }: ReadOrder): Known | undefined =>
  documents.find(
    ({ kind, state, annulledAt }) => kind === 'factura' && state === 'authorized' && !annulledAt,
  );

/** Two stores of the config that list the same sale are one shop. */
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

/** The same sale invoiced while the ledger knew its shop by an address that no store of the config has any more. */
async function underOtherNames(
  { ledger }: AccountingDeps,
  stores: readonly Store[],
  sales: readonly ReadOrder[],
): Promise<Difference[]> {
  const found: Difference[] = [];
  const known = await ledger.stores.list();
  const others = known.filter(
    ({ platform, shop }) =>
      !isShadowShop(shop) && !stores.some((store) => store.platform.name === platform && store.shop === shop),
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

/**
 * A restored or reinstalled shop gave the id to another sale, by what the ledger kept of it or because nobody invoices a
 * sale before it was placed. Where that sale has its own factura somebody looked at both (jobs/accept.ts).
 */
function ofOtherSale({ document, sale }: Held): Difference[] {
  if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
  const placed = ecuadorDay(new Date(sale.order.placedAt));
  const isOfSale = isOfThatOrder(sale.order);
  const isOther = document.fingerprint ? !isOfSale(document) : (document.issueDate ?? placed) < placed;
  const isLooked = sale.documents.some(
    (one) => one.fingerprint && one.state === 'authorized' && isOfSale(one),
  );
  if (!isOther || isLooked) return [];
  return [
    differenceOf(
      'document-of-other-sale',
      document,
      `${kindName(document.kind)} ${documentNumber(document)} es del ${document.issueDate} y el pedido ${sale.order.name} que hoy lleva ese número en la tienda se hizo el ${placed}: la tienda se restauró o se reinstaló y dio el número otra vez. Vea cuál de las dos ventas está facturada y emita a mano la otra.`,
    ),
  ];
}

/** What was written onto an order stands there until a backup of the shop, or somebody, takes it away. */
function notOnOrder({ document, sale }: Held): Difference[] {
  const { accessKey, state, writtenBack, kind } = document;
  if (sale === null || sale === 'gone' || state !== 'authorized' || writtenBack !== 'authorized') return [];
  if (accessKey === null || sale.order.accessKeys.includes(accessKey)) return [];
  if (!isOfThatOrder(sale.order)(document)) return [];
  // A duplicate carries the key it was copied with; its own factura stands beside.
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

/**
 * A sale that counts as history although the ledger worked for its shop when it was paid: the first start was taken from
 * a clock that was ahead. An `invoiceFrom` of the config is the merchant's own word.
 */
async function passedOver({ ledger }: AccountingDeps, sales: readonly ReadOrder[]): Promise<Difference[]> {
  const found: Difference[] = [];
  const begins = new Map<string, number>();
  for (const { store, order, sold } of sales) {
    const sale = sold.find(({ kind, code }) => kind === 'factura' && code === 'before-start');
    if (!sale || store.policy.invoiceFrom) continue;
    const begun = begins.get(store.shop) ?? Date.parse((await ledger.days.firstTrace(keyOf(store))) ?? '');
    begins.set(store.shop, begun);
    if (!(Date.parse(order.paidAt ?? order.placedAt) > begun)) continue;
    found.push({
      code: 'sale-passed-over',
      store: store.id,
      order: order.name,
      number: null,
      sentence: `El pedido ${order.name} cobró ${sale.amount} el ${saleDay(order)}, cuando este registro ya trabajaba para la tienda ${store.id}, y quedó sin factura por anterior al inicio: escriba en la configuración invoiceFrom: '${saleDay(order)}' y pídalo con «facturapuente sweep --since ${saleDay(order)}».`,
    });
  }
  return found;
}
