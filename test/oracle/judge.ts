import { netCents } from '../mappers/four-ways.ts';
import { type Code, halfUp, percents } from './sales.ts';

/* What a body says of money by code of IVA, read without the product; cents. */

interface Body {
  items: readonly {
    cantidad: number;
    precio_unitario: number;
    descuento: number;
    tipo_iva: number;
  }[];
  totales?:
    | readonly { codigo: string; codigo_porcentaje: string; base_imponible: number; valor: number }[]
    | undefined;
}

const inCents = (amount: number): number => Math.round(amount * 100);

export interface Said {
  base: number;
  tax: number;
  /** The nets of its lines, the smallest first. */
  lines: number[];
}

/** Each code's base, its IVA (as stated, else on the sum of its lines) and its lines. */
export function said(body: Body): Map<Code, Said> {
  const codes = new Map<Code, Said>();
  for (const item of body.items) {
    const code = item.tipo_iva as Code;
    const net = netCents(item);
    const { base, lines } = codes.get(code) ?? { base: 0, lines: [] };
    codes.set(code, { base: base + net, tax: 0, lines: [...lines, net].sort((a, b) => a - b) });
  }
  for (const [code, one] of codes) {
    const row = body.totales?.find((each) => each.codigo === '2' && each.codigo_porcentaje === String(code));
    if (row && inCents(row.base_imponible) !== one.base)
      throw new Error(`lines of ${one.base} stand for a base of ${row.base_imponible} under code ${code}`);
    one.tax = row ? inCents(row.valor) : halfUp(one.base * percents[code], 100);
    const off = Math.abs(one.tax - halfUp(one.base * percents[code], 100));
    if (off > 1) throw new Error(`IVA of ${one.tax} on ${one.base} under code ${code}`);
    if (percents[code] === 0 && one.tax !== 0) throw new Error(`a tax of ${one.tax} under code ${code}`);
  }
  return codes;
}

export const taxedCodes = (codes: Iterable<Code>): Code[] => [...codes].filter((code) => percents[code] > 0);

/** Whether a base and its IVA, rounded half-up, give so many cents. */
export function hasBase(gross: number, code: Code): boolean {
  const percent = percents[code];
  const near = Math.floor((gross * 100) / (100 + percent));
  return [near - 1, near, near + 1].some((base) => base + halfUp(base * percent, 100) === gross);
}
