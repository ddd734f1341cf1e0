import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ecuadorDay, startOfEcuadorDay } from '../domain/calendar.ts';
import type { Clock } from '../domain/clock.ts';

/** `page` shows a document, `pdf` and `xml` are its files; `identification` asks the buyer whom it is to name. */
export type LinkPurpose = 'page' | 'pdf' | 'xml' | 'identification';

/** Signed addresses. They carry a document's id and nothing about the buyer. */
export interface Links {
  /**
   * `version`: how often the document's links were revoked (ledger/link-versions.ts), 0 by default. `end`: when they
   * end, to the second, or null for never; by default what `life` says.
   */
  page(documentId: string, version?: number, end?: Date | null): string;
  pdf(documentId: string, version?: number, end?: Date | null): string;
  xml(documentId: string, version?: number, end?: Date | null): string;
  /** Ends at `expiresAt`, to the second. */
  identification(documentId: string, expiresAt: Date): string;
  /** What a token was made for; null for everything we did not sign. Whether it still counts is the door's to say. */
  read(token: string): Link | null;
}

export interface Link {
  purpose: LinkPurpose;
  documentId: string;
  version: number;
  /** null for links without an end. */
  expiresAt: Date | null;
}

/**
 * How many whole days of Ecuador a link to a document lives; null without an end. It ends at midnight, so that a link is
 * the same all day long: what stands on an order is rewritten once a day at most.
 */
export type Life = { days: number; clock: Clock } | null;

interface Key {
  id: string;
  bytes: Buffer;
}

/**
 * `token = base64url(keyId.purpose.documentId[~version][@seconds]).base64url(HMAC-SHA256, 192 bits)`. The newest secret
 * (32 bytes) signs, all of them verify, so that links already sent out outlive a rotation. The service's own PDF route
 * needs the API key (spec, endpoints); these are what a buyer can open.
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
      // Both texts have 32 ASCII characters. The payload is signed as text, so no second spelling of it passes.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, payload)))) return null;
      return link;
    },
  };
}

const ending = (end: Date | null): string => (end === null ? '' : `@${Math.floor(end.getTime() / 1000)}`);

/** The midnight after the last whole day. */
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

/** A key of its own for links: the same secret may serve other purposes elsewhere. */
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
