import { type Amount, type Decimal, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { FacturaBody, ItemBody, TotalBody } from './body.ts';
import { oneLine } from './hold.ts';
import { goodsOrService, type PricedEntry } from './items.ts';
import type { Tender } from './payments.ts';
import { irbpnrRate } from './tables/taxes.ts';
import { type Entry, ivaRate } from './tax.ts';
import { totalBy, type Way } from './tax-computation.ts';
import type { Destination } from './tax-rules.ts';
import type { Group, IceGroup, Settled } from './totals.ts';

/** How the amounts of a factura came about: plain JSON without buyers' data, stored with the decision. */
export interface MappingCalculation {
  /** What was charged, what the document adds up to, and every cent between them. */
  money: {
    charged: Amount;
    outside: { name: string; amount: Amount }[];
    document: Amount;
    difference: Amount;
    /** The platform's lines and charges, summed exactly; another sum than `charged` in shops that round per line. */
    lines: Amount;
    rounding: Amount;
    /** The total if the service ignored `totales`, for each way that gives another sum; null when none does. */
    computed: { way: Exclude<Way, 'totals'>; total: Amount }[] | null;
  };
  /** Where the sale takes place and why; absent in decisions of earlier versions. */
  destination?: Destination;
  items: ItemCalculation[];
  taxes: TaxCalculation[];
  payments: PaymentCalculation[];
  notes: string[];
  /** Spanish sentences about what the merchant should check; absent in decisions of earlier versions. */
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
  /** The shop's figures: without tax and after discounts, and the tax. */
  shop: { net: Amount; tax: Amount };
  document: { cantidad: number; precio_unitario: number; descuento: number; base: Amount };
  notes: string[];
}

/** `plazo` and `tiempo` only when sold on credit. */
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

/** The calculation of a factura from the intermediate results of its mapping. */
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

/** The total of each way that ignores `totales` and gives another sum; null when none does. */
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
