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

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Whether a page of ours sent this. The browser says so itself (Sec-Fetch-Site, which no page can forge); one that does
 * not must name our address as its origin. A name somebody else made lead here (DNS rebinding) is the same origin to
 * itself, but not ours; a tunnel to this machine is.
 */
export function isOurs({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  const ours = origin === new URL(publicUrl).origin;
  if (site === undefined) return ours;
  return site === 'same-origin' && (ours || origin === undefined || loopback.test(origin));
}
