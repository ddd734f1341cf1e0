import { z } from 'zod';
import type { EffectFailure, Failure, NoFunds, Refused, Throttled, Unknown } from '../answers.ts';
import type { CreditMovement, DeliveryAttempt } from '../inferred-accounts.ts';
import { digits, type FieldErrors, httpUrl, text } from './blocks.ts';

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

const words = z.string().nullish();
const flag = z.boolean().optional();

/** Conditions: spec, "Company (issuer)" and "Errors" 12. */
export const companyRequest = z
  .strictObject({
    ruc: digits(13),
    razon_social: text(),
    ncontribuyenteespecial: words,
    calificacionartesanal: words,
    exportador_habitual: flag,
    grancontribuyente: flag,
    agenteretencion: flag,
    contabilidad: flag,
    regimen_rimpe: flag,
    regimen_rimpe_popular: flag,
    numero_resolucion: words,
    smtp: flag,
    smtp_host: words,
    smtp_port: z.int().min(1).max(65535).nullish(),
    smtp_user: words,
    smtp_password: words,
    smtp_encryption: z.enum(['tls', 'ssl']).nullish(),
    smtp_from_email: words,
    smtp_from_name: words,
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
