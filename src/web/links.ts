import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type Clock, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import type { Tickets } from '../domain/ports.ts';
import type { Store } from '../domain/settings.ts';

/** `page` shows a document, `pdf` and `xml` are its files; `identification` is the buyer's form. */
type LinkPurpose = 'page' | 'pdf' | 'xml' | 'identification';

/** Signed addresses. They contain a document's id and nothing about the buyer. */
export interface Links {
  /**
   * `version`: how often the document's links were revoked (`Document.linkVersion`), default 0. `end`: when the link expires,
   * to the second, null for never; default by `life`.
   */
  page(documentId: string, version?: number, end?: Date | null): string;
  pdf(documentId: string, version?: number, end?: Date | null): string;
  xml(documentId: string, version?: number, end?: Date | null): string;
  identification(documentId: string, expiresAt: Date): string;
  /** Reads a token; null unless we signed it. The endpoint checks whether it has expired or was revoked. */
  read(token: string): Link | null;
}

/**
 * An undecoded path without what mail programs and people leave behind a link: a full stop, a bracket, a quotation mark, a space
 * (`%20`). Tokens and file endings have none of these at their end. Bounded, so that a long path costs no quadratic time.
 */
export const withoutTail = (path: string): string => path.replace(/(?:%[\da-f]{2}|[^\w/%-]){1,24}$/i, '');

export interface Link {
  purpose: LinkPurpose;
  documentId: string;
  version: number;
  /** null for links that never expire. */
  expiresAt: Date | null;
}

/**
 * How many whole days of Ecuador a link to a document is valid; null for ever. It expires at midnight, so that the links of
 * one day are equal and an order is rewritten at most once a day.
 */
type Life = { days: number; clock: Clock } | null;

interface Key {
  id: string;
  bytes: Buffer;
}

/**
 * `token = base64url(keyId.purpose.documentId[~version][@seconds]).base64url(HMAC-SHA256, 192 bits)`. The newest secret
 * (32 bytes) signs and all verify, so that links survive a rotation. Buyers need these links because the service's PDF
 * route takes the API key (spec, endpoints).
 */
export function openLinks(
  secrets: Uint8Array | readonly Uint8Array[],
  publicUrl: string,
  life: Life = null,
): Links {
  const keys = (secrets instanceof Uint8Array ? [secrets] : secrets).map(readKey);
  const [newest] = keys;
  if (!newest) throw new RangeError('Document links need at least one secret of 32 bytes.');
  const token = (purpose: LinkPurpose, subject: string) => {
    const payload = Buffer.from(`${newest.id}.${purpose}.${subject}`).toString('base64url');
    return `${payload}.${sign(newest, payload)}`;
  };
  const ofDocument = (purpose: LinkPurpose, id: string, version = 0, end = endOf(life)) =>
    `${publicUrl}/d/${token(purpose, `${id}${version === 0 ? '' : `~${version}`}${ending(end)}`)}`;
  return {
    page: (id, version, end) => ofDocument('page', id, version, end),
    pdf: (id, version, end) => `${ofDocument('pdf', id, version, end)}.pdf`,
    xml: (id, version, end) => `${ofDocument('xml', id, version, end)}.xml`,
    identification: (id, expiresAt) =>
      `${publicUrl}/identificacion/${token('identification', `${id}${ending(expiresAt)}`)}`,
    read(text) {
      const [, payload, signature] = /^([\w-]{1,400})\.([\w-]{32})$/.exec(text) ?? [];
      if (payload === undefined || signature === undefined) return null;
      const { keyId, link } = readPayload(Buffer.from(payload, 'base64url').toString());
      const key = keys.find((one) => one.id === keyId);
      if (!key || link === null) return null;
      // Both texts have 32 ASCII characters. The payload is signed as text, so it has no second spelling.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, payload)))) return null;
      return link;
    },
  };
}

const ending = (end: Date | null): string => (end === null ? '' : `@${Math.floor(end.getTime() / 1000)}`);

function endOf(life: Life): Date | null {
  if (life === null) return null;
  const last = life.clock.now().getTime() + (life.days + 1) * 86_400_000;
  return startOfEcuadorDay(ecuadorDay(new Date(last)));
}

const form = /^(\w+)\.(page|pdf|xml|identification)\.([^~@]+)(?:~(\d+))?(?:@(\d+))?$/;

function readPayload(text: string): { keyId: string; link: Link | null } {
  const [, keyId = '', purpose, documentId, version = '0', seconds] = form.exec(text) ?? [];
  if (purpose === undefined || documentId === undefined) return { keyId, link: null };
  const expiresAt = seconds === undefined ? null : new Date(Number(seconds) * 1000);
  return {
    keyId,
    link: { purpose: purpose as LinkPurpose, documentId, version: Number(version), expiresAt },
  };
}

/** Derives a separate key for links: the secret may serve other purposes. */
function readKey(secret: Uint8Array): Key {
  if (secret.length !== 32) throw new RangeError('A secret for document links has 32 bytes.');
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length));
  return {
    id: derive('facturapuente document link key id', 3).toString('hex'),
    bytes: derive('facturapuente document links', 32),
  };
}

function sign(key: Key, payload: string): string {
  return createHmac('sha256', key.bytes).update(payload).digest().subarray(0, 24).toString('base64url');
}

/** `ticket = <end, seconds>.base64url(HMAC-SHA256 of use and end, 192 bits)`, under a key of 32 bytes. */
export function openTickets(key: Uint8Array, clock: Clock): Tickets {
  const sign = (use: string, end: string) =>
    createHmac('sha256', key).update(`${end}\n${use}`).digest().subarray(0, 24);
  return {
    issue(use, until) {
      const end = String(Math.floor(until.getTime() / 1000));
      return `${end}.${sign(use, end).toString('base64url')}`;
    },
    admits(use, ticket) {
      const [, end = '', signature = ''] = /^(\d{1,12})\.([\w-]{32})$/.exec(ticket) ?? [];
      if (signature === '' || !timingSafeEqual(Buffer.from(signature, 'base64url'), sign(use, end)))
        return false;
      return clock.now().getTime() < Number(end) * 1000;
    },
  };
}

/** What a person of the shop sends the buyer of a held order, and the address that opens WhatsApp with it. */
export function buyerMessage(
  { issuer }: Pick<Store, 'issuer'>,
  orderName: string,
  link: string,
): { text: string; whatsapp: string } {
  const text = `Hola, le escribimos de ${issuer.nombre_comercial}. Para emitir la factura de su pedido ${orderName} hace falta su cédula, RUC o pasaporte. Escríbalo aquí: ${link}`;
  // Without a phone number: WhatsApp asks for the contact, and the buyer's number stays out of the link.
  return { text, whatsapp: `https://wa.me/?text=${encodeURIComponent(text)}` };
}
