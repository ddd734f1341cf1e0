import { z } from 'zod';
import { amountText, freeText, limitText } from '../domain/text.ts';
import { plainWords } from './refusal-words.ts';

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
  .max(100)
  .trim()
  .regex(/^\d{49}$/);

/** An object's access key under either of its spellings, as `claveacceso`; two keys that differ are none. */
export function spelledKey(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('clave_acceso' in value)) return value;
  const { claveacceso, clave_acceso } = value as { claveacceso?: unknown; clave_acceso?: unknown };
  const [one, two] = [accessKey.safeParse(claveacceso).data, accessKey.safeParse(clave_acceso).data];
  return {
    ...value,
    claveacceso: one !== undefined && two !== undefined && one !== two ? null : (one ?? two),
  };
}

/** The service's own number of a document: a whole number, also as text; anything else is none. */
export const documentId = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1));

/** A string, or a number written as one. */
export const text = z.union([freeText, z.number().transform(String)]);
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

/** Whoever has more to say says it of the same mistake. */
const mostMessages = 20;
const longestField = 200;

/** Reads `errors` and `errores`: a string, a list, messages, or field names with their messages (A4); the first 20. */
export function readMessages(value: unknown): ServiceMessage[] {
  return messagesIn(value, 4);
}

function messagesIn(value: unknown, depth: number): ServiceMessage[] {
  if (value === null || value === undefined || value === '' || depth === 0) return [];
  if (Array.isArray(value))
    return value
      .slice(0, mostMessages)
      .flatMap((entry) => messagesIn(entry, depth - 1))
      .slice(0, mostMessages);
  if (typeof value !== 'object') {
    return [
      { identificador: null, mensaje: limitText(String(value)), informacionAdicional: null, tipo: null },
    ];
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
  return Object.entries(value)
    .slice(0, mostMessages)
    .flatMap(([field, entry]) =>
      messagesIn(entry, depth - 1).map((one) =>
        wordNames.has(field) ? one : { ...one, mensaje: `${limitText(field, longestField)}: ${one.mensaje}` },
      ),
    )
    .slice(0, mostMessages);
}

/** Names under which words stand that are about no field. */
const wordNames = new Set(['error', 'errors', 'message', 'mensaje']);

/** The words of a failure under the first name that has some (spec, "Errors" 2 to 4; A4). */
export function readWords(body: Readonly<Record<string, unknown>>): string[] {
  for (const name of ['errors', 'error', 'message', 'mensaje']) {
    const sentences = readMessages(body[name]).map(messageText);
    if (sentences.length > 0) return sentences;
  }
  return [];
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
  estado_texto: lenient(freeText),
  autorizado: lenient(flag),
  requiere_correccion: lenient(flag),
  errores: z.unknown().optional(),
  numero_autorizacion: lenient(text),
  fecha_autorizacion: lenient(freeText),
  xml: lenient(freeText),
  pdf: lenient(freeText),
  enlace_xml: lenient(freeText),
  enlace_pdf: lenient(freeText),
});
export type DocumentFacts = z.output<typeof documentFacts>;

/**
 * The state by A1 and A3, null when the facts say nothing or contradict one another: a document is never
 * called authorised or failed by half of an answer. The text alone does so only beside a number of authorisation.
 */
export function readState(facts: DocumentFacts): 'authorized' | 'error' | 'processing' | null {
  const { estado, estado_texto, autorizado, requiere_correccion } = facts;
  // Only what was authorised can be annulled, whatever the other fields still say (A34).
  if (saysAnnulled(facts)) return requiere_correccion === true ? null : 'authorized';
  const byText = estado == null && saysAuthorized(facts) && hasAuthorization(facts);
  const authorized = autorizado === true || estado === '4' || estado === '9' || byText;
  if (authorized) return autorizado === false || requiere_correccion === true ? null : 'authorized';
  if (requiere_correccion === true) return 'error';
  const silent = estado == null && estado_texto == null && autorizado == null && requiere_correccion == null;
  return silent ? null : 'processing';
}

/** How a type of document is spelled is not shown (A1): null for one that is no code, which says nothing. */
export const typeCode = (tipo: string | null | undefined): string | null =>
  tipo != null && /^\d{1,2}$/.test(tipo) ? tipo.padStart(2, '0') : null;

/** ANULADO in the authority's own word; one that is yet to be annulled (PENDIENTE DE ANULAR) still counts. */
export const saysAnnulled = ({ estado_texto }: Pick<DocumentFacts, 'estado_texto'>): boolean =>
  /^anulad[oa]$/.test(plainWords(estado_texto ?? ''));

const saysAuthorized = ({ estado_texto }: DocumentFacts): boolean =>
  /^autorizad[oa]$/.test(plainWords(estado_texto ?? ''));

/** 49 digits, those of the access key; 37 or 10 in earlier schemes. */
const hasAuthorization = ({ numero_autorizacion: number, claveacceso: key }: DocumentFacts): boolean =>
  number != null &&
  /^(?:\d{10}|\d{37}|\d{49})$/.test(number) &&
  (number.length < 49 || (key ?? number) === number);

/** Whether nothing but its text says that a document is authorised: then only its XML can (A1). */
export function isToldByText(facts: DocumentFacts): boolean {
  const { estado, autorizado, requiere_correccion } = facts;
  return saysAuthorized(facts) && estado == null && autorizado == null && requiere_correccion !== true;
}

/** The facts may also lie under `data` or `comprobante` (A1). */
export function readFacts(body: Record<string, unknown>): DocumentFacts | null {
  for (const place of [body, body.data, body.comprobante]) {
    const facts = documentFacts.safeParse(spelledKey(place));
    if (facts.success && readState(facts.data) !== null) return facts.data;
  }
  return null;
}

/** A number, or one written as text; nothing else is one, for null and "" would count as 0. */
export const figure = z.union([
  z.number(),
  amountText
    .trim()
    .regex(/^[+-]?\d+(?:\.\d+)?$/)
    .transform(Number),
]);

const credits = z.object({ creditos_disponibles: figure });

/** `creditos_disponibles` wherever it stands (A7); null when it stands nowhere. */
export function readCredits(body: unknown, depth = 4): number | null {
  if (typeof body !== 'object' || body === null || depth === 0) return null;
  const here = credits.safeParse(body);
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
  return limitText(typeof value === 'string' ? value : JSON.stringify(value));
}
