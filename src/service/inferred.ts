import { z } from 'zod';
import { amountText, freeText, limitText, word } from '../domain/text.ts';

/** Shapes that the specification does not show; each names its row in docs/assumptions.md. A missing field is null. */

/** `creado`, `autorizado` …: a comparable service writes "true" and "false" as strings (A9). */
export const flag = z.preprocess(
  (value) =>
    typeof value === 'string' ? ({ true: true, false: false }[value.trim().toLowerCase()] ?? value) : value,
  z.boolean(),
);

/** The 49 digits, as a string: a JSON number would lose its last digits. */
export const accessKey = z
  .string()
  .max(100)
  .trim()
  .regex(/^\d{49}$/);

/** Under either spelling; null where two keys differ. */
export function spelledKey(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('clave_acceso' in value)) return value;
  const { claveacceso, clave_acceso } = value as { claveacceso?: unknown; clave_acceso?: unknown };
  const [one, two] = [accessKey.safeParse(claveacceso).data, accessKey.safeParse(clave_acceso).data];
  return {
    ...value,
    claveacceso: one !== undefined && two !== undefined && one !== two ? null : (one ?? two),
  };
}

/** The service's own number of a document, also as text. */
export const documentId = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1));

export const text = z.union([freeText, z.number().transform(String)]);
export const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

/** A message of the service or the tax authority (A4). */
export interface ServiceMessage {
  /** The authority's number, for instance "45"; null for a message of the service itself. */
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

const mostMessages = 20;
const longestField = 200;

/** A string, a list, messages, or field names with their messages (A4); the first 20. */
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

const wordNames = new Set(['error', 'errors', 'message', 'mensaje']);

export function readWords(body: Readonly<Record<string, unknown>>): string[] {
  for (const name of ['errors', 'error', 'message', 'mensaje']) {
    const sentences = readMessages(body[name]).map(messageText);
    if (sentences.length > 0) return sentences;
  }
  return [];
}

export function messageText({ identificador, mensaje, informacionAdicional }: ServiceMessage): string {
  const head = identificador === null ? mensaje : `${identificador}: ${mensaje}`;
  return informacionAdicional === null ? head : `${head} (${informacionAdicional})`;
}

/** The fields of `consulta` (A1) and of the webhook's body. */
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

/** By A1 and A3; null when the facts are missing or contradict one another, so that they never decide. */
export function readState(facts: DocumentFacts): 'authorized' | 'error' | 'processing' | null {
  const { estado, estado_texto, autorizado, requiere_correccion } = facts;
  // Only an authorised document can be annulled, whatever the other fields state (A34).
  if (saysAnnulled(facts)) return requiere_correccion === true ? null : 'authorized';
  const byText = estado == null && saysAuthorized(facts) && hasAuthorization(facts);
  const authorized = autorizado === true || estado === '4' || estado === '9' || byText;
  if (authorized) return autorizado === false || requiere_correccion === true ? null : 'authorized';
  if (requiere_correccion === true) return 'error';
  const silent = estado == null && estado_texto == null && autorizado == null && requiere_correccion == null;
  return silent ? null : 'processing';
}

/** Two digits; the specification does not show the spelling (A1). Null for anything else. */
export const typeCode = (tipo: string | null | undefined): string | null =>
  tipo != null && /^\d{1,2}$/.test(tipo) ? tipo.padStart(2, '0') : null;

/** ANULADO, the authority's word; a document yet to be annulled (PENDIENTE DE ANULAR) is valid. */
export const saysAnnulled = ({ estado_texto }: Pick<DocumentFacts, 'estado_texto'>): boolean =>
  /^anulad[oa]$/.test(plainWords(estado_texto ?? ''));

const saysAuthorized = ({ estado_texto }: DocumentFacts): boolean =>
  /^autorizad[oa]$/.test(plainWords(estado_texto ?? ''));

/** 49 digits, equal to the access key; 37 or 10 in earlier schemes. */
const hasAuthorization = ({ numero_autorizacion: number, claveacceso: key }: DocumentFacts): boolean =>
  number != null &&
  /^(?:\d{10}|\d{37}|\d{49})$/.test(number) &&
  (number.length < 49 || (key ?? number) === number);

export function isReportedByText(facts: DocumentFacts): boolean {
  const { estado, autorizado, requiere_correccion } = facts;
  return saysAuthorized(facts) && estado == null && autorizado == null && requiere_correccion !== true;
}

/** At the top or under `data` or `comprobante` (A1). */
export function readFacts(body: Record<string, unknown>): DocumentFacts | null {
  for (const place of [body, body.data, body.comprobante]) {
    const facts = documentFacts.safeParse(spelledKey(place));
    if (facts.success && readState(facts.data) !== null) return facts.data;
  }
  return null;
}

/** Null and "" are not 0. */
export const figure = z.union([
  z.number(),
  amountText
    .trim()
    .regex(/^[+-]?\d+(?:\.\d+)?$/)
    .transform(Number),
]);

const credits = z.object({ creditos_disponibles: figure });

/** `creditos_disponibles`, at any depth up to four (A7); null without it. */
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

export function readNotice(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return limitText(typeof value === 'string' ? value : JSON.stringify(value));
}

/* The specification shows no error codes (spec, "Errors"), so the words decide, without case and accents. */

const plainWords = (sentence: string): string =>
  sentence
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.,:;()\n]/g, ' | ')
    .replace(/[^a-z0-9|]+/g, ' ')
    .trim();

