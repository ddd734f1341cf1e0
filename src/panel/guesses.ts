import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import PQueue from 'p-queue';
import { type Clock, dayMs } from '../domain/clock.ts';
import type { Tickets } from '../domain/ports.ts';
import type { Person } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import { clientOf } from '../http/endpoints.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isPassword, type People, passwordMark, tooLong } from './people.ts';
import { cookiesAt, readCookie } from './sessions.ts';

const minute = 60_000;
const waitSeconds = 15 * 60;
const withinMs = waitSeconds * 1000;

const refusals = {
  busy: {
    seconds: 5,
    flaw: 'Muchas personas están iniciando sesión a la vez. Intente de nuevo en unos segundos.',
  },
  'too-many': {
    seconds: waitSeconds,
    flaw: 'Hubo demasiados intentos. Espere quince minutos antes de volver a intentarlo.',
  },
};

export function refuseGuess(res: Response, why: keyof typeof refusals): { status: 429; flaw: string } {
  const { seconds, flaw } = refusals[why];
  res.set('Retry-After', String(seconds));
  return { status: 429, flaw };
}

/** Counted for one name from one client or one known device. */
const most = 10;
/** Counted for one name from one client or one known device. */
const manyForName = 100;
const fewWhileMany = 3;
/** Counted for one client, whatever the names, within a minute. */
const mostOfClient = 30;
/** Wrong codes after a right password in one round; each round of a day takes twice as long as the one before. */
const mostCodes = 5;
/** Rounds without a right code, after which people are alerted: somebody has the password. */
const roundsToAlert = 2;

const episodeMs = 60 * minute;
const addresses = 5;

/** The last guess waits for some three seconds of hashing. */
const places = 10;

/** One password hash takes 32 MB and a thread that others need. */
const queues = { known: new PQueue({ concurrency: 1 }), unknown: new PQueue({ concurrency: 1 }) };

export async function inQueue<T>(of: keyof typeof queues, guess: () => Promise<T>): Promise<T | null> {
  const queue = queues[of];
  return queue.size + queue.pending < places ? queue.add(guess) : null;
}

interface FailureLimit {
  /** Names may hold any text, so the parts stay apart. */
  bucket: readonly string[];
  most: number;
  withinMs: number;
}

/** The ledger has only the HMAC of a bucket: it reveals neither the typed name, perhaps a password, nor the address. */
export function openFailures({
  ledger,
  clock,
  tickets,
}: {
  ledger: Pick<Ledger, 'counters'>;
  clock: Clock;
  tickets: Tickets;
}) {
  // An expired ticket is the key: only the holder of the secret can make it.
  const key = tickets.issue('failure counts', new Date(0));
  const hashOf = (bucket: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(bucket)).digest('base64url').slice(0, 22);
  return {
    hashOf,
    async isReached(limits: readonly FailureLimit[]): Promise<boolean> {
      const counts = await ledger.counters.read(
        limits.map(({ bucket }) => hashOf(bucket)),
        clock.now(),
      );
      return limits.some(({ most }, at) => (counts[at] ?? 0) >= most);
    },
    async read({ bucket }: Pick<FailureLimit, 'bucket'>): Promise<number> {
      return (await ledger.counters.read([hashOf(bucket)], clock.now()))[0] ?? 0;
    },
    count: ({ bucket, withinMs }: Pick<FailureLimit, 'bucket' | 'withinMs'>) => {
      const now = clock.now();
      return ledger.counters.add(hashOf(bucket), { endsAt: new Date(now.getTime() + withinMs), now });
    },
    clear: ({ bucket }: Pick<FailureLimit, 'bucket'>) => ledger.counters.clear(hashOf(bucket)),
  };
}

type SignInAnswer = Person | 'wrong' | 'too-many' | 'busy';

/** One entry a person and hour, with their number and addresses. */
export const failedSignIns = ['wrong-password', 'wrong-code'] as const;

/**
 * Unknown names take the same time and have the same limits, so that answers do not reveal which names exist. Known browsers
 * have their own count and queue, so that nobody can lock a person out there; elsewhere name and client count.
 */
