import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import type { Tickets } from '../domain/ports.ts';

type LinkPurpose = 'page' | 'pdf' | 'xml' | 'identification';

/** They contain a document's id and nothing about the buyer. */
export interface Links {
  /** `version` is `Document.linkVersion` (default 0). `end` is null for a link that never expires; default by `life`. */
  page(documentId: string, version?: number, end?: Date | null): string;
  pdf(documentId: string, version?: number, end?: Date | null): string;
  xml(documentId: string, version?: number, end?: Date | null): string;
  identification(documentId: string, expiresAt: Date): string;
  /** null unless it is signed. The endpoint checks whether it has expired or was revoked. */
  read(token: string): Link | null;
}

/** Mail programs append a full stop, a bracket, a quotation mark or a space to a link. Bounded against quadratic time. */
export const withoutTail = (path: string): string => path.replace(/(?:%[\da-f]{2}|[^\w/%-]){1,24}$/i, '');

export interface Link {
  purpose: LinkPurpose;
  documentId: string;
  version: number;
  expiresAt: Date | null;
}

/** Days in Ecuador; null for ever. Links expire at midnight, so that an order is rewritten at most once a day. */
type Life = { days: number; clock: Clock } | null;

/** Compares hashes, in constant time. */
export function same(one: unknown, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return typeof one === 'string' && timingSafeEqual(hash(one), hash(other));
}

/** 192 bits, whose base64url has one spelling. */
const sign = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 24).toString('base64url');

/**
 * `token = base64url(purpose.documentId[~version][@seconds]).base64url(HMAC-SHA256)`. The newest key signs and all verify.
 * Buyers need these links because the service's PDF route takes the API key (spec, endpoints).
 */
export function openLinks(
  keys: readonly [newest: Uint8Array, ...old: Uint8Array[]],
  publicUrl: string,
  life: Life = null,
): Links {
  const token = (purpose: LinkPurpose, subject: string) => {
    const payload = Buffer.from(`${purpose}.${subject}`).toString('base64url');
    return `${payload}.${sign(keys[0], payload)}`;
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
      const [, payload = '', signature = ''] = /^([\w-]{1,400})\.([\w-]{32})$/.exec(text) ?? [];
      // The payload is signed as text, so it has no second spelling.
      return keys.some((key) => same(signature, sign(key, payload))) ? readPayload(payload) : null;
    },
  };
}

const ending = (end: Date | null): string => (end === null ? '' : `@${Math.floor(end.getTime() / 1000)}`);

function endOf(life: Life): Date | null {
  if (life === null) return null;
  const last = life.clock.now().getTime() + (life.days + 1) * 86_400_000;
  return startOfEcuadorDay(ecuadorDay(new Date(last)));
}

const form = /^(page|pdf|xml|identification)\.([^~@]+)(?:~(\d+))?(?:@(\d+))?$/;

function readPayload(payload: string): Link | null {
  const [, purpose, documentId, version = '0', seconds] =
    form.exec(Buffer.from(payload, 'base64url').toString()) ?? [];
  if (documentId === undefined) return null;
  const expiresAt = seconds === undefined ? null : new Date(Number(seconds) * 1000);
  return { purpose: purpose as LinkPurpose, documentId, version: Number(version), expiresAt };
}

/** `ticket = <end, seconds>.base64url(HMAC-SHA256 of end and use)`, under a key of 32 bytes. */
export function openTickets(key: Uint8Array, clock: Clock): Tickets {
  const signed = (use: string, end: string) => `${end}.${sign(key, `${end}\n${use}`)}`;
  return {
    issue: (use, until) => signed(use, String(Math.floor(until.getTime() / 1000))),
    admits(use, ticket) {
      const [end = ''] = ticket.split('.', 1);
      return same(ticket, signed(use, end)) && clock.now().getTime() < Number(end) * 1000;
    },
  };
}
