import { z } from 'zod';
import type { Person } from '../../domain/settings.ts';
import type { Tables } from '../../ledger/ledger.ts';
import type { HttpDeps } from '../deps.ts';
import { passwordMark } from '../password.ts';

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
