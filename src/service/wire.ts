import { z } from 'zod';
import { accessKey, flag } from './inferred.ts';

/** The answer of the emission routes (spec, "Emission response fields" and "Errors" 1, 2). */
export const emissionBody = z.object({
  creado: flag,
  claveacceso: accessKey.nullish().catch(null),
  errors: z.unknown().optional(),
  mensaje: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  aviso_proveedor_sri: z.unknown().optional(),
});

/** Any other JSON answer: an object whose `success`, when it stands there, is not false. */
export const plainBody = z
  .looseObject({ success: flag.optional().catch(undefined) })
  .refine((body) => body.success !== false);

/** `POST /api/ping` (spec, endpoints). */
export const pingBody = z.object({ pong: z.literal(true) });

/** The body of a webhook delivery as far as we read it (spec, "Body fields"; `webhook.prueba`: A11). */
export const webhookBody = z.discriminatedUnion('evento', [
  z.object({ evento: z.literal('webhook.prueba') }),
  z.object({
    evento: z.enum(['comprobante.autorizado', 'comprobante.error']),
    claveacceso: accessKey,
    tipo_comprobante: z.string(),
    numero: z.string().regex(/^\d{3}-\d{3}-\d{9}$/),
    ambiente: z.coerce.number().pipe(z.literal([1, 2])),
    ruc_emisor: z.string().regex(/^\d{13}$/),
  }),
]);
export type ServiceEvent = z.output<typeof webhookBody>;
export type DocumentEvent = Exclude<ServiceEvent, { evento: 'webhook.prueba' }>;
