import { netCents } from '../mappers/four-ways.ts';
import { type Code, halfUp, percents } from './sales.ts';

/* What a body says of money by code of IVA, read without the product; cents. */

interface Item {
  descripcion: string;
  cantidad: number;
  precio_unitario: number;
  descuento: number;
  tipo_iva: number;
}

interface Row {
  codigo: string;
  codigo_porcentaje: string;
  base_imponible: number;
  tarifa: number;
  valor: number;
}

export interface Body {
  items: readonly Item[];
  totales?: readonly Row[] | undefined;
}

export const inCents = (amount: number | string): number => Math.round(Number(amount) * 100);

export interface Said {
  /** Base and IVA. */
  gross: number;
  lines: SaidLine[];
}

export interface SaidLine {
  /** The sold items it names: several where lines were put into one. */
  ids: number[];
  quantity: number;
  /** Of what stands once at its sum, as the text says: "3 × Producto 1". */
  reported: number | null;
  net: number;
}

/** Each code's lines, and its money: as stated in one row for each code, else IVA on the sum of its lines. */
export function said({ items, totales }: Body): Map<Code, Said> {
  const byCode = Map.groupBy(items, ({ tipo_iva }) => tipo_iva as Code);
  if (totales && totales.length !== byCode.size)
    throw new Error(`${totales.length} rows, ${byCode.size} codes`);
  return new Map(
    [...byCode].map(([code, own]) => {
      const lines = own.map((item) => ({
        ids: idsIn(item),
        quantity: item.cantidad,
        reported: reportedIn(item),
        net: netCents(item),
      }));
      const base = lines.reduce((all, { net }) => all + net, 0);
      const tax = totales ? statedTax(code, base, totales) : taxOn(base, code);
      return [code, { gross: base + tax, lines }];
    }),
  );
}

function statedTax(code: Code, base: number, rows: readonly Row[]): number {
  const row = rows.find(
    ({ codigo, codigo_porcentaje }) => codigo === '2' && codigo_porcentaje === String(code),
  );
  if (!row || row.tarifa !== percents[code] || inCents(row.base_imponible) !== base)
    throw new Error(`lines of ${base} under code ${code} stand for ${JSON.stringify(row)}`);
  const tax = inCents(row.valor);
  const off = tax - taxOn(base, code);
  // A cent of IVA that is not base × rate is stated only where no base reaches the money.
  if (off !== 0 && (Math.abs(off) > 1 || hasBase(base + tax, code)))
    throw new Error(`IVA of ${tax} on ${base} under code ${code}`);
  return tax;
}

/** The names of `payloads.ts`. */
const idsIn = ({ descripcion }: Item): number[] =>
  [...descripcion.matchAll(/Producto (\d+)|Envío/g)].map(([, id]) => Number(id ?? shippingId));
const shippingId = 90;
const reportedIn = ({ cantidad, descripcion }: Item): number | null =>
  cantidad === 1 ? Number(/^(\d+) × /.exec(descripcion)?.[1] ?? 1) : null;

export const taxOn = (base: number, code: Code): number => halfUp(base * percents[code], 100);
export const taxedCodes = (codes: Iterable<Code>): Code[] => [...codes].filter((code) => percents[code] > 0);
export const sumOf = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);

/** Whether a base and its IVA, rounded half-up, give so many cents. */
export function hasBase(gross: number, code: Code): boolean {
  const near = Math.floor((gross * 100) / (100 + percents[code]));
  return [near - 1, near, near + 1].some((base) => base >= 0 && base + taxOn(base, code) === gross);
}

/**
 * How far the lines of a code may be from what they were sold for: not at all without tax, or where their own IVA adds up to
 * that of their sum; else as far as IVA by line changes, of the factura and once more of what is credited of it.
 */
export function mostApart(code: Code, documents: 1 | 2): number {
  return percents[code] === 0 ? 0 : documents * Math.ceil(50 / percents[code]) + 2;
}
