import { createHmac, timingSafeEqual } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { parseJson } from '../domain/loose.ts';
import {
  type DocumentBody,
  type DocumentFacts,
  documentBody,
  readMessages,
  readState,
  type ServiceMessage,
  spelledKey,
  typeCode,
  webhookEvent,
} from './inferred.ts';

/** Without data of its buyer. */
export interface DocumentEvent {
  evento: 'comprobante.autorizado' | 'comprobante.error';
  claveacceso: string;
  /** Null when the body only names the document: then ask for its state. */
  state: 'authorized' | 'error' | null;
  numeroAutorizacion: string | null;
  fechaAutorizacion: string | null;
  errors: ServiceMessage[];
}

/** Spec, "Body fields". `contradictory`: its parts do not agree, and none of it is used. */
export function readEvent(body: DocumentBody): DocumentEvent | 'contradictory' {
  const { evento, claveacceso } = body;
  if (!agreesWithKey(body)) return 'contradictory';
  const state = stateOf(body);
  if (state === 'contradictory') return state;
  return {
    evento,
    claveacceso,
    state,
    numeroAutorizacion: body.numero_autorizacion ?? null,
    fechaAutorizacion: body.fecha_autorizacion ?? null,
    errors: readMessages(body.errores).map(withoutPersons),
  };
}

function agreesWithKey({ claveacceso, tipo_comprobante: tipo, ...others }: DocumentBody): boolean {
  return otherParts(claveacceso, { ...others, tipo_comprobante: typeCode(tipo) }).length === 0;
}

function stateOf(body: DocumentBody): DocumentEvent['state'] | 'contradictory' {
  const { estado, estado_texto, autorizado, requiere_correccion } = body;
  if ([estado, estado_texto, autorizado, requiere_correccion].every((value) => value == null)) return null;
  const reported = readState(body satisfies DocumentFacts);
  if (reported === null) return 'contradictory';
  if (body.evento === 'comprobante.error') return reported === 'authorized' ? 'contradictory' : 'error';
  if (reported === 'error' || autorizado === false) return 'contradictory';
  return reported === 'authorized' ? reported : null;
}

/** The authority quotes what it refuses: quoted values, mail addresses and long numbers may be the buyer's. */
function withoutPersons(message: ServiceMessage): ServiceMessage {
  const clean = (text: string) =>
    text
      .replace(/'[^']*'|"[^"]*"|«[^»]*»?/g, "'…'")
      .replace(/(?<!\S)\S+@\S+/g, '…')
      // Document numbers and access keys are no personal data.
      .replace(/(?<!\d|\d{3}-\d{3}-)\d{6,}/g, (digits) => (digits.length === 49 ? digits : '…'));
  const { mensaje, informacionAdicional } = message;
  return {
    ...message,
    mensaje: clean(mensaje),
    informacionAdicional: informacionAdicional === null ? null : clean(informacionAdicional),
  };
}

/**
 * `test` is `webhook.prueba`; `other` an unknown event; `contradictory` one whose parts do not agree.
 * `status` of a refusal: 401 not genuine, 400 genuine but unreadable.
 */
export type ServiceDelivery =
  | { ok: true; kind: 'document'; event: DocumentEvent; dedupeKey: string }
  | { ok: true; kind: 'test' }
  | { ok: true; kind: 'other' | 'contradictory'; evento: string }
  | { ok: false; status: 400 | 401; reason: string };

/** Spec, limits: the receiver must reject signatures older, or further in the future. */
const WINDOW_SECONDS = 300;

/**
 * Checks the signature over the exact bytes. The event is the body's `evento`, because headers are not signed.
 * Header names are lower case; `secrets` are all that may have signed, newest first.
 */
