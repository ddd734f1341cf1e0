import { z } from 'zod';
import { optionalText } from '../emission/blocks.ts';
import { isRuc } from './identifications.ts';

// Text limits are those of the issuer block: a longer one could never be emitted (assumption A29).
const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');
const nullableText = (max: number) => optionalText(max).nullable().default(null);
const flag = () => z.boolean().default(false);

/** A RUC as every company route takes it. */
export const ruc = z
  .string()
  .refine((text) => /^\d{13}$/.test(text), { error: 'debe tener exactamente 13 dígitos', abort: true })
  .refine(isRuc, 'no es un RUC válido')
  .meta({ pattern: '^\\d{13}$', description: '13 digits; check digits are not enforced.' });

/** What a company is created and edited with (spec, "Company (issuer)"): one schema for both. */
export const companySchema = z
  .strictObject({
    ruc,
    razon_social: optionalText(300)
      .refine((text) => !isBlank(text), 'es obligatorio y llegó vacío')
      .meta({ pattern: '\\S', description: 'Legal name.' }),
    ncontribuyenteespecial: nullableText(50).describe('Special taxpayer number.'),
    calificacionartesanal: nullableText(50).describe('Artisan qualification.'),
    exportador_habitual: flag(),
    grancontribuyente: flag(),
    agenteretencion: flag().describe('When true, numero_resolucion is required.'),
    contabilidad: flag().describe('Obliged to keep accounts.'),
    regimen_rimpe: flag().describe('Only one RIMPE regime may be active.'),
    regimen_rimpe_popular: flag().describe('Only one RIMPE regime may be active.'),
    numero_resolucion: nullableText(100).describe('Required when agenteretencion is true.'),
    smtp: flag().describe('Enables custom mail settings.'),
    smtp_host: nullableText(300),
    smtp_port: z
      .int()
      .refine((port) => port >= 1 && port <= 65_535, 'debe estar entre 1 y 65535')
      .meta({ minimum: 1, maximum: 65_535 })
      .nullable()
      .default(null),
    smtp_user: nullableText(300),
    smtp_password: nullableText(300),
    smtp_encryption: z
      .enum(['tls', 'ssl'], 'solo admite tls, ssl o null')
      .nullable()
      .default(null)
      .describe('tls, ssl or null.'),
    smtp_from_email: optionalText(300)
      .refine((text) => isBlank(text) || /^[^\s@]+@[^\s@]+$/.test(text), 'debe ser una dirección de correo')
      .nullable()
      .default(null),
    smtp_from_name: nullableText(300).describe('Optional even when smtp is true.'),
  })
  .superRefine((fields, context) => {
    const refuse = (field: keyof typeof fields, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (fields.regimen_rimpe && fields.regimen_rimpe_popular) {
      refuse(
        'regimen_rimpe',
        'no puede estar activo junto con regimen_rimpe_popular: solo un régimen RIMPE puede estar activo',
      );
    }
    if (fields.agenteretencion && isBlank(fields.numero_resolucion)) {
      refuse('numero_resolucion', 'es obligatorio cuando agenteretencion es true');
    }
    if (!fields.smtp) return;
    for (const field of [
      'smtp_host',
      'smtp_port',
      'smtp_user',
      'smtp_password',
      'smtp_from_email',
    ] as const) {
      if (isBlank(fields[field])) refuse(field, 'es obligatorio cuando smtp es true');
    }
  });

/** A company's fields with every default filled in. */
export type CompanyFields = z.infer<typeof companySchema>;
/** A company's fields as a client writes them. */
export type CompanyInput = z.input<typeof companySchema>;
