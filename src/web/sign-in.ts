import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../domain/people.ts';
import { clientOf } from './client-address.ts';
import type { HttpDeps } from './deps.ts';
import { type FailureLimit, inQueue, openFailures } from './guesses.ts';
import { cookiesAt, readCookie } from './panel/cookies.ts';
import { isPassword, passwordMark, tooLong } from './password.ts';

const minute = 60_000;
/** How long somebody who guessed too often waits, at most. */
export const waitSeconds = 15 * 60;
/** How long somebody waits whose turn did not come. */
export const busySeconds = 5;
const withinMs = waitSeconds * 1000;

/** Wrong passwords for one name from one client or one known device. */
const most = 10;
/** Wrong passwords for one name from all unknown devices; from then on each client has only a few. */
const manyForName = 100;
const fewWhileMany = 3;
/** Wrong passwords of one client, whatever the names, within a minute. */
const mostOfClient = 30;
/** Wrong codes behind a right password. */
const mostCodes = 5;

const episodeMs = 60 * minute;
/** Addresses an entry of the audit log names. */
const addresses = 5;

/** `busy`: others who guessed less are served first; a few seconds later there is room. */
export type SignInAnswer =
  | { kind: 'right'; person: Person }
  | { kind: 'wrong' }
  | { kind: 'too-many' }
  | { kind: 'busy' };

/** What the audit log calls failed sign-ins: one entry a person and hour, with how many there were and from where. */
export const failedSignIns = ['wrong-password', 'wrong-code'] as const;

/**
 * Says whose name and password these are. A name nobody has costs the same time and is limited alike, so that answers
 * do not tell which names exist.
 *
 * Nobody locks anybody else out: on a browser the person signed in on before, guesses are counted by that browser; on an
 * unknown one by name and client, and by client. All share one queue, in which who guessed least goes first. Only where `trustedProxies` does not tell clients apart do strangers
 * share the limit of an unknown browser.
 */
export function openSignIn(
  deps: Pick<HttpDeps, 'ledger' | 'clock' | 'tickets' | 'settings'>,
  people: ReadonlyMap<string, Person>,
) {
  const { ledger, clock } = deps;
  const devices = openDevices(deps);
  const failures = openFailures(deps);
  const [anybody] = people.values();

  async function limitsOf(name: string, device: string | null, client: string): Promise<FailureLimit[]> {
    if (device !== null) return [{ bucket: `device ${device}`, most, withinMs }];
    const ofName = { bucket: `name ${name}`, most: manyForName, withinMs };
    const isAttacked = await failures.isReached([ofName]);
    return [
      { bucket: `name ${name} client ${client}`, most: isAttacked ? fewWhileMany : most, withinMs },
      { bucket: `client ${client}`, most: mostOfClient, withinMs: minute },
    ];
  }

  /** One entry of the audit log for all failures of an hour; those for names nobody has share one. */
  async function writeDown(what: (typeof failedSignIns)[number], person: Person | undefined, client: string) {
    const bucket = `${what} ${person ? `of ${person.user}` : ''}`;
    const { failures: attempts, endsAt } = await failures.count({ bucket, withinMs: episodeMs });
    await ledger.deeds.fold({
      who: person ? `${person.user} (panel)` : null,
      what,
      subject: `${failures.hashOf(bucket)} ${endsAt}`,
      outcome: 'refused',
      now: clock.now(),
      facts: (before) => {
        const { from = [] } = (before ?? {}) as { from?: string[] };
        return { attempts, from: [...new Set([...from, client])].slice(0, addresses) };
      },
    });
  }

  return {
    async check(req: Request, name: string, password: string): Promise<SignInAnswer> {
      const client = clientOf(req);
      const person = people.get(name);
      const device = person ? devices.of(req, person) : null;
      const isLimited = async () => failures.isReached(await limitsOf(name, device, client));
      const guess = async (): Promise<SignInAnswer> => {
        // Those before it in the queue may have reached the limit.
        if (await isLimited()) return { kind: 'too-many' };
        const hash = (person ?? anybody)?.passwordHash ?? '';
        const right = await isPassword(tooLong(password) ? '' : password, hash);
        if (person && right) return { kind: 'right', person };
        for (const limit of await limitsOf(name, device, client)) await failures.count(limit);
        if (device === null) await failures.count({ bucket: `name ${name}`, withinMs });
        await writeDown('wrong-password', person, client);
        return { kind: 'wrong' };
      };
      if (await isLimited()) return { kind: 'too-many' };
      const who = device !== null && person ? person.user : client;
      return (await inQueue({ known: device !== null, who }, guess)) ?? { kind: 'busy' };
    },

    /**
     * Checks a code behind a right password: `accept` answers null for a wrong one. Only who knows the password gets
     * here; on a known device not even somebody else who knows it can use up its attempts.
     */
    async checkCode<Accepted>(
      req: Request,
      person: Person,
      accept: () => Promise<Accepted | null>,
    ): Promise<Accepted | 'wrong' | 'too-many'> {
      const device = devices.of(req, person);
      const bucket = device === null ? `code of ${person.user}` : `code on ${device}`;
      const limit = { bucket, withinMs };
      // Counted before it is looked at: many codes at once are no way round the limit.
      if ((await failures.count(limit)).failures > mostCodes) return 'too-many';
      const accepted = await accept();
      if (accepted !== null) {
        await failures.clear(limit);
        return accepted;
      }
      await writeDown('wrong-code', person, clientOf(req));
      return 'wrong';
    },

    /** After a whole sign-in: this browser is known from now on. */
    remember: devices.remember,
  };
}
export type SignIn = ReturnType<typeof openSignIn>;

const lastsMs = 90 * 24 * 60 * 60_000;
/** People who sign in on one browser. */
const mostDevices = 5;

const useOf = (id: string, person: Person): string => `device ${id}\n${person.user}\n${passwordMark(person)}`;

/**
 * Browsers somebody signed in on before (OWASP, "device cookies"): limits on strangers' guesses do not hold them up. The
 * cookie has one token for each person, `<id>.<end>.<HMAC of id, person, password mark and end>`: a new password ends
 * all of that person's devices.
 */
function openDevices({ tickets, clock, settings }: Pick<HttpDeps, 'tickets' | 'clock' | 'settings'>) {
  const { device: name, options } = cookiesAt(settings.publicUrl);
  const tokensOf = (req: Request): string[] => (readCookie(req, name) ?? '').split('~', mostDevices);
  const read = (token: string, person: Person): string | null => {
    const [, id = '', ticket = ''] = /^([\w-]{22})\.(\d{1,12}\.[\w-]{32})$/.exec(token) ?? [];
    return id !== '' && tickets.admits(useOf(id, person), ticket) ? id : null;
  };
  return {
    /** The id of this browser where this person signed in on it before; else null. */
    of: (req: Request, person: Person): string | null =>
      tokensOf(req)
        .map((token) => read(token, person))
        .find((id) => id !== null) ?? null,

    remember(req: Request, res: Response, person: Person): void {
      const id = randomBytes(16).toString('base64url');
      const until = new Date(clock.now().getTime() + lastsMs);
      const others = tokensOf(req).filter((token) => token !== '' && read(token, person) === null);
      const tokens = [`${id}.${tickets.issue(useOf(id, person), until)}`, ...others].slice(0, mostDevices);
      res.cookie(name, tokens.join('~'), { ...options, maxAge: lastsMs });
    },
  };
}
