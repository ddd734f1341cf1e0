import type { ArithmeticName } from '../variants.ts';
import { type Amount, cents, exact, money, six, sum } from './decimals.ts';
import { type Contribution, lineTaxes, type Tax } from './line-taxes.ts';
import type { Item, NotaCreditoBody } from './nota-credito.ts';
import type { FacturaBody, TotalRow } from './schema.ts';
import { type Expect, taxGroups, taxOf, written } from './tax-groups.ts';

type PricedBody = Omit<NotaCreditoBody, 'documento_modificado' | 'codigoDoc'> & Pick<FacturaBody, 'pagos'>;

/** One line of the document; amounts are decimal strings. */
export interface Line {
  item: Item;
  cantidad: string;
  precioUnitario: string;
  descuento: string;
  total: string;
  impuestos: Tax[];
}

/** A document's figures as sent or, where omitted, as computed. */
export interface Figures {
  lines: Line[];
  groups: Tax[];
  totalSinImpuestos: string;
  totalSubsidio?: string;
  totalDescuento: string;
  importeTotal: string;
  pagos: { formaPago: string; total: string; plazo?: string; unidadTiempo?: string }[];
  /** What differs by more than the tolerance, one sentence each: the authority's error 52. */
  differences: string[];
}

// The authority publishes no tolerance; authorised documents are off by up to 0.02 (ficha técnica SRI, tabla 21).
export const tolerance = exact('0.02');

/**
 * Works out a document's figures in one of the four ways, and holds them and the given ones against ficha técnica
 * tabla 21. The rows of `totales` count in the first way only; of an ICE they always say the rate.
 */
export function computeFigures(body: PricedBody, arithmetic: ArithmeticName = 'totals'): Figures {
  const differences: string[] = [];
  const expect: Expect = (name, given, expected) => {
    if (given.minus(expected).abs().greaterThan(tolerance)) {
      differences.push(`${name} ${given.toFixed()} no es igual al calculado ${money(expected)}`);
    }
  };
  const ice = statedIce(body.totales ?? []);
  const rows = arithmetic === 'totals' ? (body.totales ?? []) : [];
  const computed = body.items.map((item, index) => computeLine(item, index, ice, expect));
  const lines = computed.map(({ line }) => line);
  const contributions = computed.flatMap(({ taxes, exactTaxes }) =>
    arithmetic === 'unrounded' ? exactTaxes : taxes,
  );
  const groups = taxGroups({ rows, contributions, statedIce: ice, arithmetic }, expect, differences);
  const extraDiscount = sum(groups.map((group) => exact(group.descuentoAdicional ?? 0)));
  const net = arithmetic === 'unrounded' ? exactNet(body.items) : sum(lines.map(({ total }) => exact(total)));
  expect('El total sin impuestos', net, sum(lines.map(({ total }) => exact(total))));
  const totalSinImpuestos = net.minus(extraDiscount);
  const importeTotal = totalSinImpuestos.plus(sum(groups.map((group) => exact(group.valor))));
  const pagos = (body.pagos ?? []).map((pago) => ({
    formaPago: pago.tipo === undefined ? '' : String(pago.tipo).padStart(2, '0'),
    total: pago.total === undefined ? '' : money(exact(pago.total)),
    ...(pago.plazo === undefined ? {} : { plazo: String(pago.plazo) }),
    ...(pago.tiempo ? { unidadTiempo: pago.tiempo } : {}),
  }));
  if (pagos.length > 0) {
    expect('La suma de los pagos', sum(pagos.map((pago) => exact(pago.total || 0))), importeTotal);
  }
  const subsidy = sum(body.items.map((item) => exact(item.subsidio ?? 0).times(item.cantidad)));
  return {
    lines,
    groups,
    totalSinImpuestos: money(totalSinImpuestos),
    ...(subsidy.isZero() ? {} : { totalSubsidio: money(subsidy) }),
    totalDescuento: money(sum(lines.map((line) => exact(line.descuento))).plus(extraDiscount)),
    importeTotal: money(importeTotal),
    pagos,
    differences,
  };
}

/** The rate, in percent, of every ICE code the totals state one for. */
export function statedIce(rows: readonly TotalRow[]): ReadonlyMap<string, number> {
  const stated = new Map<string, number>();
  for (const row of rows) {
    if (taxOf(row) !== '3' || row.codigo_porcentaje === undefined || row.tarifa === undefined) continue;
    stated.set(row.codigo_porcentaje, row.tarifa);
  }
  return stated;
}

function computeLine(
  item: Item,
  index: number,
  ice: ReadonlyMap<string, number>,
  expect: Expect,
): { line: Line; taxes: Contribution[]; exactTaxes: Contribution[] } {
  const descuento = exact(item.descuento ?? 0);
  const unrounded = exactTotal(item);
  const expected = cents(unrounded);
  const given = item.precio_total_sin_impuesto;
  if (given !== undefined) {
    expect(`El precio total sin impuesto de la línea ${index + 1}`, exact(given), expected);
  }
  const total = given === undefined ? expected : exact(given);
  const taxes = lineTaxes(item, total, ice);
  const line = {
    item,
    cantidad: six(item.cantidad),
    precioUnitario: six(item.precio_unitario),
    descuento: money(descuento),
    total: money(total),
    impuestos: taxes.map(written),
  };
  return { line, taxes, exactTaxes: lineTaxes(item, unrounded, ice) };
}

const exactTotal = (item: Item) =>
  exact(item.cantidad)
    .times(item.precio_unitario)
    .minus(item.descuento ?? 0);

/** What the lines come to without tax when only the sum of each code of IVA is rounded. */
function exactNet(items: readonly Item[]): Amount {
  const byCode = Map.groupBy(items, ({ tipo_iva }) => tipo_iva);
  return sum([...byCode.values()].map((same) => cents(sum(same.map(exactTotal)))));
}
