import { z } from 'zod';

// Answers that several operations share, for the description (OpenAPI, MCP).

/** What any answer may carry beside its own fields (spec, "Errors" 8). */
export const aviso = {
  aviso_proveedor_sri: z
    .string()
    .optional()
    .describe('Only while the provider data of the account is not approved: what is missing.'),
};

/** `success: false` with a sentence. */
export const failed = z
  .looseObject({ success: z.literal(false), message: z.string(), ...aviso })
  .meta({ id: 'Error' });

/** Failures every keyed operation outside emission knows. */
export const plainFailures = {
  401: { says: 'Invalid API key', json: failed },
  429: { says: 'More than 300 requests per minute; Retry-After in seconds', json: failed },
} as const;

/** The answer of an emission that created nothing. */
export const notCreated = z
  .looseObject({
    creado: z.literal(false),
    claveacceso: z.string().optional(),
    errors: z.array(z.string()),
    ...aviso,
  })
  .meta({ id: 'EmisionError' });

/** The answer of an emission (spec, "Electronic document"). */
export const emitted = z
  .looseObject({
    creado: z.literal(true),
    claveacceso: z.string().regex(/^\d{49}$/),
    id_comprobante: z.int(),
    estado: z.string(),
    mensaje: z.string(),
    ...aviso,
  })
  .meta({ id: 'EmisionResponse' });

export const accessKeyParams = z.object({
  claveacceso: z.string().describe('The access key, 49 digits.'),
});