const anyMatches =
  (...patterns: readonly RegExp[]) =>
  (sentences: readonly string[]): boolean =>
    sentences.some((one) => patterns.some((pattern) => pattern.test(plainWords(one))));

const existing =
  /\bya existe\b|\bya (?:fue |ha sido |esta |se encuentra )?(?:registrad|emitid|autorizad|utilizad|usad)[oa]\b|^(?:registrad|duplicad)[oa]$|\b(?:clave|comprobante|documento|secuencial|numero|factura|nota)s?(?: [a-z0-9]{1,60}){0,6} (?:registrad|duplicad)[oa]\b/;
const notExisting = /\b(?:no|sin|nunca) (?:[a-z0-9]{1,60} ){0,3}(?:registrad|duplicad|emitid|autorizad)/;

/** The service has the document, its key or its number already: "Clave de acceso registrada". */
export const saysExists = (sentences: readonly string[]): boolean =>
  sentences.some((one) => {
    const plain = plainWords(one);
    return existing.test(plain) && (plain.includes('ya existe') || !notExisting.test(plain));
  });

/** The API key is wrong or missing: "Api_key No existe". */
export const saysBadKey = anyMatches(
  /\bapi ?key (?:es |esta )?(?:no existe|no valid|no encontrad|invalid|incorrect|requerid|obligatori|inactiv|revocad)/,
  /\b(?:falta|sin|invalid[ao]?) (?:la |el )?(?:header )?(?:x )?api ?key\b/,
);

/** "Sin créditos", "Sin saldo / comprobantes disponibles". A "nota de crédito" is no credit of the account. */
export const saysNoCredits = (sentences: readonly string[]): boolean =>
  noBalance(sentences) || sentences.some(lacksCredits);

const noBalance = anyMatches(
  /\b(?:sin|no (?:tiene|hay|posee|cuenta con|dispone de|queda|le queda)) (?:saldo\b|(?:comprobantes|documentos) disponibles)/,
  /\b(?:saldo|comprobantes disponibles|documentos disponibles) (?:insuficientes?|agotad[oa]s?)\b/,
  /\b(?:comprobantes|documentos) agotados\b/,
);

function lacksCredits(sentence: string): boolean {
  const plain = plainWords(sentence);
  const [first, last] = [plain.search(/\bcreditos\b/), plain.lastIndexOf('creditos')];
  if (first < 0) return false;
  const before = plain.search(/\b(?:no|sin|insuficientes)\b/);
  return (before >= 0 && before < last) || /\b(?:insuficientes|agotados)/.test(plain.slice(first));
}

export const namesIssueDate = anyMatches(/\bfecha ?(?:de ?)?(?:la ?)?emision/);

export const namesProvider = anyMatches(/proveedor/);

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

export const plainBody = z
  .looseObject({ success: flag.optional().catch(undefined) })
  .refine((body) => body.success !== false);

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

export const webhookEvent = z.object({ evento: word });

/** Every field but the event's name and the access key may be missing (spec, "Body fields"). */
export const documentBody = documentFacts.extend({
  evento: z.enum(['comprobante.autorizado', 'comprobante.error']),
  claveacceso: accessKey,
});
export type DocumentBody = z.output<typeof documentBody>;
