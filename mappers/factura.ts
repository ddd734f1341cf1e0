import type { Day } from '../src/domain/clock.ts';
import {
  type Amount,
  Decimal,
  decimal,
  roundCents,
  roundsToZero,
  sum,
  toAmount,
} from '../src/domain/money.ts';
import {
  hasCents,
  type LeftOut,
  type LineReference,
  type Order,
  type Payment,
  sourceOf,
} from '../src/domain/order.ts';
import {
  attributeOf,
  type FacturaBody,
  type ItemBody,
  type TotalBody,
  toAdditionalInfo,
  toComprador,
  toEmisor,
  totalRow,
} from './body.ts';
import {
  computedOf,
  type ItemCalculation,
  type MappingCalculation,
  type TaxCalculation,
  toCalculation,
  toIrbpnrCalculation,
  toPaymentCalculation,
  toTaxCalculation,
} from './calculation.ts';
import { balanceOf, type Issued } from './credit/balance.ts';
import { toEntries } from './entries.ts';
import { type FacturaContext, mapOrHold, reasonOf, type Unmapped } from './hold.ts';
import { toItem, toPriced } from './items.ts';
import { restOf } from './nota-credito.ts';
import { bySize, type Tender, toPagos, toTenders } from './payments.ts';
import { bankingLimits, identificationTable, isInForce, tipLimit } from './tables/limits.ts';
import { cashForm } from './tables/payment-forms.ts';
import { irbpnrRate } from './tables/taxes.ts';
import { type Entry, ivaRate, kindByName, writtenKind } from './tax.ts';
import { netOf } from './tax-computation.ts';
import type { Destination } from './tax-rules.ts';
import { assertTotals, type Group, type IceGroup, toGroups } from './totals.ts';

export interface MappedFactura {
  ok: true;
  body: FacturaBody;
  /** What the document had to reach: the charged total less what policy keeps outside of it. */
  charged: Amount;
  /** The total of the body; equal to `charged`. */
  total: Amount;
  /** USD by which a stated IVA differs from base × rate, by IVA code; only those that are not zero. */
  statedTax: Record<string, Amount>;
  /** The line or charge of the order behind each item, for notas de crédito. */
  lineReferences: LineReference[];
  /** The gift cards that policy keeps outside of the document. */
  leftOut: LeftOut[];
  trace: MappingCalculation;
}

/**
 * Maps a paid order to the service's factura body (spec, "Factura (code 01) emission request"). Pure; never throws on
 * a well-formed Order. A document that does not add up to `order.total` is a reason to hold the order.
 */
export function toFactura(order: Order, context: FacturaContext): MappedFactura | Unmapped {
  const mapped = mapOrHold(() => mapOrder(order, context));
  if (mapped.ok || hasCents(order.total) || !ofRounding.includes(mapped.code)) return mapped;
  const said = [
    'total-mismatch',
    { why: 'without-cents', total: `${order.total} ${order.currency}` },
  ] as const;
  return { ...mapped, code: said[0], reason: reasonOf(...said) };
}

const ofRounding = ['tax-contradiction', 'total-mismatch', 'negative-amount', 'ice'];

function mapOrder(order: Order, context: FacturaContext): MappedFactura {
  const { entries, destination, outside } = toEntries(order, context);
  const charged = toAmount(decimal(order.total).minus(sum(outside.map(({ amount }) => amount))));
  const groups = toGroups(entries, charged, order.platform);
  const { items, ice } = toPriced(groups, entries);
  const tenders = toTenders(order, charged, context);
  const body = assertTotals(
    {
      emisor: toEmisor(context),
      ambiente: context.issuer.ambiente,
      tipo_emision: 1,
      comprador: toComprador(order.buyer, context),
      items: items.map((item) => toItem(item, context)),
      totales: toTotales(groups, ice, entries),
      pagos: toPagos(tenders),
      informacion_adicional: toAdditionalInfo(order, context),
      ...transport(order, context),
    },
    charged,
  );
  const stated = groups.filter(({ difference }) => !difference.isZero());
  return {
    ok: true,
    body,
    charged,
    total: charged,
    statedTax: Object.fromEntries(stated.map(({ code, difference }) => [code, toAmount(difference)])),
    lineReferences: lineReferencesOf(items.map(({ entry }) => entry)),
    leftOut: outside.map(({ source, discount }) => ({ source, discount })),
    trace: toCalculation({
      charged,
      outside: outside.map(({ name, amount }) => ({ name, amount })),
      destination,
      entries,
      groups,
      ice,
      tenders,
      items,
      body,
      notes: notesOf(order),
      warnings: warningsOf({ payments: order.payments, entries, destination, tenders, charged }, context),
    }),
  };
}

