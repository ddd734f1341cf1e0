import type { Day } from '../src/domain/calendar.ts';
import { type Amount, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { Order, Payment } from '../src/domain/order.ts';
import type { Tie } from '../src/domain/refund.ts';
import { attributeOf, toAdditionalInfo } from './additional-info.ts';
import type { FacturaBody, TotalBody } from './body.ts';
import { toComprador } from './buyer.ts';
import type { MappingContext } from './context.ts';
import { tiesOf } from './credit/ties.ts';
import type { Destination } from './destination.ts';
import { type Entry, toEntries } from './entries.ts';
import { Hold } from './hold.ts';
import type { IceGroup } from './ice.ts';
import { toEmisor } from './issuer.ts';
import { toItem, toPriced } from './items.ts';
import { type Tender, toPagos, toTenders } from './payments.ts';
import { prove } from './prove.ts';
import { isInForce } from './tables/dated.ts';
import { irbpnrRate } from './tables/excise.ts';
import { identificationTable } from './tables/identification.ts';
import { bankingLimits, tipLimit } from './tables/limits.ts';
import { cashForm } from './tables/payment-forms.ts';
import { ivaRate } from './tax.ts';
import { type Group, toGroups } from './totals.ts';
import { type MappingTrace, toTrace } from './trace.ts';

export type Mapped =
  | {
      ok: true;
      body: FacturaBody;
      /** What the document had to reach: the charged total less what policy keeps outside of it. */
      charged: Amount;
      /** What the body adds up to; equal to `charged`. */
      total: Amount;
      /** Cents by which a group's stated IVA differs from base × rate, by IVA code; only what is not zero. */
      statedTax: Record<string, Amount>;
      /** The line or charge of the order behind each item, for notas de crédito. */
      ties: Tie[];
      trace: MappingTrace;
    }
  /** `document`: what the document would have added up to, where that is the matter. */
  | { ok: false; code: string; reason: string; document: Amount | null };

/**
 * A paid order → the service's factura body (spec, "Factura (code 01) emission request"). Pure. Never throws on
 * a well-formed Order: what cannot be proven to add up to `order.total` comes back as a reason to hold.
 */
export function toFactura(order: Order, context: MappingContext): Mapped {
  try {
    return mapOrder(order, context);
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document };
  }
}

function mapOrder(order: Order, context: MappingContext): Extract<Mapped, { ok: true }> {
  const { entries, destination, outside } = toEntries(order, context);
  const charged = toAmount(decimal(order.total).minus(sum(outside.map(({ amount }) => amount))));
  const groups = toGroups(entries, charged, order.platform);
  const { items, ice } = toPriced(groups, entries);
  const tenders = toTenders(order, charged, context);
  const body = prove(
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
    ties: tiesOf(items.map(({ entry }) => entry)),
    trace: toTrace({
      charged,
      outside,
      destination,
      document: charged,
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

/** Guía de remisión and plate, where the order carries them in the form the document takes. */
function transport(order: Order, { policy }: MappingContext): Pick<FacturaBody, 'guiaremision' | 'placa'> {
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

/**
 * The `totales` block, always stated: the service's own computation is not shown (spec, tax total block; ADR 3).
 * IVA rows first, then ICE (`codigo` 3) and IRBPNR (`codigo` 5, its base in units; docs/assumptions.md A20).
 */
function toTotales(
  groups: readonly Group[],
  ice: readonly IceGroup[],
  entries: readonly Entry[],
): TotalBody[] {
  const bottles = entries.filter(({ irbpnr }) => irbpnr !== null && !irbpnr.isZero());
  const units = sum(bottles.map(({ quantity }) => quantity));
  return [
    ...groups.map(({ code, base, valor }) => ({
      codigo: '2' as const,
      codigo_porcentaje: String(code),
      base_imponible: base.toNumber(),
      tarifa: Number(ivaRate(code)),
      valor: valor.toNumber(),
    })),
    ...iceRows(ice),
    ...(bottles.length === 0
      ? []
      : [
          {
            codigo: '5' as const,
            codigo_porcentaje: '5001',
            base_imponible: units.toNumber(),
            tarifa: Number(irbpnrRate),
            valor: units.times(irbpnrRate).toNumber(),
          },
        ]),
  ];
}

function iceRows(ice: readonly IceGroup[]): TotalBody[] {
  return [...new Set(ice.map(({ codigo }) => codigo))].sort().map((codigo) => {
    const same = ice.filter((group) => group.codigo === codigo);
    return {
      codigo: '3' as const,
      codigo_porcentaje: String(codigo),
      base_imponible: sum(same.map(({ base }) => base)).toNumber(),
      tarifa: Number(same[0]?.tarifa ?? 0),
      valor: sum(same.map(({ valor }) => valor)).toNumber(),
    };
  });
}

interface Warned {
  /** As the shop told of them. */
  payments: readonly Payment[];
  entries: readonly Entry[];
  destination: Destination;
  tenders: readonly Tender[];
  charged: Amount;
}

/** What an accountant would ask about a factura that is right by what the shop says; nothing is held for it. */
function warningsOf(
  { payments, entries, destination, tenders, charged }: Warned,
  context: MappingContext,
): string[] {
  return [
    ...unreadAmounts(payments, tenders),
    ...inCash(tenders, charged, context.today),
    ...largeTip(entries),
    ...toNobodyAbroad(destination, context),
  ];
}

/** The shop names several ways of paying and not how much of each: then the form of payment is that of one alone. */
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

/** So much was paid in cash that the buyer may not deduct it (bancarización). */
function inCash(tenders: readonly Tender[], total: Amount, today: Day): string[] {
  const limit = bankingLimits.find((row) => isInForce(row, today))?.limit;
  const cash = tenders.filter(({ rule }) => rule.tipo === cashForm);
  if (limit === undefined || cash.length === 0 || decimal(total).lt(limit)) return [];
  const paid = toAmount(sum(cash.map(({ amount }) => amount)));
  return [
    `De los ${toAmount(total)} se declaran ${paid} sin utilización del sistema financiero (forma de pago 01). En operaciones de USD ${limit} o más el comprador necesita haber pagado por el sistema financiero para deducir la compra (LRTI, art. 103): confirme que se pagó en efectivo o corrija el medio de pago en policy.payments.`,
  ];
}

/** A tip is a line here, which has no limit; the field of the SRI's format has one. */
function largeTip(entries: readonly Entry[]): string[] {
  const tips = entries.filter(({ item }) => item.kind === 'tip');
  const tip = sum(tips.map(({ net }) => net));
  const rest = sum(entries.filter((entry) => !tips.includes(entry)).map(({ net }) => net));
  if (tip.lte(rest.times(tipLimit.percent).div(100))) return [];
  return [
    `La propina de ${toAmount(tip)} supera el ${tipLimit.percent} % de lo vendido sin impuestos (${toAmount(rest)}), hasta el que el SRI la admite como propina (ficha técnica SRI, tabla 21). Aquí va como una línea de la factura: confirme con su contador que lo que la excede se factura así.`,
  ];
}

/** Neither to be annulled nor credited, and it names no client abroad. */
function toNobodyAbroad({ abroad, why }: Destination, { recipient }: MappingContext): string[] {
  if (!abroad || recipient.type !== identificationTable['consumidor-final'].code) return [];
  return [
    `La venta es fuera del Ecuador (${why}) y la factura sale a consumidor final: no nombra al cliente del exterior, y no se puede anular ni acreditar. Si es una exportación, consulte a su contador; con policy.finalConsumer.allowed: false toda venta sin identificación espera a que el comprador la dé.`,
  ];
}
