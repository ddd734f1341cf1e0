import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../../core/people.ts';
import type { HttpDeps } from '../deps.ts';
import { type Cookies, readCookie } from './cookies.ts';
import { csrfOf } from './guard.ts';

const minute = 60_000;
/** A session nobody uses ends, and each ends after a working day. */
export const idleMs = 2 * 60 * minute;
export const wholeMs = 12 * 60 * minute;

export interface SignedIn {
  person: Person;
  tokenHash: string;
  csrf: string;
  notice: string | null;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Changes when the password does; says nothing of it. */
const markOf = ({ user, passwordHash }: Person): string => sha256(`${user}\n${passwordHash}`);

/** Sessions of the panel: the browser holds a random token, the ledger only its hash, so that all processes agree. */
export function openSessions(
  { ledger, clock }: Pick<HttpDeps, 'ledger' | 'clock'>,
  people: ReadonlyMap<string, Person>,
  cookies: Cookies,
) {
  async function drop(req: Request): Promise<void> {
    const token = readCookie(req, cookies.session);
    if (token !== undefined) await ledger.sessions.end(sha256(token));
  }

  return {
    /** Who sends this; null for nobody, for a session that ended, and for one whose person or password changed. */
    async of(req: Request): Promise<SignedIn | null> {
      const token = readCookie(req, cookies.session);
      if (token === undefined || !/^[\w-]{43}$/.test(token)) return null;
      const tokenHash = sha256(token);
      const session = await ledger.sessions.get(tokenHash);
      if (!session) return null;
      const person = people.get(session.person);
      const now = clock.now().getTime();
      const [began, seen] = [Date.parse(session.beganAt), Date.parse(session.seenAt)];
      if (!person || markOf(person) !== session.mark || now - began >= wholeMs || now - seen >= idleMs) {
        await ledger.sessions.end(tokenHash);
        return null;
      }
      if (now - seen >= minute) await ledger.sessions.seen(tokenHash, new Date(now));
      return { person, tokenHash, csrf: csrfOf(token), notice: session.notice };
    },

    /** Always under a new token: one that somebody planted before is worth nothing. */
    async begin(req: Request, res: Response, person: Person): Promise<void> {
      await drop(req);
      const token = randomBytes(32).toString('base64url');
      await ledger.sessions.begin({
        tokenHash: sha256(token),
        person: person.user,
        mark: markOf(person),
        now: clock.now(),
      });
      res.cookie(cookies.session, token, { ...cookies.options, maxAge: wholeMs });
    },

    async end(req: Request, res: Response): Promise<void> {
      await drop(req);
      res.clearCookie(cookies.session, cookies.options);
    },
  };
}
export type PanelSessions = ReturnType<typeof openSessions>;
