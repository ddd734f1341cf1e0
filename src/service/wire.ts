import { z } from 'zod';
import { freeText, word } from '../domain/text.ts';
import { accessKey, documentFacts, documentId, flag, lenient, spelledKey, text } from './inferred.ts';

/** The answer of the emission routes (spec, "Emission response fields" and "Errors" 1, 2; A9). */
export const emissionBody = z.preprocess(
  spelledKey,
  z.looseObject({
    creado: flag.optional().catch(undefined),
    claveacceso: lenient(accessKey),
    id_comprobante: lenient(documentId),
    aviso_proveedor_sri: z.unknown().optional(),
  }),
);

/** Any other JSON answer: an object whose `success`, if present, is not false. */
export const plainBody = z
  .looseObject({ success: flag.optional().catch(undefined) })
  .refine((body) => body.success !== false);

/** An answer whose flags, by any of their names, are true or false where present. */
export const flaggedBody = z.looseObject({
  success: flag.optional(),
  respuesta: flag.optional(),
  creado: flag.optional(),
});

/** `POST /api/ping` (spec, endpoints). */
export const pingBody = z.object({ pong: z.literal(true) });

/** The answer of the company routes (spec, `EmpresaResponse`); failures have `errors` by field. */
export const companyBody = z.object({
  respuesta: flag,
  mensaje: lenient(freeText),
  data: lenient(
    z.object({ id: lenient(z.coerce.number()), ruc: lenient(text), razon_social: lenient(text) }),
  ),
});

/** Every delivery names its event (spec, "Body fields"; `webhook.prueba`: assumption A11). */
export const webhookEvent = z.object({ evento: word });

/** An event about a document: every field but its name and the access key may be missing (spec, "Body fields"). */
export const documentBody = documentFacts.extend({
  evento: z.enum(['comprobante.autorizado', 'comprobante.error']),
  claveacceso: accessKey,
});
export type DocumentBody = z.output<typeof documentBody>;
