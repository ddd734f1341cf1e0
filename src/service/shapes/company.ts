import { z } from 'zod';
import type { EffectFailure, Failure, Refused } from '../answers.ts';
import { digits, type FieldErrors, text } from './checked.ts';

const words = z.string().nullish();
const flag = z.boolean().optional();

/** Company fields for create and edit, with their conditions (spec, "Company (issuer)" and "Errors" 12). */
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

/** A signature: the bytes of the .p12 and its password. */
export const signatureRequest = z.strictObject({
  ruc: digits(13),
  firma_file: bytes(largestSignature),
  password: z.string(),
});
export type SignatureRequest = z.input<typeof signatureRequest>;

/** A logo: the bytes of a PNG or JPEG. */
export const logoRequest = z.strictObject({
  ruc: digits(13),
  logo_file: bytes(largestLogo).refine((file) => imageType(file) !== null, 'Debe ser una imagen PNG o JPEG.'),
});
export type LogoRequest = z.input<typeof logoRequest>;

/** By the first bytes, as the service cannot trust a name either. */
export function imageType(file: Uint8Array): 'png' | 'jpeg' | null {
  const begins = (...head: number[]) => head.every((byte, at) => file[at] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  return begins(0xff, 0xd8, 0xff) ? 'jpeg' : null;
}

/** `fields` holds the messages by field name as the service gave them; `errors` the same as sentences. */
export type CompanyRefused = Refused & { fields: FieldErrors };

/** The company as the service answers it (spec, `EmpresaResponse`). */
export interface SavedCompany {
  kind: 'saved';
  empresa: { id: number | null; ruc: string | null; razonSocial: string | null };
  mensaje: string | null;
  aviso: string | null;
}

export type NewCompanyAnswer = SavedCompany | CompanyRefused | EffectFailure;
/** `not-found`: no company with this RUC. */
export type CompanyAnswer = SavedCompany | { kind: 'not-found' } | CompanyRefused | Failure;
