import { type Decimal, decimal, roundCents, sum } from '../src/domain/money.ts';
import type { CreditItemBody, TotalBody } from './body.ts';
import { irbpnrRate, ivaRates } from './tables/taxes.ts';

/** Ways in which a service may compute taxes (A20). `unrounded`: IVA on the exact sum of the lines. */
export const ways = ['totals', 'group', 'line', 'unrounded'] as const;
export type Way = (typeof ways)[number];

export interface PricedBody {
  items: readonly CreditItemBody[];
  totales?: readonly TotalBody[] | undefined;
}

/** The base of IRBPNR counts units. */
export type StatedRow = Pick<TotalBody, 'codigo' | 'codigo_porcentaje' | 'base_imponible' | 'valor'>;

export const statedRows = (body: PricedBody): readonly StatedRow[] =>
  body.totales ?? rowsOf(body, linesOf(body, 'group'), 'group');

export function totalBy(body: PricedBody, way: Way): Decimal {
  const computed = way === 'totals' ? 'group' : way;
  const lines = linesOf(body, computed);
  const parts =
    computed === 'unrounded'
      ? grouped(lines, ({ item }) => item.tipo_iva)
      : lines.map((one) => [0, [one]] as const);
  const nets = parts.map(([, own]) => roundCents(sum(own.map(({ net }) => net))));
  const rows = (way === 'totals' ? body.totales : undefined) ?? rowsOf(body, lines, computed);
  return sum([...nets, ...rows.map(({ valor }) => decimal(valor))]);
}

/** A line without taxes: round2(cantidad × precio_unitario − descuento). */
export const netOf = (item: CreditItemBody): Decimal => roundCents(exactNet(item));

const exactNet = ({ cantidad, precio_unitario, descuento }: CreditItemBody): Decimal =>
  decimal(cantidad).times(precio_unitario).minus(descuento);

const zero = decimal(0);

/** ICE is part of the base of IVA (ficha técnica SRI, tabla 21): `valor_ice`, else the net at the stated rate. */
function rowsOf(body: PricedBody, lines: readonly Line[], way: Way): StatedRow[] {
  const bottled = body.items.filter(({ tipo_irbpnr }) => tipo_irbpnr !== undefined);
  const units = sum(bottled.map(({ cantidad }) => decimal(cantidad)));
  return [
    ...grouped(lines, ({ item }) => item.tipo_iva).map(([code, own]) => ivaRow(code, own, way)),
    ...grouped(lines, ({ item }) => item.tipo_ice).map(([code, own]) =>
      row('3', code, sum(own.map(({ net }) => net)), sum(own.map(({ ice }) => ice))),
    ),
    ...(bottled.length === 0 ? [] : [row('5', 5001, units, units.times(irbpnrRate))]),
  ];
}

interface Line {
  item: CreditItemBody;
  net: Decimal;
  ice: Decimal;
}

const linesOf = ({ items, totales }: PricedBody, way: Way): Line[] =>
  items.map((item) => {
    const net = way === 'unrounded' ? exactNet(item) : netOf(item);
    const ice = iceOf(item, net, totales);
    return { item, net, ice: way === 'line' ? roundCents(ice) : ice };
  });

function iceOf(
  { tipo_ice, valor_ice }: CreditItemBody,
  net: Decimal,
  totales: PricedBody['totales'],
): Decimal {
  if (valor_ice !== undefined) return decimal(valor_ice);
  if (tipo_ice === undefined) return zero;
  const stated = totales?.find((one) => one.codigo === '3' && one.codigo_porcentaje === String(tipo_ice));
  return net.times(stated?.tarifa ?? 0).div(100);
}

function ivaRow(code: number, own: readonly Line[], way: Way): StatedRow {
  const rate = decimal(ivaRates[code as keyof typeof ivaRates] ?? '0').div(100);
  const taxed = own.map(({ net, ice }) => net.plus(ice));
  const exact = sum(taxed);
  if (way === 'line')
    return row('2', code, exact, sum(taxed.map((one) => roundCents(roundCents(one).times(rate)))));
  return row('2', code, exact, (way === 'unrounded' ? exact : roundCents(exact)).times(rate));
}

const row = (codigo: TotalBody['codigo'], code: number, base: Decimal, valor: Decimal): StatedRow => ({
  codigo,
  codigo_porcentaje: String(code),
  base_imponible: roundCents(base).toNumber(),
  valor: roundCents(valor).toNumber(),
});

function grouped(lines: readonly Line[], codeOf: (line: Line) => number | undefined): [number, Line[]][] {
  const byCode = Map.groupBy(lines, codeOf);
  return [...byCode]
    .flatMap(([code, own]): [number, Line[]][] => (code === undefined ? [] : [[code, own]]))
    .sort(([a], [b]) => a - b);
}