export function verifyServiceWebhook(
  headers: Readonly<Record<string, string | undefined>>,
  rawBody: Uint8Array,
  secrets: readonly string[],
  now: Date,
): ServiceDelivery {
  const v2 = headers['x-service-signature-v2'];
  // V1 only where there is no V2: it has no time, so it must not replace a wrong V2.
  const refusal =
    v2 === undefined
      ? refuseV1(headers['x-service-signature'], rawBody, secrets)
      : refuseV2(v2, rawBody, secrets, now);
  if (refusal !== null) return { ok: false, status: 401, reason: refusal };

  const json = readBytes(rawBody);
  const named = webhookEvent.safeParse(json);
  if (!named.success) return { ok: false, status: 400, reason: 'The body names no event.' };
  const { evento } = named.data;
  if (evento === 'webhook.prueba') return { ok: true, kind: 'test' };
  if (!documentBody.shape.evento.safeParse(evento).success) return { ok: true, kind: 'other', evento };
  const read = documentBody.safeParse(spelledKey(json));
  if (!read.success) return { ok: false, status: 400, reason: 'The body has no access key of 49 digits.' };
  const event = readEvent(read.data);
  if (event === 'contradictory') return { ok: true, kind: event, evento };
  const delivery = headers['x-service-delivery'];
  // Retries of one delivery share its id; V1 has no replay protection, so there the content identifies it.
  const dedupeKey =
    v2 !== undefined && delivery
      ? `entrega:${delivery.slice(0, 100)}`
      : `evento:${event.claveacceso}:${evento}`;
  return { ok: true, kind: 'document', event, dedupeKey };
}

function refuseV2(header: string, body: Uint8Array, secrets: readonly string[], now: Date): string | null {
  const [, t = '', hex = ''] = /^\s*t=(\d{1,12})\s*,\s*v1=([0-9a-f]{64})\s*$/i.exec(header) ?? [];
  if (hex === '') return 'The V2 signature header is not t=<timestamp>,v1=<hex>.';
  if (!secrets.some((secret) => matches(hex, secret, [`${t}.`, body]))) return 'The V2 signature is wrong.';
  const distance = Math.abs(now.getTime() / 1000 - Number(t));
  return distance > WINDOW_SECONDS ? 'The V2 signature was made more than 300 seconds away from now.' : null;
}

function refuseV1(header: string | undefined, body: Uint8Array, secrets: readonly string[]): string | null {
  if (header === undefined) return 'There is no signature.';
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/i.exec(header.trim()) ?? [];
  if (hex === '') return 'The signature header is not sha256=<hex>.';
  return secrets.some((secret) => matches(hex, secret, [body])) ? null : 'The signature is wrong.';
}

function matches(hex: string, secret: string, parts: readonly (string | Uint8Array)[]): boolean {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return timingSafeEqual(mac.digest(), Buffer.from(hex, 'hex'));
}

function readBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export interface AccessKeyFacts {
  tipo_comprobante: string;
  ruc_emisor: string;
  ambiente: number;
  /** "001-001-000000001" */
  numero: string;
}

export function readAccessKey(claveacceso: string): AccessKeyFacts {
  const part = (from: number, length: number) => claveacceso.slice(from, from + length);
  return {
    tipo_comprobante: part(8, 2),
    ruc_emisor: part(10, 13),
    ambiente: Number(part(23, 1)),
    numero: `${part(24, 3)}-${part(27, 3)}-${part(30, 9)}`,
  };
}

export function otherParts(
  claveacceso: string,
  facts: { readonly [Part in keyof AccessKeyFacts]?: AccessKeyFacts[Part] | null | undefined },
): (keyof AccessKeyFacts)[] {
  const key = readAccessKey(claveacceso);
  return parts.filter((part) => facts[part] != null && facts[part] !== key[part]);
}

const parts = ['tipo_comprobante', 'ruc_emisor', 'ambiente', 'numero'] as const;

/** YYYY-MM-DD: the first eight of 49 digits are ddmmaaaa (ficha técnica SRI, tabla 1). */
export const issueDayOf = (claveacceso: string): string =>
  `${claveacceso.slice(4, 8)}-${claveacceso.slice(2, 4)}-${claveacceso.slice(0, 2)}`;

export const hasCheckDigit = (claveacceso: string): boolean =>
  Number(claveacceso[48]) === checkDigit(claveacceso.slice(0, 48));

/** Digits 40 to 48 of 49 (ficha técnica SRI, tabla 1): eight that the issuer chooses, and the type of emission. */
export const freeDigitsOf = (claveacceso: string): string => claveacceso.slice(39, 48);

interface KeyParts {
  issueDate: string;
  codDoc: string;
  ruc: string;
  ambiente: number;
  establecimiento: string;
  puntoEmision: string;
  secuencial: string;
}

