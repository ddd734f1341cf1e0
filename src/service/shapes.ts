import { z } from 'zod';
import type { EffectFailure, Failure, NoFunds, Refused, Throttled, Unknown } from './answers.ts';
import type { CreditMovement, DeliveryAttempt } from './inferred-accounts.ts';

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
const httpUrl = z.url({ protocol: /^https?$/, hostname: /./ }).meta({ description: 'http or https' });

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

/** Factura (01), every field of its table (spec, "Electronic document"). */
export const facturaRequest = z.strictObject({
  ...common,
  comprador,
  items: z.array(item).min(1, 'Debe tener al menos una línea.'),
  totales: z.array(total).optional(),
  pagos: z.array(pago).optional(),
  codigoDoc: words(300).optional(),
  guiaremision: z.string().optional(),
  placa: z.string().optional(),
});
export type FacturaRequest = z.input<typeof facturaRequest>;

/** `documento_modificado` is inferred (assumption A21), so its fields are optional and others are allowed. */
export const notaCreditoRequest = z.looseObject({
  ...common,
  comprador,
  items: z.array(item.extend({ valor_ice: z.number().optional() })).min(1, 'Debe tener al menos una línea.'),
  documento_modificado: z.looseObject({
    codigo_documento_sustento: z.union([z.string(), z.int()]).optional(),
    numero_documento_sustento: z.string().optional(),
    fecha_documento_sustento: z.string().optional(),
    motivo: words(300).optional(),
    anula_comprobante: z.enum(['SI', 'NO']).optional(),
  }),
  totales: z.array(total).optional(),
});
export type NotaCreditoRequest = z.input<typeof notaCreditoRequest>;

export const ruc = digits(13);
export const cedula = digits(10);

export interface LookUpOptions {
  prefix?: 'sri' | 'consulta';
  /** POST keeps the number out of the address. */
  method?: 'GET' | 'POST';
}

/** `cache`: of the last 24 hours; `costo` in USD. `not-found` costs nothing. `no-funds`: the wallet is empty. */
export type LookUpAnswer<Facts> =
  | {
      kind: 'found';
      facts: Facts;
      data: Readonly<Record<string, unknown>>;
      cache: boolean | null;
      costo: number | null;
      gratisRestantes: number | null;
      aviso: string | null;
    }
  | { kind: 'not-found'; mensaje: string | null }
  | NoFunds
  | Refused
  | Failure;

const anyText = z.string().nullish();
const flag = z.boolean().optional();

/** Conditions: spec, "Company (issuer)" and "Errors" 12. */
export const companyRequest = z
  .strictObject({
    ruc: digits(13),
    razon_social: text(),
    ncontribuyenteespecial: anyText,
    calificacionartesanal: anyText,
    exportador_habitual: flag,
    grancontribuyente: flag,
    agenteretencion: flag,
    contabilidad: flag,
    regimen_rimpe: flag,
    regimen_rimpe_popular: flag,
    numero_resolucion: anyText,
    smtp: flag,
    smtp_host: anyText,
    smtp_port: z.int().min(1).max(65535).nullish(),
    smtp_user: anyText,
    smtp_password: anyText,
    smtp_encryption: z.enum(['tls', 'ssl']).nullish(),
    smtp_from_email: anyText,
    smtp_from_name: anyText,
  })
  .check(({ value, issues }) => {
    const lacks = (name: keyof typeof value) => value[name] == null || value[name] === '';
    const wrong = (field: string, message: string) =>
      issues.push({ code: 'custom', input: undefined, path: [field], message });
    if (value.regimen_rimpe && value.regimen_rimpe_popular) {
      wrong('regimen_rimpe', 'Solo un régimen RIMPE puede estar activo.');
    }
    if (value.agenteretencion && lacks('numero_resolucion')) {
      wrong('numero_resolucion', 'Es obligatorio para un agente de retención.');
    }
    if (!value.smtp) return;
    for (const name of ['smtp_host', 'smtp_port', 'smtp_user', 'smtp_password', 'smtp_from_email'] as const) {
      if (lacks(name)) wrong(name, 'Es obligatorio cuando smtp es true.');
    }
  });
