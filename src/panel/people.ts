import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';
import type { Person } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { Tables } from '../ledger/ledger.ts';

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** 32 MB, three passes: some 0.3 s a guess (values of OWASP's Password Storage Cheat Sheet). */
const cost = { ln: 15, r: 8, p: 3 };

export const leastCharacters = 12;
const mostBytes = 128;

export const tooLong = (password: string): boolean =>
  Buffer.byteLength(password.normalize('NFC')) > mostBytes;

export function passwordFlaw(password: string): ConfigError | null {
  const { length } = [...password.normalize('NFC').replaceAll(/\s+/g, ' ')];
  if (length >= leastCharacters && !tooLong(password)) return null;
  return new ConfigError('input-invalid', { why: 'password', least: leastCharacters, most: mostBytes });
}

const run = (password: string, salt: Uint8Array, { ln, r, p }: typeof cost): Promise<Buffer> =>
  derive(password.normalize('NFC'), salt, 32, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r });

/** `scrypt:ln:r:p:salt:hash`, base64url; colons, because `$` has a meaning in YAML and compose files. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await run(password, salt, cost);
  return ['scrypt', cost.ln, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(
    ':',
  );
}

/** Throws RangeError where `stored` has another form. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, ln, r, p, salt, hash] = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]+)$/.exec(stored) ?? [];
  if (salt === undefined || hash === undefined)
    throw new RangeError('A password hash reads scrypt:ln:r:p:salt:hash.');
  const stated = { ln: Number(ln), r: Number(r), p: Number(p) };
  const made = await run(password, Buffer.from(salt, 'base64url'), stated);
  const known = Buffer.from(hash, 'base64url');
  return known.length === made.length && timingSafeEqual(known, made);
}

/** Changes with the password without revealing it. */
export const passwordMark = ({ user, passwordHash }: Pick<Person, 'user' | 'passwordHash'>): string =>
  createHash('sha256').update(`${user}\n${passwordHash}`).digest('base64url');

/** Kept among the shops' credentials: encrypted, shared by all processes, written by compare-and-set. */
const platform = 'panel:password';

/** `replaces`: the mark of the config's hash. */
const keptShape = z.object({ hash: z.string().max(200), replaces: z.string().max(64) });

/** A password set in the panel is valid while the config has the hash it replaced; another hash in the config wins. */
export function openPeople({ ledger, clock }: Pick<HttpDeps, 'ledger' | 'clock'>, people: readonly Person[]) {
  const known = new Map(people.map((person) => [person.user, person]));
  const [anybody] = people;

  async function read({ credentials }: Pick<Tables, 'credentials'>, configured: Person) {
    const found = await credentials.get({ platform, shop: configured.user });
    const kept = keptShape.safeParse(found?.value).data;
    const counts = kept?.replaces === passwordMark(configured);
    return {
      person: counts ? { ...configured, passwordHash: kept.hash } : configured,
      version: found?.version ?? null,
    };
  }

  return {
    /** For an unknown name the hash is somebody else's, so that a guess takes the same time. */
    async find(user: string): Promise<{ person: Person | undefined; passwordHash: string }> {
      const configured = known.get(user);
      const compared = configured ?? anybody;
      if (compared === undefined) return { person: undefined, passwordHash: '' };
      const { person } = await read(ledger, compared);
      return { person: configured && person, passwordHash: person.passwordHash };
    },

    replacePassword(
      { user, passwordHash }: Person,
      hash: string,
      what: 'password-changed' | 'password-reset',
    ): Promise<Person | null> {
      return ledger.transaction(async (tables) => {
        const configured = known.get(user);
        if (!configured) return null;
        const { person, version } = await read(tables, configured);
        if (person.passwordHash !== passwordHash) return null;
        const now = clock.now();
        const kept = { hash, replaces: passwordMark(configured) };
        if (!(await tables.credentials.put({ platform, shop: user }, kept, version, now))) return null;
        await tables.sessions.endOf(user);
        await tables.auditLog.add({ who: `${user} (panel)`, what, subject: null, outcome: 'done', now });
        return { ...configured, passwordHash: hash };
      });
    },
  };
}
export type People = ReturnType<typeof openPeople>;
