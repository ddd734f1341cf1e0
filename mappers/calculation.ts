import { type Amount, type Decimal, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { Refund } from '../src/domain/order.ts';
import type { FacturaBody, ItemBody, TotalBody } from './body.ts';
import type { Crediting } from './credit/apportion.ts';
import type { Balance, ItemLeft } from './credit/balance.ts';
import type { ClaimBasis } from './credit/claims.ts';
import { oneLine } from './hold.ts';
import { goodsOrService, type PricedEntry } from './items.ts';
import type { Tender } from './payments.ts';
import { irbpnrRate } from './tables/taxes.ts';
import { type Entry, ivaRate } from './tax.ts';
import { totalBy, type Way } from './tax-computation.ts';
import type { Destination } from './tax-rules.ts';
import type { Group, IceGroup, Settled } from './totals.ts';

/** Plain JSON without buyers' data, stored with the decision. */
export interface MappingCalculation {
  money: {
    charged: Amount;
    outside: { name: string; amount: Amount }[];
    document: Amount;
    difference: Amount;
    /** The platform's lines and charges, summed exactly; differs from `charged` in shops that round per line. */
    lines: Amount;
    rounding: Amount;
    /** The total if the service ignored `totales`, for each way that gives another sum; null when none does. */
    computed: { way: Exclude<Way, 'totals'>; total: Amount }[] | null;
  };
  destination?: Destination;
  items: ItemCalculation[];
  taxes: TaxCalculation[];
  payments: PaymentCalculation[];
  notes: string[];
  /** Spanish sentences; absent in decisions of earlier versions. */
  warnings?: string[];
}

export interface ItemCalculation {
  id: string;
  kind: string;
  name: string;
  iva: { code: number; rate: Amount; by: string };
  ice?: { codigo: number; by: string };
  irbpnr?: { by: string };
  tipo: { value: string; by: string };
  shop: { net: Amount; tax: Amount };
  document: { cantidad: number; precio_unitario: number; descuento: number; base: Amount };
  notes: string[];
}

export interface PaymentCalculation {
  gateway: string;
  tipo: string;
  by: string;
  amount: Amount;
  plazo?: number;
  tiempo?: string;
}

export interface TaxCalculation {
  tax: 'IVA' | 'ICE' | 'IRBPNR';
  code: number;
  /** Percent; for IRBPNR USD per unit, and `base` counts units. */
  rate: Amount;
  base: Amount;
  valor: Amount;
  /** `valor` minus base × rate. */
  difference: Amount;
  why: string;
}

interface Parts {
  charged: Amount;
  outside: MappingCalculation['money']['outside'];
  destination: Destination;
  entries: readonly Entry[];
  groups: readonly Group[];
  ice: readonly IceGroup[];
  tenders: readonly Tender[];
  items: readonly PricedEntry[];
  body: FacturaBody;
  notes: string[];
  warnings: string[];
}

export function toCalculation(parts: Parts): MappingCalculation {
  const { charged, outside, destination, entries, groups, tenders, notes, warnings } = parts;
  const lines = sum([...groups.map((group) => group.charged), ...entries.map(({ irbpnr }) => irbpnr ?? '0')]);
  return {
    money: {
      charged,
      outside,
      document: charged,
      difference: '0.00',
      lines: shown(lines),
      rounding: shown(decimal(charged).minus(lines)),
      computed: computedOf(parts.body, charged),
    },
    destination,
    items: parts.items.map((priced, at) => toItemCalculation(priced, parts.body.items[at])),
    taxes: [
      ...groups.map((group) => toTaxCalculation('IVA', group.code, ivaRate(group.code), group)),
      ...parts.ice.map((group) => toTaxCalculation('ICE', group.codigo, group.tarifa, group)),
      ...parts.body.totales.filter(({ codigo }) => codigo === '5').map(toIrbpnrCalculation),
    ],
    payments: tenders.map(toPaymentCalculation),
    notes,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

export function computedOf(body: FacturaBody, document: Amount): MappingCalculation['money']['computed'] {
  const others = (['group', 'line', 'unrounded'] as const)
    .map((way) => ({ way, total: toAmount(totalBy(body, way)) }))
    .filter(({ total }) => total !== document);
  return others.length === 0 ? null : others;
}

/** At least two decimals, at most six. */
const shown = (value: Decimal): Amount => {
  const short = value.toDecimalPlaces(6);
  return short.toFixed(Math.max(2, short.decimalPlaces()));
};

function toItemCalculation({ entry, base }: PricedEntry, item: ItemBody | undefined): ItemCalculation {
  const { decision } = entry;
  const { id, kind, name } = entry.item;
  return {
    id,
    kind,
    name: oneLine(name, 100),
    iva: { code: decision.iva, rate: ivaRate(decision.iva), by: decision.by },
    ...(decision.ice ? { ice: { codigo: decision.ice.meaning.codigo, by: decision.ice.rule } } : {}),
    ...(decision.irbpnr ? { irbpnr: { by: decision.irbpnr.rule } } : {}),
    tipo: { value: goodsOrService(entry), by: decision.tipo?.by ?? 'dato de la tienda' },
    shop: { net: entry.item.net, tax: entry.item.tax },
    document: {
      cantidad: item?.cantidad ?? 0,
      precio_unitario: item?.precio_unitario ?? 0,
      descuento: item?.descuento ?? 0,
      base: toAmount(base),
    },
    notes: entry.notes,
  };
}

export const toPaymentCalculation = ({ gateway, rule, by, amount, term }: Tender): PaymentCalculation => ({
  gateway,
  tipo: rule.tipo,
  by,
  amount,
  ...term,
});

export const toIrbpnrCalculation = ({ base_imponible, valor }: TotalBody): TaxCalculation => ({
  tax: 'IRBPNR',
  code: 5001,
  rate: irbpnrRate,
  base: decimal(base_imponible).toFixed(),
  valor: toAmount(decimal(valor)),
  difference: '0.00',
  why: 'unidades × tarifa',
});

/** `stated`: why `valor` is not base × rate, when it is not. */
export function toTaxCalculation(
  tax: 'IVA' | 'ICE',
  code: number,
  rate: Amount,
  { base, valor, difference }: Settled,
  stated = 'ninguna base en centavos da el total cobrado: el impuesto se declara',
): TaxCalculation {
  const why = difference.isZero() ? 'base × tarifa, redondeado' : stated;
  return {
    tax,
    code,
    rate,
    base: toAmount(base),
    valor: toAmount(valor),
    difference: toAmount(difference),
    why,
  };
}

export interface CreditCalculation {
  refund: string;
  original: string;
  money: Amount;
  /** The money, or the nearest sum that lines and their IVA add up to. */
  document: Amount;
  /** The total with IVA summed line by line; null when it is the same. */
  byLine: Amount | null;
  /** Rounding cents still owed to the buyer (negative: credited too much), before and after this document. */
  owed: { before: Amount; after: Amount };
  /** `rest`: all that was left, copied. */
  basis: ClaimBasis | 'rest';
  discrepancy: Amount;
  /** Left of the factura, before and after this document. */
  left: { before: Amount; after: Amount };
  items: {
    source: string;
    name: string;
    asked: Amount | null;
    line: number;
    units: Amount;
    base: Amount;
    leftBase: Amount;
  }[];
  taxes: { codigo: string; codigo_porcentaje: string; base: Amount; valor: Amount }[];
  notes: string[];
}

interface CreditParts {
  refund: Refund;
  number: string;
  balance: Balance;
  crediting: Crediting;
  money: Amount;
}

export function toCreditCalculation(parts: CreditParts): CreditCalculation {
  const { refund, number, balance, crediting, money } = parts;
  const { claims, credit, totales, owed } = crediting;
  const asked = (item: ItemLeft): Amount | null => {
    const at = balance.items.indexOf(item);
    return claims === null ? null : toAmount(claims.asked[at]?.gross ?? '0');
  };
  const taken = credit.items.flatMap((one) => one.folded ?? [one]);
  return {
    refund: refund.id,
    original: number,
    money,
    basis: claims?.basis ?? 'rest',
    discrepancy: refund.discrepancy,
    document: toAmount(credit.total),
    byLine: credit.byLine.equals(credit.total) ? null : toAmount(credit.byLine),
    owed: { before: toAmount(balance.owed), after: toAmount(balance.owed.plus(owed)) },
    left: { before: toAmount(balance.total), after: toAmount(balance.total.minus(credit.total)) },
    items: taken.map(({ left, base, units }) => ({
      source: left.source,
      name: oneLine(left.item.descripcion, 100),
      asked: asked(left),
      line:
        1 +
        credit.items.findIndex((one) => one.left === left || one.folded?.some((part) => part.left === left)),
      units: units.toFixed(),
      base: toAmount(base),
      leftBase: toAmount(left.base.gt(base) ? left.base.minus(base) : '0'),
    })),
    taxes: totales.map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
      codigo,
      codigo_porcentaje,
      base: toAmount(decimal(base_imponible)),
      valor: toAmount(decimal(valor)),
    })),
    notes: [
      ...(refund.linesFrom ?? []).map(
        (id) => `las líneas las registró el reembolso ${id}, que no devolvió dinero`,
      ),
      ...(refund.toBalances ?? []).map(
        ({ gateway, amount }) =>
          `${amount} volvieron a un saldo del comprador con la tienda («${gateway}»), no a su dinero`,
      ),
      ...(refund.cashRounding === undefined
        ? []
        : [
            `la caja redondeó el efectivo y devolvió ${toAmount(decimal(refund.amount ?? '0').plus(refund.cashRounding))}; se acredita lo devuelto, ${toAmount(refund.amount ?? '0')}`,
          ]),
      ...(claims?.notes ?? []),
      ...(credit.items.some(({ folded }) => folded) ? [foldedNote] : []),
    ],
  };
}

const foldedNote = 'líneas reunidas en una, para que su IVA sea el mismo sumado por línea que por tarifa';
