import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** Compares hashes, in constant time. */
export function same(one: unknown, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return typeof one === 'string' && timingSafeEqual(hash(one), hash(other));
}

/** Decided by Sec-Fetch-Site, which pages cannot forge, else by Origin; other programs send neither. */
export function isOurs({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === new URL(publicUrl).origin;
}
