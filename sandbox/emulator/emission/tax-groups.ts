import type { ArithmeticName } from '../variants.ts';
import { type Amount, cents, exact, money, sum } from './decimals.ts';
import { type Contribution, rateOf, type Tax, type TaxCode, taxCodes, taxOn } from './line-taxes.ts';
import type { TotalRow } from './schema.ts';

/** What `totalConImpuestos` is made of. */
interface Grounds {
  rows: readonly TotalRow[];
  contributions: readonly Contribution[];
  statedIce: ReadonlyMap<string, number>;
  arithmetic: ArithmeticName;
}

/** Compares a stated figure with the computed one. */
export type Expect = (name: string, given: Amount, expected: Amount) => void;

const names: Readonly<Record<TaxCode, string>> = { '2': 'IVA', '3': 'ICE', '5': 'IRBPNR' };
/** A row without `codigo` speaks of IVA. */
export const taxOf = (row: TotalRow): TaxCode => row.codigo ?? '2';

/**
 * The rows of `totalConImpuestos`, each held against the rule of the ficha técnica (§9.17): a tax is computed on the
 * sum of its lines. The rows of a tax stand as stated; a tax without any is computed.
 */
export function taxGroups(
  { rows, contributions, statedIce, arithmetic }: Grounds,
  expect: Expect,
  differences: string[],
): Tax[] {
  return taxCodes.flatMap((codigo) => {
    const ofTax = contributions.filter((contribution) => contribution.codigo === codigo);
    const onLines = sumBases(ofTax);
    const tax = (code: string, base: Amount) => ({
      codigo,
      codigoPorcentaje: code,
      tarifa: rateOf(codigo, code, statedIce),
      base,
    });
    const given = rows.filter((row) => taxOf(row) === codigo);
    if (given.length === 0) {
      return [...onLines].map(([code, base]) => {
        const lines = ofTax.filter(({ codigoPorcentaje }) => codigoPorcentaje === code);
        const valor = computedValue(lines, arithmetic);
        const rule = lines.some((line) => line.valor) ? valor : cents(taxOn(tax(code, base)));
        expect(`El valor del ${nameOf(codigo, code)}`, valor, rule);
        return { codigo, codigoPorcentaje: code, ...amounts({ ...tax(code, base), valor }) };
      });
    }
    const missing = new Set(onLines.keys());
    const seen = new Set<string>();
    const bases = { given: exact(0), expected: exact(0) };
    const before = differences.length;
    const taxes = given.map((row) => {
      const code = row.codigo_porcentaje ?? '';
      missing.delete(code);
      if (seen.has(code)) differences.push(`El total del ${nameOf(codigo, code)} viene repetido`);
      seen.add(code);
      const discount = exact(row.descuento_adicional ?? 0);
      // A rate of no line adds nothing: authorised documents do carry such rows of 0.00.
      const expected = tax(code, (onLines.get(code) ?? exact(0)).minus(discount));
      bases.given = bases.given.plus(row.base_imponible ?? expected.base);
      bases.expected = bases.expected.plus(expected.base);
      return statedTax(row, expected, expect, differences);
    });
    for (const code of missing) differences.push(`Falta el total del ${nameOf(codigo, code)} de las líneas`);
    // Each base may be off by the tolerance, all of them together by no more than that.
    if (differences.length === before) {
      expect(`La suma de las bases imponibles del ${names[codigo]}`, bases.given, bases.expected);
    }
    return taxes;
  });
}

/** A row as stated, its gaps filled with what the lines say. */
function statedTax(row: TotalRow, lines: Contribution, expect: Expect, differences: string[]): Tax {
  const { codigo, codigoPorcentaje } = lines;
  const name = nameOf(codigo, codigoPorcentaje);
  const base = exact(row.base_imponible ?? lines.base);
  const valor = exact(row.valor ?? cents(taxOn({ ...lines, base })));
  const tarifa = exact(row.tarifa ?? lines.tarifa);
  expect(`La base imponible del ${name}`, base, lines.base);
  expect(`El valor del ${name}`, valor, cents(taxOn(lines)));
  if (!tarifa.equals(lines.tarifa)) {
    differences.push(`La tarifa ${tarifa.toFixed()} del ${name} no es ${lines.tarifa.toFixed()}`);
  }
  const { descuento_adicional: discount } = row;
  return {
    codigo,
    codigoPorcentaje,
    ...(discount === undefined ? {} : { descuentoAdicional: money(exact(discount)) }),
    ...amounts({ tarifa, base, valor }),
  };
}

/** What a tax comes to over its lines, in cents. */
function computedValue(lines: readonly Contribution[], arithmetic: ArithmeticName): Amount {
  if (arithmetic === 'line')
    return sum(lines.map((line) => cents(taxOn({ ...line, base: cents(line.base) }))));
  const taxes = sum(lines.map(taxOn));
  if (arithmetic === 'unrounded' || lines.some(({ valor }) => valor)) return cents(taxes);
  const [first] = lines;
  return first ? cents(taxOn({ ...first, base: cents(sum(lines.map(({ base }) => base))) })) : exact(0);
}

const nameOf = (codigo: TaxCode, code: string) => `${names[codigo]} de código ${code || 'no indicado'}`;

/** The base of each percentage code, in cents. */
function sumBases(contributions: readonly Contribution[]): Map<string, Amount> {
  const bases = new Map<string, Amount>();
  for (const { codigoPorcentaje, base } of contributions) {
    bases.set(codigoPorcentaje, (bases.get(codigoPorcentaje) ?? exact(0)).plus(base));
  }
  for (const [code, base] of bases) bases.set(code, cents(base));
  return bases;
}

const amounts = ({ tarifa, base, valor }: Record<'tarifa' | 'base' | 'valor', Amount>) => ({
  tarifa: money(tarifa),
  base: money(base),
  valor: money(valor),
});

/** A tax as written: its base in cents, and the tax on just that base. */
export function written(contribution: Contribution): Tax {
  const { codigo, codigoPorcentaje, tarifa, base } = contribution;
  const valor = taxOn({ ...contribution, base: cents(base) });
  return { codigo, codigoPorcentaje, ...amounts({ tarifa, base, valor }) };
}