export function openSignIn(
  deps: Pick<HttpDeps, 'ledger' | 'clock' | 'tickets' | 'settings' | 'alerts'>,
  people: Pick<People, 'find'>,
) {
  const { ledger, clock, alerts } = deps;
  const devices = openDevices(deps);
  const failures = openFailures(deps);

  async function limitsOf(name: string, device: string | null, client: string): Promise<FailureLimit[]> {
    if (device !== null) return [{ bucket: ['device', device], most, withinMs }];
    const ofName = { bucket: ['name', name], most: manyForName, withinMs };
    const isAttacked = await failures.isReached([ofName]);
    return [
      { bucket: ['name', name, 'client', client], most: isAttacked ? fewWhileMany : most, withinMs },
      { bucket: ['client', client], most: mostOfClient, withinMs: minute },
    ];
  }

  /** Unknown names share one entry. */
  async function record(what: (typeof failedSignIns)[number], person: Person | undefined, client: string) {
    const bucket = [what, ...(person ? [person.user] : [])];
    const { count: attempts, endsAt } = await failures.count({ bucket, withinMs: episodeMs });
    await ledger.auditLog.fold({
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
      const { person, passwordHash } = await people.find(name);
      const device = person ? devices.of(req, person) : null;
      const isLimited = async () => failures.isReached(await limitsOf(name, device, client));
      const guess = async (): Promise<SignInAnswer> => {
        // Those before it in the queue may have reached the limit.
        if (await isLimited()) return 'too-many';
        const right = await isPassword(tooLong(password) ? '' : password, passwordHash);
        if (person && right) return person;
        for (const limit of await limitsOf(name, device, client)) await failures.count(limit);
        if (device === null) await failures.count({ bucket: ['name', name], withinMs });
        await record('wrong-password', person, client);
        return 'wrong';
      };
      if (await isLimited()) return 'too-many';
      return (await inQueue(device === null ? 'unknown' : 'known', guess)) ?? 'busy';
    },

    /** `accept` answers null for a wrong code. Nobody else can use up the attempts of a known device. */
    async checkCode<Accepted>(
      req: Request,
      person: Person,
      accept: () => Promise<Accepted | null>,
    ): Promise<Accepted | 'wrong' | { waitSeconds: number }> {
      const device = devices.of(req, person);
      const bucket = device === null ? ['code of', person.user] : ['code on', device];
      const rounds = { bucket: ['rounds', ...bucket], withinMs: dayMs };
      const alert = { code: 'second-factor-guessed', subject: person.user } as const;
      const roundMs = Math.min(withinMs * 2 ** (await failures.read(rounds)), dayMs);
      // Counted before the check, so that many codes at once do not pass the limit.
      const round = await failures.count({ bucket, withinMs: roundMs });
      if (round.count > mostCodes)
        return { waitSeconds: Math.ceil((Date.parse(round.endsAt) - clock.now().getTime()) / 1000) };
      const accepted = await accept();
      if (accepted !== null) {
        await failures.clear({ bucket });
        await failures.clear(rounds);
        await alerts.over(alert);
        return accepted;
      }
      await record('wrong-code', person, clientOf(req));
      if (round.count === mostCodes && (await failures.count(rounds)).count === roundsToAlert)
        await alerts.raise({
          ...alert,
          params: { user: person.user, codes: roundsToAlert * mostCodes },
        });
      return 'wrong';
    },

    remember: devices.remember,
  };
}
export type SignIn = ReturnType<typeof openSignIn>;

const lastsMs = 90 * 24 * 60 * 60_000;
const mostDevices = 5;

const useOf = (id: string, person: Person): string => `device ${id}\n${person.user}\n${passwordMark(person)}`;

/**
 * OWASP "device cookies". A token for each person: `<id>.<end>.<HMAC of id, person, password mark and end>`; a new password
 * invalidates that person's devices.
 */
function openDevices({ tickets, clock, settings }: Pick<HttpDeps, 'tickets' | 'clock' | 'settings'>) {
  const { device: name, options } = cookiesAt(settings.publicUrl);
  const tokensOf = (req: Request): string[] => (readCookie(req, name) ?? '').split('~', mostDevices);
  const read = (token: string, person: Person): string | null => {
    const [, id = '', ticket = ''] = /^([\w-]{22})\.(\d{1,12}\.[\w-]{32})$/.exec(token) ?? [];
    return id !== '' && tickets.admits(useOf(id, person), ticket) ? id : null;
  };
  return {
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
