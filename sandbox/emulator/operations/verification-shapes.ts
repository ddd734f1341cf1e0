import { z } from 'zod';
import { isCedula } from '../accounts/identifications.ts';
import { verificationPrices } from '../accounts/prices.ts';
import { type VerificationKind, verificationEnds } from '../accounts/verifications.ts';
import { inSpanish, sentence } from '../emission/validation.ts';
import type { DescribedAnswer } from '../operation.ts';
import { refusedWebhookUrl } from '../webhooks/webhook-url.ts';
import { failed } from './shapes.ts';

const kinds = Object.keys(verificationPrices) as [VerificationKind, ...VerificationKind[]];
const longestMinutes = 10_080;

/** What a verification is created with (spec, "Identity verification"); only `tipo` is needed (assumption A26). */
export const request = z.strictObject({
  tipo: z.enum(kinds).describe('Liveness proof, ID card OCR, or both with facial match.'),
  cedula_esperada: z
    .string()
    .refine(isCedula, 'no es una cédula posible: tiene 10 dígitos, provincia y dígito verificador')
    .optional()
    .describe('The ID number the person is expected to have.'),
  webhook_url: z.string().optional().describe('A public URL that receives the result.'),
  tiempo_expiracion_minutos: z
    .int()
    .min(1, 'debe ser 1 o más')
    .max(longestMinutes, `admite ${longestMinutes} como máximo, siete días`)
    .optional()
    .describe('60 when left out.'),
});
export type VerificationRequest = z.output<typeof request>;

/** The fields of a request, or a sentence for each mistake in it. */
export function readRequest(
  value: unknown,
  allowInternal: boolean,
): { fields: VerificationRequest } | { errors: string[] } {
  const read = request.safeParse(value, { error: inSpanish });
  if (!read.success) return { errors: read.error.issues.map(sentence) };
  const { webhook_url } = read.data;
  const refused = webhook_url === undefined ? undefined : refusedWebhookUrl(webhook_url, allowInternal);
  return refused ? { errors: [`webhook_url: ${refused}`] } : { fields: read.data };
}

const instant = z.iso.datetime().describe('ISO 8601, UTC.');
const creation = {
  id: z.string(),
  url_verificacion: z.url().describe('Where the end user is sent.'),
  estado: z.enum(['pendiente', ...verificationEnds]),
  costo: z.number().describe('USD without VAT.'),
  expira_en: instant,
};
/** A verification, as read and as sent to its own webhook. */
export const record = {
  ...creation,
  tipo: z.enum(kinds),
  cedula_esperada: z.string().nullable(),
  creado_en: instant,
  finalizado_en: instant.nullable(),
};

/** The verification creation response (spec, "Identity verification"). */
export const created: DescribedAnswer = {
  says: 'Created and charged',
  json: z.looseObject({ success: z.literal(true), ...creation, estado: z.literal('pendiente') }),
};
export const one: DescribedAnswer = {
  says: 'The verification',
  json: z.looseObject({ success: z.literal(true), ...record }),
};
export const list: DescribedAnswer = {
  says: 'The verifications',
  json: z.looseObject({
    success: z.literal(true),
    verificaciones: z.array(z.object(record).meta({ id: 'Verificacion' })),
  }),
};
export const refusedRequest: DescribedAnswer = {
  says: 'What is wrong with the request, field by field',
  inferred: true,
  json: z
    .looseObject({ success: z.literal(false), message: z.string(), errors: z.array(z.string()) })
    .or(failed),
};
export const noMoney: DescribedAnswer = {
  says: 'The general wallet does not hold the price and its VAT',
  inferred: true,
  json: failed,
};
/** Without access (spec, "Errors" 11). */
export const betaPrivada: DescribedAnswer = {
  says: 'The account has no access to the private beta',
  json: z.looseObject({ success: z.literal(false), code: z.literal('beta_privada'), message: z.string() }),
};
export const verificationParams = z.object({ id: z.string().describe('As its creation answered it.') });
