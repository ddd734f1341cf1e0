import { z } from 'zod';

/**
 * Every shape of the service that its specification does not show, in one place; each entry names its row in
 * docs/assumptions.md. Read as widely as is safe: a missing field is null, an unreadable whole is no answer.
 */

/** `creado`, `autorizado` …: a comparable service writes "true" and "false" as strings (A9). */
export const flag = z.preprocess(
  (value) =>
    typeof value === 'string' ? ({ true: true, false: false }[value.trim().toLowerCase()] ?? value) : value,
  z.boolean(),
);

/** The 49 digits. A JSON number would have lost its last digits, so only a string will do. */
export const accessKey = z
  .string()
  .trim()
  .regex(/^\d{49}$/);

/** A string, or a number written as one. */
export const text = z.union([z.string(), z.number().transform(String)]);
/** What cannot be read is null. */
export const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

/** One message of the service or the tax authority (A4). */
export interface ServiceMessage {
  /** The authority's number, for instance "45"; null when the service speaks for itself. */
  identificador: string | null;
  mensaje: string;
  informacionAdicional: string | null;
  tipo: string | null;
}

const messageObject = z.object({
  identificador: lenient(text),
  mensaje: text,
  informacionAdicional: lenient(text),
  tipo: lenient(text),
});

/** Reads `errors` and `errores`: a string, a list, messages, or field names with their messages (A4). */
export function readMessages(value: unknown, depth = 4): ServiceMessage[] {
  if (value === null || value === undefined || value === '' || depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => readMessages(entry, depth - 1));
  if (typeof value !== 'object') {
    return [{ identificador: null, mensaje: String(value), informacionAdicional: null, tipo: null }];
  }
  const message = messageObject.safeParse(value);
  if (message.success) {
    const { identificador, mensaje, informacionAdicional, tipo } = message.data;
    return [
      {
        identificador: identificador ?? null,
        mensaje,
        informacionAdicional: informacionAdicional || null,
        tipo: tipo ?? null,
      },
    ];
  }
  return Object.entries(value).flatMap(([field, entry]) =>
    readMessages(entry, depth - 1).map((one) => ({ ...one, mensaje: `${field}: ${one.mensaje}` })),
  );
}

/** A message as one line for the merchant: "45: SECUENCIAL REGISTRADO (detalle)". */
export function messageText({ identificador, mensaje, informacionAdicional }: ServiceMessage): string {
  const head = identificador === null ? mensaje : `${identificador}: ${mensaje}`;
  return informacionAdicional === null ? head : `${head} (${informacionAdicional})`;
}

/** What `consulta` says about a document (A1); the webhook's body has the same fields. */
export const documentFacts = z.object({
  claveacceso: lenient(accessKey),
  tipo_comprobante: lenient(text),
  numero: lenient(text),
  ambiente: lenient(z.coerce.number()),
  ruc_emisor: lenient(text),
  estado: lenient(text),
  estado_texto: lenient(z.string()),
  autorizado: lenient(flag),
  requiere_correccion: lenient(flag),
  errores: z.unknown().optional(),
  numero_autorizacion: lenient(text),
  fecha_autorizacion: lenient(z.string()),
});
export type DocumentFacts = z.output<typeof documentFacts>;

/**
 * The state by A1 and A3, null when the facts say nothing or contradict one another: a document is never
 * called authorised or failed by half of an answer.
 */
export function readState(facts: DocumentFacts): 'authorized' | 'error' | 'processing' | null {
  const { estado, estado_texto, autorizado, requiere_correccion } = facts;
  const authorized = autorizado === true || estado === '4' || estado === '9';
  if (authorized) return autorizado === false || requiere_correccion === true ? null : 'authorized';
  if (requiere_correccion === true) return 'error';
  const silent = estado == null && estado_texto == null && autorizado == null && requiere_correccion == null;
  return silent ? null : 'processing';
}

/** The facts may also lie under `data` or `comprobante` (A1). */
export function readFacts(body: Record<string, unknown>): DocumentFacts | null {
  for (const place of [body, body.data, body.comprobante]) {
    const facts = documentFacts.safeParse(place);
    if (facts.success && readState(facts.data) !== null) return facts.data;
  }
  return null;
}

/** `creditos_disponibles` wherever it stands (A7); null when it stands nowhere. */
export function readCredits(body: unknown, depth = 4): number | null {
  if (typeof body !== 'object' || body === null || depth === 0) return null;
  const here = z.object({ creditos_disponibles: z.coerce.number() }).safeParse(body);
  if (here.success) return here.data.creditos_disponibles;
  for (const part of Object.values(body)) {
    const found = readCredits(part, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

/** `aviso_proveedor_sri` as a sentence whatever its shape (A8). */
export function readNotice(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
