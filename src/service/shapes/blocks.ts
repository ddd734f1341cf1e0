import { z } from 'zod';

/** Field names and what is wrong with each, in the shape of the company routes (spec, "Errors" 3). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

type Checked<T> = { ok: true; data: T } | { ok: false; fields: FieldErrors };

/** No sentence quotes a value: it may be a secret. */
export function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const read = schema.safeParse(value, { error: sentence });
  if (read.success) return { ok: true, data: read.data };
  const fields: Record<string, string[]> = {};
  const add = (field: string, message: string) => {
    const list = Object.hasOwn(fields, field) ? (fields[field] ?? []) : [];
    fields[field] = [...list, message];
  };
  for (const issue of read.error.issues) {
    const path = issue.path.join('.');
    const under = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (issue.code !== 'unrecognized_keys') add(path || 'cuerpo', issue.message);
    else for (const key of issue.keys) add(under(key), 'El servicio no conoce este campo.');
  }
  return { ok: false, fields };
}

export function sentencesOf(fields: FieldErrors): string[] {
  return Object.entries(fields).flatMap(([field, messages]) => messages.map((one) => `${field}: ${one}`));
}

const spanish = z.locales.es().localeError;

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)) {
    return 'Es obligatorio.';
  }
  const said = spanish(issue);
  return typeof said === 'string' ? said : said?.message;
}

export const digits = (count: number) =>
  z.string().regex(new RegExp(`^\\d{${count}}$`), `Debe tener ${count} dígitos.`);
export const words = (max: number) =>
  z.string().refine((value) => [...value].length <= max, `Admite hasta ${max} caracteres.`);
export const text = (max = Number.POSITIVE_INFINITY) =>
  words(max).refine((value) => value.trim() !== '', 'No puede estar vacío.');
export const httpUrl = z.url({ protocol: /^https?$/, hostname: /./ }).meta({ description: 'http or https' });

// The rules of the field tables (spec, "Electronic document").

const optional = <T extends z.ZodType>(type: T) => type.optional();
export const date = z.string().regex(/^\d{4}\/\d{2}\/\d{2}$/, 'Debe escribirse AAAA/MM/DD.');
export const documentNumber = digits(15);
const secuencial = z.string().regex(/^\d{1,9}$/, 'Debe tener de 1 a 9 dígitos.');

/** The service checks that `fecha_emision` is today in Ecuador. */
export const emisor = z.strictObject({
  nombre_comercial: text(300),
  razon_social: optional(words(300)),
  ruc: digits(13),
  codigo_establecimiento: digits(3),
  codigo_puntoemision: digits(3),
  direccion_matriz: text(300),
  direccion_establecimiento: text(300),
  obligado_contabilidad: z.enum(['SI', 'NO']),
  contribuyente_especial: optional(words(50)),
  calificacion_artesanal: optional(words(50)),
  exportador_habitual: optional(z.boolean()),
  gran_contribuyente: optional(z.boolean()),
  agente_retencion: optional(z.boolean()),
  contabilidad: optional(z.boolean()),
  regimen_rimpe: optional(z.boolean()),
  regimen_rimpe_popular: optional(z.boolean()),
  numero_resolucion: optional(words(100)),
  secuencial: optional(secuencial),
  fecha_emision: date,
});

/** `tipo_identificacion`: 04, 05, 06, 07 and others. */
export const comprador = z.strictObject({
  identificacion: text(20),
  tipo_identificacion: digits(2),
  razon_social: text(300),
  direccion: text(300),
  telefono: optional(words(300)),
  celular: optional(words(300)),
  correo: optional(words(300)),
});

const named = z.strictObject({ nombre: words(300), detalle: words(300) });
const detallesAdicionales = z.array(named);

export const item = z.strictObject({
  codigo_principal: optional(words(25)),
  codigo_auxiliar: optional(words(25)),
  descripcion: text(300),
  cantidad: z.number(),
  precio_unitario: z.number(),
  descuento: optional(z.number()),
  precio_total_sin_impuesto: optional(z.number()),
  tipoproducto: z.int(),
  tipo_iva: z.int(),
  tipo_ice: optional(z.int()),
  tipo_irbpnr: optional(z.int()),
  subsidio: optional(z.number()),
  unidad_medida: optional(z.int()),
  detalles_adicionales: optional(detallesAdicionales),
});

export const total = z.strictObject({
  codigo: optional(z.string()),
  codigo_porcentaje: optional(z.string()),
  descuento_adicional: optional(z.number()),
  base_imponible: optional(z.number()),
  tarifa: optional(z.number()),
  valor: optional(z.number()),
});

export const pago = z.strictObject({
  tipo: optional(z.int()),
  total: optional(z.number()),
  tiempo: optional(z.string()),
  plazo: optional(z.int()),
});

/** The service adds `RUC Proveedor` itself (spec, "Errors" 9, 10). */
export const informacionAdicional = z
  .array(
    named.refine(({ nombre }) => nombre.replace(/[\s_-]/g, '').toLowerCase() !== 'rucproveedor', {
      path: ['nombre'],
      error: 'El servicio añade "RUC Proveedor" por su cuenta: quite esta entrada.',
    }),
  )
  .max(14, 'Admite hasta 14 entradas.');

export const common = {
  emisor,
  ambiente: z.literal([1, 2]),
  tipo_emision: z.literal([1, 2]).optional(),
  informacion_adicional: informacionAdicional.optional(),
};

/** As publicly described, for documents that the service does not number by itself. */
export const numbered = {
  ...common,
  emisor: emisor.extend({
    secuencial,
    obligado_contabilidad: optional(z.enum(['SI', 'NO'])),
    contribuyente_rimpe: optional(z.enum(['SI', 'NO'])),
    contribuyente_rimpe_popular: optional(z.enum(['SI', 'NO'])),
  }),
};
