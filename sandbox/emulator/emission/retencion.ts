import { z } from 'zod';
import { ivaRates } from '../authority/tables.ts';
import {
  comprador,
  date,
  documentNumber,
  emisorConSecuencial,
  knownIce,
  knownIva,
  optionalText,
  text,
} from './blocks.ts';
import { type Amount, cents, exact, money, sum } from './decimals.ts';
import type { Tax } from './line-taxes.ts';
import { everyDocument } from './schema.ts';

// The comprobante de retención as a public description shows it (assumption A22), and the sums of the supplier's
// document, which its XML repeats.

/** A line of the supplier's document. */
const item = z
  .strictObject({
    codigo_principal: text(25),
    codigo_auxiliar: optionalText(25).optional(),
    descripcion: text(300),
    cantidad: z.number(),
    precio_unitario: z.number(),
    descuento: z.number().optional(),
    tipo_iva: knownIva,
    tipo_ice: knownIce,
    valor_ice: z.number().optional(),
  })
  .meta({ id: 'ItemRetencion' });

/** The totals of the supplier's document, where its lines are not given. */
const gasto = z
  .strictObject({
    descripcion: text(300),
    subtotal_iva: z.number().describe('Taxed at tipo_iva.'),
    subtotal_siniva: z.number().describe('No objeto de IVA (code 6).'),
    subtotal_ivacero: z.number().describe('Taxed at 0 % (code 0).'),
    tipo_iva: knownIva,
    tipo_ice: knownIce,
    tarifa_ice: z.number().optional(),
    valor_ice: z.number().optional(),
  })
  .meta({ id: 'Gasto' });

const needsOne = 'Debe tener un sustento: items o gastos, uno de los dos y con al menos una línea';

const sustento = z
  .strictObject({
    codigo_sustento_tributario: z.string().regex(/^\d{2}$/, 'debe tener exactamente 2 dígitos'),
    codigo_documento_sustento: z.string().regex(/^\d{2,3}$/, 'debe tener 2 o 3 dígitos'),
    numero_documento_sustento: documentNumber,
    numero_autorizacion: z.string().regex(/^(\d{10}|\d{49})$/, 'debe tener 49 dígitos, o 10'),
    fecha_documento_sustento: date,
    fecha_registro_contable: date,
    items: z.array(item).optional(),
    gastos: z.array(gasto).optional(),
  })
  .refine(({ items = [], gastos = [] }) => items.length > 0 !== gastos.length > 0, needsOne)
  .meta({
    id: 'SustentoRetencion',
    description: 'The document of the supplier: its lines (items) or its sums (gastos), never both.',
    oneOf: ['items', 'gastos'].map((name) => ({ properties: { [name]: { minItems: 1 } }, required: [name] })),
  });

const retencion = z
  .strictObject({
    base_imponible: z.number(),
    codigoimpuesto: z.literal([1, 2, 6]).describe('1 renta, 2 IVA, 6 ISD.'),
    codigo_retencion: text(5).describe('Ficha técnica, tabla 20.'),
    porcentaje_retencion: z.number(),
    valor_retenido: z.number(),
  })
  .meta({ id: 'Retencion' });

/** The retención emission request. */
export const retencionSchema = z
  .strictObject({
    ...everyDocument,
    emisor: emisorConSecuencial,
    codigoDoc: z.literal('07'),
    proveedor: comprador,
    sustento,
    retenciones: z.array(retencion).min(1),
    version: z
      .enum(['1.0.0', '2.0.0'])
      .optional()
      .describe('Of the XML; 2.0.0 (ATS) when left out. Its name is inferred.'),
  })
  .meta({ id: 'ComprobanteRetencion' });
export type RetencionBody = z.infer<typeof retencionSchema>;
export type Retencion = RetencionBody['retenciones'][number];

/** What the supplier's document adds up to; amounts are decimal strings. */
export interface SustentoFigures {
  totalSinImpuestos: string;
  importeTotal: string;
  /** IVA, then ICE, one row for each percentage code. */
  impuestos: Tax[];
}

/** IVA is computed on the sum of its bases, which ICE enters; ICE stays as stated (ficha técnica, tabla 21). */
export function sustentoFigures({ items = [], gastos = [] }: RetencionBody['sustento']): SustentoFigures {
  const parts = [...items.map(partOfItem), ...gastos.flatMap(partsOfGasto)];
  const iva = [...Map.groupBy(parts, ({ iva }) => iva)].map(([code, all]) => {
    const base = cents(sum(all.map(({ base, ice }) => base.plus(ice?.valor ?? 0))));
    const tarifa = exact(ivaRates[code] ?? 0);
    return taxRow('2', code, tarifa, base, base.times(tarifa).dividedBy(100));
  });
  const withIce = parts.flatMap(({ base, ice }) => (ice ? [{ base, ...ice }] : []));
  const ice = [...Map.groupBy(withIce, ({ codigo }) => codigo)].map(([code, all]) =>
    taxRow(
      '3',
      code,
      all[0]?.tarifa ?? exact(0),
      sum(all.map(({ base }) => base)),
      sum(all.map(({ valor }) => valor)),
    ),
  );
  const impuestos = [...iva, ...ice];
  const subtotal = sum(parts.map(({ base }) => base));
  const total = subtotal.plus(sum(impuestos.map(({ valor }) => exact(valor))));
  return { totalSinImpuestos: money(subtotal), importeTotal: money(total), impuestos };
}

/** One base of the supplier's document: taxed with IVA, and with ICE where there is some. */
interface Part {
  iva: number;
  base: Amount;
  ice?: { codigo: number; valor: Amount; tarifa: Amount };
}

function partOfItem(line: z.infer<typeof item>): Part {
  const base = cents(
    exact(line.cantidad)
      .times(line.precio_unitario)
      .minus(line.descuento ?? 0),
  );
  return { iva: line.tipo_iva, base, ...iceOf(base, line) };
}

function partsOfGasto(sums: z.infer<typeof gasto>): Part[] {
  const taxed = exact(sums.subtotal_iva);
  const untaxed = [
    { iva: 0, base: exact(sums.subtotal_ivacero) },
    { iva: 6, base: exact(sums.subtotal_siniva) },
  ];
  return [
    { iva: sums.tipo_iva, base: taxed, ...iceOf(taxed, sums) },
    ...untaxed.filter(({ base }) => !base.isZero()),
  ];
}

interface StatedIce {
  tipo_ice?: number | undefined;
  tarifa_ice?: number | undefined;
  valor_ice?: number | undefined;
}

// A line states no rate, and the XML wants one of three digits at most: it is what value and base say.
function iceOf(base: Amount, { tipo_ice = 0, tarifa_ice, valor_ice = 0 }: StatedIce): Pick<Part, 'ice'> {
  if (tipo_ice === 0) return {};
  const valor = exact(valor_ice);
  const implied = base.isZero() ? exact(0) : valor.times(100).dividedBy(base).toSignificantDigits(3);
  return { ice: { codigo: tipo_ice, valor, tarifa: exact(tarifa_ice ?? implied.toDecimalPlaces(2)) } };
}

const taxRow = (codigo: '2' | '3', code: number, tarifa: Amount, base: Amount, valor: Amount): Tax => ({
  codigo,
  codigoPorcentaje: String(code),
  tarifa: money(tarifa),
  base: money(base),
  valor: money(valor),
});

/** What was withheld in all. */
export const totalRetenido = ({ retenciones }: RetencionBody): string =>
  money(sum(retenciones.map(({ valor_retenido }) => exact(valor_retenido))));