function transport(order: Order, { policy }: FacturaContext): Pick<FacturaBody, 'guiaremision' | 'placa'> {
  if (order.attributes.length === 0) return {};
  const guide = attributeOf(order, policy.waybillFrom, (value) => /^\d{3}-?\d{3}-?\d{9}$/.test(value));
  const plate = attributeOf(order, policy.plateFrom, (value) => /^[\p{L}\d -]{3,20}$/u.test(value));
  const digits = guide?.replaceAll('-', '');
  return {
    ...(digits ? { guiaremision: `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}` } : {}),
    ...(plate ? { placa: plate } : {}),
  };
}

function notesOf({ presentment, currency, cashRounding = '0.00', total }: Order): string[] {
  const took = toAmount(decimal(total).plus(cashRounding));
  return [
    ...(presentment
      ? [`el comprador vio ${presentment.currency} ${presentment.total}; se factura en ${currency}`]
      : []),
    ...(decimal(cashRounding).isZero()
      ? []
      : [
          `la caja redondeó el efectivo y cobró ${took}; la factura y sus pagos son por lo vendido, ${toAmount(total)}`,
        ]),
  ];
}

/** The service's own computation is not documented (spec, tax total block; ADR 22), so the totals are always stated. */
function toTotales(
  groups: readonly Group[],
  ice: readonly IceGroup[],
  entries: readonly Entry[],
): TotalBody[] {
  const units = sum(entries.map(({ irbpnr, quantity }) => (irbpnr && !irbpnr.isZero() ? quantity : '0')));
  return [
    ...groups.map(({ code, base, valor }) => totalRow('2', code, ivaRate(code), base, valor)),
    ...iceRows(ice),
    ...(units.isZero() ? [] : [totalRow('5', 5001, irbpnrRate, units, units.times(irbpnrRate))]),
  ];
}

function iceRows(ice: readonly IceGroup[]): TotalBody[] {
  return [...new Set(ice.map(({ codigo }) => codigo))].sort().map((codigo) => {
    const same = ice.filter((group) => group.codigo === codigo);
    const [base, valor] = [sum(same.map((group) => group.base)), sum(same.map((group) => group.valor))];
    return totalRow('3', codigo, same[0]?.tarifa ?? '0', base, valor);
  });
}

interface Warned {
  payments: readonly Payment[];
  entries: readonly Entry[];
  destination: Destination;
  tenders: readonly Tender[];
  charged: Amount;
}

function warningsOf(warned: Warned, context: FacturaContext): string[] {
  const { payments, entries, destination, tenders, charged } = warned;
  return [
    ...unreadAmounts(payments, tenders),
    ...inCash(tenders, charged, context.today),
    ...largeTip(entries),
    ...perhapsCards(entries),
    ...toNobodyAbroad(destination, context),
  ];
}

function unreadAmounts(payments: readonly Payment[], tenders: readonly Tender[]): string[] {
  const counted = new Set(tenders.map(({ gateway }) => gateway));
  const unread = payments.filter(({ gateway, amount }) => amount === null && !counted.has(gateway));
  if (unread.length === 0 || counted.has('')) return [];
  const names = (some: readonly Payment[]) =>
    some.map(({ gateway, title }) => `«${title ?? gateway}»`).join(' y ');
  const paid = payments.filter(({ gateway }) => counted.has(gateway));
  return [
    `La tienda no dice cuánto del pedido se pagó con ${names(unread)}: la factura declara todo como pagado con ${names(paid)}. Compruébelo antes de declarar la forma de pago.`,
  ];
}

/** Above this limit the buyer may not deduct a purchase in cash (bancarización). */
function inCash(tenders: readonly Tender[], total: Amount, today: Day): string[] {
  const limit = bankingLimits.find((row) => isInForce(row, today))?.limit;
  const cash = tenders.filter(({ rule }) => rule.tipo === cashForm);
  if (limit === undefined || cash.length === 0 || decimal(total).lt(limit)) return [];
  const paid = toAmount(sum(cash.map(({ amount }) => amount)));
  return [
    `De los ${toAmount(total)} se declaran ${paid} sin utilización del sistema financiero (forma de pago 01). En operaciones de USD ${limit} o más el comprador necesita haber pagado por el sistema financiero para deducir la compra (LRTI, art. 103): confirme que se pagó en efectivo o corrija el medio de pago en policy.payments.`,
  ];
}

/** A tip is a line here, which has no limit; the field for it in the SRI's format has one. */
function largeTip(entries: readonly Entry[]): string[] {
  const tips = entries.filter(({ item }) => item.kind === 'tip');
  const tip = sum(tips.map(({ net }) => net));
  const rest = sum(entries.filter((entry) => !tips.includes(entry)).map(({ net }) => net));
  if (tip.lte(rest.times(tipLimit.percent).div(100))) return [];
  return [
    `La propina de ${toAmount(tip)} supera el ${tipLimit.percent} % de lo vendido sin impuestos (${toAmount(rest)}), hasta el que el SRI la admite como propina (ficha técnica SRI, tabla 21). Aquí va como una línea de la factura: confirme con su contador que lo que la excede se factura así.`,
  ];
}

