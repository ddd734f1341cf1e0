import { type Amount, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { Order } from '../src/domain/order.ts';
import type { Tie } from '../src/domain/refund.ts';
import { attributeOf, toAdditionalInfo } from './additional-info.ts';
import type { FacturaBody, TotalBody } from './body.ts';
import { toComprador } from './buyer.ts';
import type { MappingContext } from './context.ts';
import { tiesOf } from './credit/ties.ts';
import { type Entry, toEntries } from './entries.ts';
import { Hold } from './hold.ts';
import type { IceGroup } from './ice.ts';
import { toEmisor } from './issuer.ts';
import { toItem, toPriced } from './items.ts';
import { toPagos, toTenders } from './payments.ts';
import { prove } from './prove.ts';
import { irbpnrRate } from './tables/excise.ts';
import { ivaRate } from './tax.ts';
import { type Group, toGroups } from './totals.ts';
import { type MappingTrace, toTrace } from './trace.ts';
import { warningsOf } from './warnings.ts';

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
