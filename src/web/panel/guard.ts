import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** Compares texts by their hashes, in constant time. */
export function same(one: unknown, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return typeof one === 'string' && timingSafeEqual(hash(one), hash(other));
}

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Whether a page of ours sent the request: by Sec-Fetch-Site, which pages cannot forge, else by the origin. The origin must
 * be ours or this machine (a tunnel), because a foreign name that resolves to us (DNS rebinding) is same-origin to itself.
 * With neither header it is refused: browsers send Origin with every POST, and other clients have no session.
 */
export function isOurs({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  const ours = origin === new URL(publicUrl).origin;
  if (site === undefined) return ours;
  return site === 'same-origin' && (ours || origin === undefined || loopback.test(origin));
}
