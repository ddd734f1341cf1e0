import { type Amount, type Decimal, decimal, sum, toAmount } from '../src/domain/money.ts';
import type { FacturaBody, ItemBody, TotalBody } from './body.ts';
import type { Destination } from './destination.ts';
import type { Entries, Entry } from './entries.ts';
import type { IceGroup } from './ice.ts';
import { goodsOrService, type PricedEntry } from './items.ts';
import type { Tender } from './payments.ts';
import { irbpnrRate } from './tables/excise.ts';
import { ivaRate } from './tax.ts';
import { oneLine } from './text.ts';
import type { Group, Settled } from './totals.ts';
import { totalBy, type Way } from './ways.ts';

/** Why the document says what it says; plain JSON without buyers' data, stored with the decision. */
export interface MappingTrace {
  /** What was charged, what the document adds up to, and every cent between them. */
  money: {
    charged: Amount;
    outside: { name: string; amount: Amount }[];
    document: Amount;
    difference: Amount;
    /** The platform's lines and charges summed exactly; shops that round per line or per subtotal differ. */
    lines: Amount;
    rounding: Amount;
    /** What it would come to were its totals ignored, where that is another sum: IVA by group, by line, unrounded. */
    computed: { way: Exclude<Way, 'totals'>; total: Amount }[] | null;
  };
  /** Where the sale takes place and what says so; absent in what was stored before it was told. */
  destination?: Destination;
  items: ItemTrace[];
  taxes: TaxTrace[];
  payments: PaymentTrace[];
  notes: string[];
  /** Spanish sentences about what the merchant should check; decisions of earlier versions have none. */
  warnings?: string[];
}

export interface ItemTrace {
  id: string;
  kind: string;
  name: string;
  iva: { code: number; rate: Amount; by: string };
  ice?: { codigo: number; by: string };
  irbpnr?: { by: string };
  tipo: { value: string; by: string };
  /** What the shop says, without tax, after discounts; and its tax. */
  shop: { net: Amount; tax: Amount };
  document: { cantidad: number; precio_unitario: number; descuento: number; base: Amount };
  notes: string[];
}

/** `plazo` and `tiempo`: where it was sold on credit. */
export interface PaymentTrace {
  gateway: string;
  tipo: string;
  by: string;
  amount: Amount;
  plazo?: number;
  tiempo?: string;
}

export interface TaxTrace {
  tax: 'IVA' | 'ICE' | 'IRBPNR';
  code: number;
  /** In percent; of IRBPNR USD a unit, and `base` its units. */
  rate: Amount;
  base: Amount;
  valor: Amount;
  /** `valor` minus base × rate. */
  difference: Amount;
  why: string;
}

interface Parts {
  charged: Amount;
  outside: Entries['outside'];
  destination: Destination;
  document: Amount;
  entries: readonly Entry[];
  groups: readonly Group[];
  ice: readonly IceGroup[];
  tenders: readonly Tender[];
  items: readonly PricedEntry[];
  body: FacturaBody;
  notes: string[];
  warnings: string[];
}

export function toTrace(parts: Parts): MappingTrace {
  const { charged, outside, destination, document, entries, groups, tenders, notes, warnings } = parts;
  const lines = sum([
    ...groups.map((group) => group.charged),
    ...entries.flatMap(({ irbpnr }) => (irbpnr ? [irbpnr] : [])),
  ]);
  return {
    money: {
      charged,
      outside,
      document,
      difference: toAmount(decimal(document).minus(charged)),
      lines: shown(lines),
      rounding: shown(decimal(charged).minus(lines)),
      computed: computedOf(parts.body, document),
    },
    destination,
    items: parts.items.map((priced, at) => toItemTrace(priced, parts.body.items[at])),
    taxes: [
      ...groups.map(toIvaTrace),
      ...parts.ice.map(toIceTrace),
      ...parts.body.totales.filter(({ codigo }) => codigo === '5').map(toIrbpnrTrace),
    ],
    payments: tenders.map(toPaymentTrace),
    notes,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** A sum of each way that ignores the totals and comes out elsewhere; null where none does. */
export function computedOf(body: FacturaBody, document: Amount): MappingTrace['money']['computed'] {
  const others = (['group', 'line', 'unrounded'] as const)
    .map((way) => ({ way, total: (totalBy(body, way) / 100).toFixed(2) }))
    .filter(({ total }) => total !== document);
  return others.length === 0 ? null : others;
}

/** At least cents, at most six decimals. */
const shown = (value: Decimal): Amount => {
  const short = value.toDecimalPlaces(6);
  return short.toFixed(Math.max(2, short.decimalPlaces()));
};

function toItemTrace({ entry, base }: PricedEntry, item: ItemBody | undefined): ItemTrace {
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
      base: base.toFixed(2),
    },
    notes: entry.notes,
  };
}

function toIvaTrace({ code, base, valor, difference }: Group): TaxTrace {
  return { tax: 'IVA', code, rate: ivaRate(code), ...settled({ base, valor, difference }) };
}

function toIceTrace({ codigo, tarifa, base, valor, difference }: IceGroup): TaxTrace {
  return { tax: 'ICE', code: codigo, rate: tarifa, ...settled({ base, valor, difference }) };
}

export const toPaymentTrace = ({ gateway, rule, by, amount, term }: Tender): PaymentTrace => ({
  gateway,
  tipo: rule.tipo,
  by,
  amount,
  ...term,
});

export function toIrbpnrTrace({
  base_imponible,
  valor,
}: Pick<TotalBody, 'base_imponible' | 'valor'>): TaxTrace {
  return {
    tax: 'IRBPNR',
    code: 5001,
    rate: irbpnrRate,
    base: decimal(base_imponible).toFixed(),
    valor: decimal(valor).toFixed(2),
    difference: '0.00',
    why: 'unidades × tarifa',
  };
}

function settled({
  base,
  valor,
  difference,
}: Settled): Pick<TaxTrace, 'base' | 'valor' | 'difference' | 'why'> {
  const why = difference.isZero()
    ? 'base × tarifa, redondeado'
    : 'ninguna base en centavos da el total cobrado: el impuesto se declara';
  return { base: toAmount(base), valor: toAmount(valor), difference: toAmount(difference), why };
}
