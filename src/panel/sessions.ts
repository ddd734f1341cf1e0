import { createHash, randomBytes } from 'node:crypto';
import { parse } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import type { Person } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { SessionStage } from '../ledger/schema.ts';
import type { People } from './people.ts';
import { passwordMark } from './people.ts';

const minute = 60_000;
export const idleMs = 30 * minute;
export const wholeMs = 12 * 60 * minute;
const pendingMs = 10 * minute;
/** How long a sign-in suffices for actions that cannot be undone. */
export const freshMs = 15 * minute;

/** The pages of signing in, below the panel's path. */
export const entryPaths = {
  signIn: '/entrar',
  signOut: '/salir',
  code: '/codigo',
  own: '/segundo-paso',
  codes: '/segundo-paso/codigos',
  change: '/clave',
  forgotten: '/clave-olvidada',
  renewed: '/clave-nueva',
} as const;

export interface SignedIn {
  person: Person;
  tokenHash: string;
  stage: SessionStage;
  notice: string | null;
  beganAt: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The browser has a random token, the ledger its hash. `isEnough`: the stage opens more than the page of the code. */
export function openSessions(
  { ledger, clock }: Pick<HttpDeps, 'ledger' | 'clock'>,
  people: Pick<People, 'find'>,
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
    const { person } = await people.find(session.person);
    const now = clock.now().getTime();
    const [began, seen] = [Date.parse(session.beganAt), Date.parse(session.seenAt)];
    const isWhole = person !== undefined && isEnough(person, session.stage);
    const lasts = isWhole ? wholeMs : pendingMs;
    if (!person || passwordMark(person) !== session.mark || now - began >= lasts || now - seen >= idleMs) {
      await ledger.sessions.end(tokenHash);
      return null;
    }
    if (now - seen >= minute) await ledger.sessions.seen(tokenHash, new Date(now));
    const { notice, beganAt, stage } = session;
    return { person, tokenHash, stage, notice, beganAt, isWhole };
  }

  /** A session always gets a new token, so that a planted one is worthless. */
  async function begin(req: Request, res: Response, person: Person, stage: SessionStage, now: Date) {
    await drop(req);
    const token = randomBytes(32).toString('base64url');
    const tokenHash = sha256(token);
    await ledger.sessions.begin({ tokenHash, person: person.user, mark: passwordMark(person), stage, now });
    res.cookie(cookies.session, token, { ...cookies.options, maxAge: wholeMs });
    return { person, tokenHash, stage, notice: null, beganAt: now.toISOString() };
  }

  return {
    /** null also where it ended, or where the person or password changed. */
    async of(req: Request): Promise<SignedIn | null> {
      const session = await read(req);
      return session?.isWhole ? session : null;
    },

    async pendingOf(req: Request): Promise<SignedIn | null> {
      const session = await read(req);
      return session?.isWhole === false ? session : null;
    },

    begin: (req: Request, res: Response, person: Person, stage: SessionStage): Promise<SignedIn> =>
      begin(req, res, person, stage, clock.now()),

    /** The session is as old as the one before: a password is no fresh code. */
    async renew(req: Request, res: Response, person: Person, before: SignedIn): Promise<SignedIn> {
      const signedIn = await begin(req, res, person, before.stage, new Date(before.beganAt));
      await ledger.sessions.seen(signedIn.tokenHash, clock.now());
      return signedIn;
    },

    async end(req: Request, res: Response): Promise<void> {
      await drop(req);
      res.clearCookie(cookies.session, cookies.options);
    },
  };
}
export type PanelSessions = ReturnType<typeof openSessions>;

export interface Cookies {
  session: string;
  device: string;
  options: CookieOptions;
  /** False over plain http to another machine. */
  kept: boolean;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** `__Host-` binds a cookie to this host and https; on localhost it is omitted. */
export function cookiesAt(publicUrl: string): Cookies {
  const { protocol, hostname } = new URL(publicUrl);
  const plain = protocol === 'http:' && loopback.includes(hostname);
  const prefix = plain ? '' : '__Host-';
  return {
    session: `${prefix}facturapuente`,
    device: `${prefix}facturapuente-equipo`,
    options: { path: '/', httpOnly: true, secure: !plain, sameSite: 'lax' },
    kept: plain || protocol === 'https:',
  };
}

export const readCookie = ({ headers }: Pick<Request, 'headers'>, name: string): string | undefined =>
  parse(headers.cookie ?? '')[name];
