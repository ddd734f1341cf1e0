import { type Decimal, decimal } from '../src/domain/money.ts';
import type { CreditItemBody, TotalBody } from './body.ts';
import { ivaRates } from './tables/iva.ts';

/**
 * The ways in which a service may compute the taxes of a document (docs/assumptions.md, A20). `totals`: the rows of
 * `totales` count, a body without them is computed as in `group`; the others ignore them. IVA is computed by `group`
 * on the sum of the rounded lines of a code, by `line` on each of them, `unrounded` on the exact sum of the lines.
 */
export const ways = ['totals', 'group', 'line', 'unrounded'] as const;
export type Way = (typeof ways)[number];

/** What a document says of its money. */
export interface PricedBody {
  items: readonly CreditItemBody[];
  totales?: readonly TotalBody[] | undefined;
}

/** One tax of a document: whole cents; the base of IRBPNR in hundredths of a unit. */
export interface RowCents {
  codigo: TotalBody['codigo'];
  codigo_porcentaje: string;
  base: number;
  valor: number;
}

/**
 * The rows of taxes that follow from the lines alone: IVA, then ICE, then IRBPNR. The ICE of a line is what it states
 * in `valor_ice`, else what the rate that `totales` state for its code makes of it; it enters the base of IVA (ficha
 * técnica SRI, tabla 21).
 */
export function rowsOf(body: PricedBody, way: Exclude<Way, 'totals'> = 'group'): RowCents[] {
  const lines = linesOf(body, way);
  const bottled = body.items.filter(({ tipo_irbpnr }) => tipo_irbpnr !== undefined);
  const units = sum(bottled.map(({ cantidad }) => exactly(cantidad, 1e6) * 10n ** 10n));
  return [
    ...grouped(lines, ({ item }) => item.tipo_iva).map(([code, own]) => ivaRow(code, own, way)),
    ...grouped(lines, ({ item }) => item.tipo_ice).map(([code, own]) =>
      row('3', code, sum(own.map(({ net }) => net)), sum(own.map(({ ice }) => ice))),
    ),
    ...(bottled.length === 0 ? [] : [row('5', 5001, units, units / 50n)]),
  ];
}

/** A row as a body states it. */
export type StatedRow = Pick<TotalBody, 'codigo' | 'codigo_porcentaje' | 'base_imponible' | 'valor'>;

/** The rows of taxes a body states, or those that follow from its lines. */
export function statedRows(body: PricedBody): readonly StatedRow[] {
  if (body.totales) return body.totales;
  return rowsOf(body).map(({ codigo, codigo_porcentaje, base, valor }) => ({
    codigo,
    codigo_porcentaje,
    base_imponible: base / 100,
    valor: valor / 100,
  }));
}

/** What a document comes to in one of the ways, in cents, read from its body alone. */
export function totalBy(body: PricedBody, way: Way): number {
  const { totales } = body;
  const computed = way === 'totals' ? 'group' : way;
  const lines = linesOf(body, computed);
  const nets =
    computed === 'unrounded'
      ? grouped(lines, ({ item }) => item.tipo_iva).map(([, own]) => toCents(sum(own.map(({ net }) => net))))
      : lines.map(({ net }) => toCents(net));
  const taxes =
    way === 'totals' && totales
      ? totales.map(({ valor }) => exactly(valor, 100))
      : rowsOf(body, computed).map(({ valor }) => BigInt(valor));
  return Number(sum(nets) + sum(taxes));
}

/** A line in hundredths of a millionth of a millionth of a dollar, where price × quantity × rate is a whole number. */
interface Line {
  item: CreditItemBody;
  /** Without taxes; rounded to cents unless the way is `unrounded`. */
  net: bigint;
  ice: bigint;
}

const cent = 10n ** 14n;

function linesOf({ items, totales }: PricedBody, way: Way): Line[] {
  return items.map((item) => {
    const exact = exactNet(item);
    const net = way === 'unrounded' ? exact : toCents(exact) * cent;
    const ice = iceOf(item, net, totales);
    return { item, net, ice: way === 'line' ? toCents(ice) * cent : ice };
  });
}

function exactNet({ cantidad, precio_unitario, descuento }: CreditItemBody): bigint {
  return exactly(cantidad, 1e6) * exactly(precio_unitario, 1e6) * 10_000n - exactly(descuento, 100) * cent;
}

/** A line without taxes, as its quantity, price and discount say: round2(cantidad × precio_unitario − descuento). */
export const netOf = (item: CreditItemBody): Decimal => decimal(Number(toCents(exactNet(item)))).div(100);

function iceOf({ tipo_ice, valor_ice }: CreditItemBody, net: bigint, totales: PricedBody['totales']): bigint {
  if (valor_ice !== undefined) return exactly(valor_ice, 100) * cent;
  const stated = totales?.find(
    ({ codigo, codigo_porcentaje }) => codigo === '3' && codigo_porcentaje === String(tipo_ice),
  );
  return stated === undefined ? 0n : (net * exactly(stated.tarifa, 100)) / 10_000n;
}

function ivaRow(code: number, own: readonly Line[], way: Way): RowCents {
  const percent = BigInt(ivaRates[code as keyof typeof ivaRates] ?? '0');
  const taxed = own.map(({ net, ice }) => net + ice);
  const base = toCents(sum(taxed));
  let valor = divided(base * percent, 100n);
  if (way === 'line') valor = sum(taxed.map((one) => divided(toCents(one) * percent, 100n)));
  if (way === 'unrounded') valor = divided(sum(taxed) * percent, 100n * cent);
  return { codigo: '2', codigo_porcentaje: String(code), base: Number(base), valor: Number(valor) };
}

const row = (codigo: TotalBody['codigo'], code: number, base: bigint, valor: bigint): RowCents => ({
  codigo,
  codigo_porcentaje: String(code),
  base: Number(toCents(base)),
  valor: Number(toCents(valor)),
});

/** Lines by a code of theirs, the lowest first; those without one are left out. */
function grouped(lines: readonly Line[], codeOf: (line: Line) => number | undefined): [number, Line[]][] {
  const byCode = new Map<number, Line[]>();
  for (const line of lines) {
    const code = codeOf(line);
    if (code !== undefined) byCode.set(code, [...(byCode.get(code) ?? []), line]);
  }
  return [...byCode].sort(([a], [b]) => a - b);
}

/** Exact for what the schema of a body lets through: at most 15 digits. */
export const exactly = (value: number, units: number): bigint => BigInt(Math.round(value * units));
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
/** Halves up. A price rounded down leaves a line of nothing a hair below zero. */
const divided = (value: bigint, by: bigint): bigint =>
  value < 0n ? -divided(-value, by) : (2n * value + by) / (2n * by);
const toCents = (value: bigint): bigint => divided(value, cent);