export function accessKeyOf(parts: KeyParts, freeDigits: string): string {
  const { issueDate, codDoc, ruc, ambiente, establecimiento, puntoEmision, secuencial } = parts;
  const day = `${issueDate.slice(8, 10)}${issueDate.slice(5, 7)}${issueDate.slice(0, 4)}`;
  const digits = `${day}${codDoc}${ruc}${ambiente}${establecimiento}${puntoEmision}${secuencial}${freeDigits}`;
  return `${digits}${checkDigit(digits)}`;
}

/** Modulo 11, weights 2 to 7 from the right; 11 becomes 0 and 10 becomes 1 (ficha técnica SRI, §5.2). */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0);
  const rest = 11 - (sum % 11);
  return rest === 11 ? 0 : rest === 10 ? 1 : rest;
}

/** Bytes decompressed of a stream and of a file at most; a page of a RIDE has some ten thousand. */
const mostOfStream = 4 * 1024 * 1024;
const mostOfAll = 32 * 1024 * 1024;

/** Empty where fonts renumber their glyphs (assumption A6). */
export function keysInPdf(pdf: Uint8Array): string[] {
  const keys = new Set<string>();
  for (const content of contents(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length)))
    for (const shown of shownIn(content))
      for (const [digits] of shown.replace(/\s+/g, '').matchAll(/(?<!\d)\d{49}(?!\d)/g))
        if (hasCheckDigit(digits)) keys.add(digits);
  return [...keys];
}

function* contents(pdf: Buffer): Generator<string> {
  let left = mostOfAll;
  for (let at = pdf.indexOf('stream'); at >= 0 && left > 0; ) {
    const from = at + 'stream'.length + (pdf[at + 'stream'.length] === 13 ? 2 : 1);
    const to = pdf.indexOf('endstream', from);
    if (to < 0) return;
    const content = inflated(pdf.subarray(from, to));
    left -= content.length;
    yield content.toString('latin1');
    at = pdf.indexOf('stream', to + 'endstream'.length);
  }
}

function inflated(bytes: Buffer): Buffer {
  // Zlib's header: deflate (8) with a window, and a check over both bytes.
  const [first = 0, second = 0] = bytes;
  if ((first & 15) !== 8 || (first * 256 + second) % 31 !== 0) return bytes.subarray(0, mostOfStream);
  try {
    return inflateSync(bytes, { maxOutputLength: mostOfStream });
  } catch {
    return Buffer.alloc(0);
  }
}

const strings = /\((?:[^()\\]|\\[\s\S])*\)|<[0-9a-fA-F\s]*>/g;
const shown =
  /\[((?:\((?:[^()\\]|\\[\s\S])*\)|<[0-9a-fA-F\s]*>|[^[\]()<])*)\]\s*TJ|(\((?:[^()\\]|\\[\s\S])*\)|<[0-9a-fA-F\s]*>)\s*(?:Tj|'|")/g;

function* shownIn(content: string): Generator<string> {
  for (const [, array, one] of content.matchAll(shown))
    yield ((array ?? one ?? '').match(strings) ?? []).map(textOf).join('');
}

function textOf(string: string): string {
  const inside = string.slice(1, -1);
  if (string.startsWith('(')) return inside.replace(/\\([\s\S])/g, '$1');
  return Buffer.from(inside.replace(/\s+/g, ''), 'hex').toString('latin1');
}

/** Spec, limits and prices: "Billing wallet recharge tiers". */
interface Recharge {
  usd: number;
  usdPerDocument: number;
}

export const recharges: readonly Recharge[] = [
  { usd: 50, usdPerDocument: 0.0287 },
  { usd: 100, usdPerDocument: 0.023 },
  { usd: 500, usdPerDocument: 0.0161 },
  { usd: 1500, usdPerDocument: 0.0115 },
];

/** Credits are valid for 12 months from each recharge (spec, same table). */
const validDays = 365;

export function documentsOf({ usd, usdPerDocument }: Recharge): number {
  return Math.floor(usd / usdPerDocument);
}

export function cheapestRecharge(documentsPerDay: number): Recharge {
  const priceOf = (one: Recharge) =>
    one.usd / Math.max(Math.min(documentsOf(one), documentsPerDay * validDays), 1);
  return recharges.reduce((best, one) => (priceOf(one) < priceOf(best) ? one : best));
}
