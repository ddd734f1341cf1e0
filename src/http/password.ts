import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** 32 MB and about a tenth of a second a guess (RFC 7914; OWASP names these as enough with one lane). */
const cost = { ln: 15, r: 8, p: 1 };

const run = (password: string, salt: Uint8Array, { ln, r, p }: typeof cost): Promise<Buffer> =>
  derive(password.normalize('NFC'), salt, 32, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r });

/** `scrypt:ln:r:p:salt:hash`, base64url; colons, because YAML and compose files take `$` for something else. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await run(password, salt, cost);
  return ['scrypt', cost.ln, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(
    ':',
  );
}

/** Throws a RangeError when `stored` is no hash of ours. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, ln, r, p, salt, hash] = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]+)$/.exec(stored) ?? [];
  if (salt === undefined || hash === undefined)
    throw new RangeError('A password hash reads scrypt:ln:r:p:salt:hash.');
  const made = await run(password, Buffer.from(salt, 'base64url'), {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
  });
  const known = Buffer.from(hash, 'base64url');
  return known.length === made.length && timingSafeEqual(known, made);
}
