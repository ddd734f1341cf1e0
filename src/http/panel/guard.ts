import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The token of a session's forms: made of what only its browser holds. */
export const csrfOf = (token: string): string =>
  createHmac('sha256', token).update('facturapuente panel forms').digest('base64url');

/** Compared by their hashes, in the same time whatever they are. */
export function same(one: unknown, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return typeof one === 'string' && timingSafeEqual(hash(one), hash(other));
}

/**
 * Whether a page of ours sent this. The browser says so itself (Sec-Fetch-Site, which no page can forge); one that does
 * not must name our address as its origin.
 */
export function isOurs({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
