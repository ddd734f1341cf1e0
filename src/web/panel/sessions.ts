import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../../domain/people.ts';
import type { SessionStage } from '../../ledger/sessions.ts';
import type { HttpDeps } from '../deps.ts';
import { passwordMark } from '../password.ts';
import { type Cookies, readCookie } from './cookies.ts';
import { csrfOf } from './guard.ts';

const minute = 60_000;
/** A session nobody uses ends, and each ends after a working day. */
export const idleMs = 30 * minute;
export const wholeMs = 12 * 60 * minute;
/** How long somebody has for the code after the password. */
export const pendingMs = 10 * minute;
/** How long a sign-in counts for what cannot be undone. */
export const freshMs = 15 * minute;

export interface SignedIn {
  person: Person;
  tokenHash: string;
  csrf: string;
  notice: string | null;
  beganAt: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Sessions of the panel: the browser holds a random token, the ledger only its hash, so that all processes agree.
 * `isEnough` says whether a session that came so far opens pages; others open the page that asks for the code.
 */
export function openSessions(
  { ledger, clock }: Pick<HttpDeps, 'ledger' | 'clock'>,
  people: ReadonlyMap<string, Person>,
  cookies: Cookies,
  isEnough: (person: Person, stage: SessionStage) => boolean,
) {
  async function drop(req: Request): Promise<void> {
    const token = readCookie(req, cookies.session);
    if (token !== undefined) await ledger.sessions.end(sha256(token));
  }

  async function read(req: Request): Promise<(SignedIn & { isWhole: boolean }) | null> {
    const token = readCookie(req, cookies.session);
    if (token === undefined || !/^[\w-]{43}$/.test(token)) return null;
    const tokenHash = sha256(token);
    const session = await ledger.sessions.get(tokenHash);
    if (!session) return null;
    const person = people.get(session.person);
    const now = clock.now().getTime();
    const [began, seen] = [Date.parse(session.beganAt), Date.parse(session.seenAt)];
    const isWhole = person !== undefined && isEnough(person, session.stage);
    const lasts = isWhole ? wholeMs : pendingMs;
    if (!person || passwordMark(person) !== session.mark || now - began >= lasts || now - seen >= idleMs) {
      await ledger.sessions.end(tokenHash);
      return null;
    }
    if (now - seen >= minute) await ledger.sessions.seen(tokenHash, new Date(now));
    const { notice, beganAt } = session;
    return { person, tokenHash, csrf: csrfOf(token), notice, beganAt, isWhole };
  }

  return {
    /** Who sends this; null for nobody, for a session that ended, and for one whose person or password changed. */
    async of(req: Request): Promise<SignedIn | null> {
      const session = await read(req);
      return session?.isWhole ? session : null;
    },

    /** Who has given the password and owes the code. */
    async pendingOf(req: Request): Promise<SignedIn | null> {
      const session = await read(req);
      return session?.isWhole === false ? session : null;
    },

    /** Always under a new token: one that somebody planted before is worth nothing. */
    async begin(req: Request, res: Response, person: Person, stage: SessionStage): Promise<SignedIn> {
      await drop(req);
      const token = randomBytes(32).toString('base64url');
      const tokenHash = sha256(token);
      const mark = passwordMark(person);
      const now = clock.now();
      await ledger.sessions.begin({ tokenHash, person: person.user, mark, stage, now });
      res.cookie(cookies.session, token, { ...cookies.options, maxAge: wholeMs });
      return { person, tokenHash, csrf: csrfOf(token), notice: null, beganAt: now.toISOString() };
    },

    async end(req: Request, res: Response): Promise<void> {
      await drop(req);
      res.clearCookie(cookies.session, cookies.options);
    },
  };
}
export type PanelSessions = ReturnType<typeof openSessions>;