/** A name does not prove a gift card: its sale is invoiced, and once more when it is spent. */
function perhapsCards(entries: readonly Entry[]): string[] {
  return entries
    .filter(({ item, net }) => net.gt(0) && kindByName(item) === 'gift-card')
    .map(
      ({ item }) =>
        `«${item.name}» se factura como un producto. Si es una tarjeta de regalo, es un anticipo, y lo que se compre con ella se factura otra vez: ${roundsToZero(item.tax) ? '' : 'quite el impuesto de ese producto en la tienda y '}escriba en policy.tax.rules ${writtenKind(item, 'gift-card')}.`,
    );
}

/** A factura to consumidor final can be neither annulled nor credited, and names no client abroad. */
function toNobodyAbroad({ abroad, why }: Destination, { recipient }: FacturaContext): string[] {
  if (!abroad || recipient.type !== identificationTable['consumidor-final'].code) return [];
  return [
    `La venta es fuera del Ecuador (${why}) y la factura sale a consumidor final: no nombra al cliente del exterior, y no se puede anular ni acreditar. Si es una exportación, consulte a su contador; con policy.finalConsumer.allowed: false toda venta sin identificación espera a que el comprador la dé.`,
  ];
}

/** Two rows with one id (a broken shop) stay two. */
function lineReferencesOf(entries: readonly Pick<Entry, 'item' | 'quantity'>[]): LineReference[] {
  const seen = new Map<string, number>();
  return entries.map(({ item, quantity }) => {
    const source = sourceOf(item);
    const before = seen.get(source) ?? 0;
    seen.set(source, before + 1);
    return { source: before === 0 ? source : `${source}#${before + 1}`, units: quantity.toFixed() };
  });
}

/** The same result whichever of factura and refund came first. Pure. @throws Hold. */
export function toReducedFactura(
  full: MappedFactura,
  credits: readonly Issued[],
  order: Order,
  context: FacturaContext,
): MappedFactura {
  const balance = balanceOf({ ...full.body, lineReferences: full.lineReferences }, credits);
  const total = toAmount(balance.total);
  const { items: said, totales, lineReferences, credit } = restOf(balance);
  const items = said.map(
    (item): ItemBody => ({ ...item, precio_total_sin_impuesto: netOf(item).toNumber() }),
  );
  const paid = { ...order, payments: paidLess(order.payments, decimal(full.charged).minus(total)) };
  const tenders = toTenders(paid, total, context);
  const body = assertTotals({ ...full.body, items, totales, pagos: toPagos(tenders) }, total);
  const taxes = totales.map(taxOf);
  const stated = taxes.filter(({ tax, difference }) => tax === 'IVA' && !decimal(difference).isZero());
  const { money } = full.trace;
  const lines = decimal(money.lines).minus(decimal(full.charged).minus(total));
  return {
    ok: true,
    body,
    charged: total,
    total,
    statedTax: Object.fromEntries(stated.map(({ code, difference }) => [code, difference])),
    lineReferences,
    leftOut: full.leftOut,
    trace: {
      ...full.trace,
      money: {
        ...money,
        charged: total,
        document: total,
        computed: computedOf(body, total),
        lines: lines.toFixed(Math.max(2, lines.decimalPlaces())),
      },
      items: credit.items.flatMap(({ left }, at) =>
        toItemCalculation(full.trace.items[balance.items.indexOf(left)], items[at]),
      ),
      taxes,
      payments: tenders.map(toPaymentCalculation),
    },
  };
}

function toItemCalculation(full: ItemCalculation | undefined, item: ItemBody | undefined): ItemCalculation[] {
  if (!full || !item) return [];
  const { cantidad, precio_unitario, descuento, precio_total_sin_impuesto } = item;
  const base = toAmount(decimal(precio_total_sin_impuesto));
  return [{ ...full, document: { cantidad, precio_unitario, descuento, base } }];
}

function taxOf(row: TotalBody): TaxCalculation {
  if (row.codigo === '5') return toIrbpnrCalculation(row);
  const [base, valor, tarifa] = [decimal(row.base_imponible), decimal(row.valor), decimal(row.tarifa)];
  const difference = valor.minus(roundCents(base.times(tarifa).div(100)));
  return toTaxCalculation(
    row.codigo === '2' ? 'IVA' : 'ICE',
    Number(row.codigo_porcentaje),
    tarifa.toFixed(),
    { base, valor, difference },
    'lo que queda de lo vendido después de los reembolsos, centavo por centavo',
  );
}

function paidLess(payments: readonly Payment[], back: Decimal): Payment[] {
  let owed = back;
  const less = new Map<Payment, Payment>();
  for (const payment of payments.toSorted(bySize)) {
    const amount = decimal(payment.amount ?? '0');
    const taken = Decimal.min(amount, owed);
    owed = owed.minus(taken);
    less.set(payment, { ...payment, amount: payment.amount && toAmount(amount.minus(taken)) });
  }
  return payments.map((payment) => less.get(payment) ?? payment);
}