export type CompanyRequest = z.input<typeof companyRequest>;

/** Spec, "Limits". */
const mebibyte = 1024 * 1024;
const largestSignature = 10 * mebibyte;
const largestLogo = 2 * mebibyte;

const file: z.ZodType<Uint8Array, Uint8Array> = z.instanceof(Uint8Array, {
  error: 'Deben ser los bytes del archivo.',
});
const bytes = (largest: number) =>
  file
    .refine((file) => file.length > 0, 'El archivo está vacío.')
    .refine((file) => file.length <= largest, `El archivo pasa de ${largest / mebibyte} MB.`);

export const signatureRequest = z.strictObject({
  ruc: digits(13),
  firma_file: bytes(largestSignature),
  password: z.string(),
});
export type SignatureRequest = z.input<typeof signatureRequest>;

export const logoRequest = z.strictObject({
  ruc: digits(13),
  logo_file: bytes(largestLogo).refine((file) => imageType(file) !== null, 'Debe ser una imagen PNG o JPEG.'),
});
export type LogoRequest = z.input<typeof logoRequest>;

export function imageType(file: Uint8Array): 'png' | 'jpeg' | null {
  const begins = (...head: number[]) => head.every((byte, at) => file[at] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  return begins(0xff, 0xd8, 0xff) ? 'jpeg' : null;
}

/** `fields` has the service's messages by field name; `errors` the same as sentences. */
export type CompanyRefused = Refused & { fields: FieldErrors };

export interface SavedCompany {
  kind: 'saved';
  empresa: { id: number | null; ruc: string | null; razonSocial: string | null };
  mensaje: string | null;
  aviso: string | null;
}

export type NewCompanyAnswer = SavedCompany | CompanyRefused | EffectFailure;
export type CompanyAnswer = SavedCompany | { kind: 'not-found' } | CompanyRefused | Failure;

/** Assumption A7. The service's defaults: 20, the first page, all. */
export const creditHistoryRequest = z.strictObject({
  limit: z.int().min(1).max(100).optional(),
  page: z.int().min(1).optional(),
  tipo: z.enum(['consumo', 'recarga', 'rollback']).optional(),
  ambiente: z.enum(['1', '2']).optional(),
});
export type CreditHistoryRequest = z.input<typeof creditHistoryRequest>;

/** One page, in the service's order. A list with an unreadable entry is `unknown`. */
export type CreditHistoryAnswer =
  | { kind: 'history'; movimientos: CreditMovement[]; aviso: string | null }
  | Refused
  | Failure;

/** The state of the service and of the tax authority (assumption A27); unknown words pass unchanged. */
export type StatusAnswer =
  | {
      kind: 'status';
      estado: string;
      sri: { recepcion: string | null; autorizacion: string | null };
      actualizadoEn: string | null;
    }
  | Throttled
  | Unknown;

/** The account's one webhook (assumption A12). Without `secret` the current one stays, or one is generated. */
export const webhookRequest = z.strictObject({
  url: httpUrl,
  secret: text().optional(),
  activo: z.boolean().optional(),
});
export type WebhookRequest = z.input<typeof webhookRequest>;

/** The saved webhook; `secret` is masked. `url` null: none is saved. */
export type WebhookAnswer =
  | {
      kind: 'webhook';
      url: string | null;
      secret: string | null;
      activo: boolean | null;
      ultimasEntregas: DeliveryAttempt[];
      aviso: string | null;
    }
  | Failure;

/** `secret` in full: the service shows it only here. */
export type SavedWebhookAnswer =
  | { kind: 'saved'; url: string | null; secret: string | null; activo: boolean | null; aviso: string | null }
  | Refused
  | Failure;
