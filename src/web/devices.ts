import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../domain/people.ts';
import type { HttpDeps } from './deps.ts';
import { cookiesAt, readCookie } from './panel/cookies.ts';
import { passwordMark } from './password.ts';

const lastsMs = 90 * 24 * 60 * 60_000;
/** People who sign in on one browser. */
const most = 5;

const useOf = (id: string, person: Person): string => `device ${id}\n${person.user}\n${passwordMark(person)}`;

/**
 * Browsers somebody signed in on before (OWASP, "device cookies"): limits on strangers' guesses do not hold them up. The
 * cookie has one token for each person, `<id>.<end>.<HMAC of id, person, password mark and end>`: a new password ends
 * all of that person's devices.
 */
export function openDevices({ tickets, clock, settings }: Pick<HttpDeps, 'tickets' | 'clock' | 'settings'>) {
  const { device: name, options } = cookiesAt(settings.publicUrl);
  const tokensOf = (req: Request): string[] => (readCookie(req, name) ?? '').split('~', most);
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
      const tokens = [`${id}.${tickets.issue(useOf(id, person), until)}`, ...others].slice(0, most);
      res.cookie(name, tokens.join('~'), { ...options, maxAge: lastsMs });
    },
  };
}
export type Devices = ReturnType<typeof openDevices>;
