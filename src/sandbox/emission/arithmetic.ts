import { Decimal } from 'decimal.js';
import { ivaRates } from '../authority/tables.ts';
import type { FacturaBody, Item, NotaCreditoBody } from './schema.ts';

type PricedBody = Omit<NotaCreditoBody, 'documento_modificado' | 'codigoDoc'> & Pick<FacturaBody, 'pagos'>;

/** One line as it stands in the document; amounts are decimal strings. */
export interface Line {
  item: Item;
  cantidad: string;
  precioUnitario: string;
  descuento: string;
  total: string;
  tarifa: string;
  iva: string;
}

/** One IVA rate's row of `totalConImpuestos`. */
export interface TaxGroup {
  codigoPorcentaje: string;
  descuentoAdicional?: string;
  base: string;
  tarifa: string;
  valor: string;
}

/** A document's figures as sent or, where omitted, as computed. */
export interface Figures {
  lines: Line[];
  groups: TaxGroup[];
  totalSinImpuestos: string;
  totalSubsidio?: string;
  totalDescuento: string;
  importeTotal: string;
  pagos: { formaPago: string; total: string; plazo?: string; unidadTiempo?: string }[];
  /** What differs by more than the tolerance, one sentence each: the authority's error 52. */
  differences: string[];
}

// The authority publishes no tolerance; authorised documents are off by up to 0.02 (ficha técnica SRI, tabla 21).
const tolerance = new Decimal('0.02');
const Exact = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_HALF_UP });
const exact = (value: Decimal.Value) => new Exact(value);
const cents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
const money = (value: Decimal) => value.toFixed(2, Decimal.ROUND_HALF_UP);
const six = (value: number) => exact(value).toFixed(6);
const sum = (values: Decimal[]) => values.reduce((a, b) => a.plus(b), exact(0));

/** Works out a document's figures by ficha técnica tabla 21 and holds the given ones against them. */
export function computeFigures(body: PricedBody): Figures {
  const differences: string[] = [];
  const expect = (name: string, given: Decimal, expected: Decimal) => {
    if (given.minus(expected).abs().greaterThan(tolerance)) {
      differences.push(`${name} ${given.toFixed()} no es igual al calculado ${expected.toFixed()}`);
    }
  };
  const lines = body.items.map((item, index) => computeLine(item, index, expect));
  const groups = computeGroups(body, lines, expect, differences);
  const extraDiscount = sum(groups.map((group) => exact(group.descuentoAdicional ?? 0)));
  const totalSinImpuestos = sum(lines.map((line) => exact(line.total))).minus(extraDiscount);
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

type Expect = (name: string, given: Decimal, expected: Decimal) => void;

function computeLine(item: Item, index: number, expect: Expect): Line {
  const descuento = exact(item.descuento ?? 0);
  const expected = exact(item.cantidad).times(item.precio_unitario).minus(descuento);
  const given = item.precio_total_sin_impuesto;
  if (given !== undefined) {
    expect(`El precio total sin impuesto de la línea ${index + 1}`, exact(given), expected);
  }
  const total = given === undefined ? cents(expected) : exact(given);
  const rate = exact(ivaRates[item.tipo_iva] ?? 0);
  return {
    item,
    cantidad: six(item.cantidad),
    precioUnitario: six(item.precio_unitario),
    descuento: money(descuento),
    total: money(total),
    tarifa: money(rate),
    iva: money(total.times(rate).dividedBy(100)),
  };
}

/** IVA is computed on the sum of a rate's lines, never summed from the lines (ficha técnica §9.17). */
function computeGroups(body: PricedBody, lines: Line[], expect: Expect, differences: string[]): TaxGroup[] {
  const bases = new Map<string, Decimal>();
  for (const line of lines) {
    const code = String(line.item.tipo_iva);
    bases.set(code, (bases.get(code) ?? exact(0)).plus(line.total));
  }
  const rateOf = (code: string) => exact(ivaRates[Number(code)] ?? 0);
  const ivaOf = (code: string, base: Decimal) => cents(base.times(rateOf(code)).dividedBy(100));
  const given = body.totales ?? [];
  if (given.length === 0) {
    return [...bases].map(([code, base]) => ({
      codigoPorcentaje: code,
      base: money(base),
      tarifa: money(rateOf(code)),
      valor: money(ivaOf(code, base)),
    }));
  }
  const missing = new Set(bases.keys());
  const groups = given.map((row) => {
    const code = row.codigo_porcentaje ?? '';
    if (!missing.delete(code)) {
      differences.push(
        `El total del impuesto ${code || 'sin código de porcentaje'} no corresponde a las líneas`,
      );
    }
    const discount = exact(row.descuento_adicional ?? 0);
    const expectedBase = (bases.get(code) ?? exact(0)).minus(discount);
    const base = exact(row.base_imponible ?? expectedBase);
    const valor = exact(row.valor ?? ivaOf(code, base));
    const tarifa = exact(row.tarifa ?? rateOf(code));
    expect(`La base imponible del impuesto ${code}`, base, expectedBase);
    expect(`El valor del impuesto ${code}`, valor, ivaOf(code, expectedBase));
    if (!tarifa.equals(rateOf(code))) {
      differences.push(`La tarifa ${tarifa.toFixed()} no es la del código de porcentaje ${code}`);
    }
    return {
      codigoPorcentaje: code,
      ...(row.descuento_adicional === undefined ? {} : { descuentoAdicional: money(discount) }),
      base: money(base),
      tarifa: money(tarifa),
      valor: money(valor),
    };
  });
  for (const code of missing) differences.push(`Falta el total del impuesto ${code} que llevan las líneas`);
  return groups;
}
