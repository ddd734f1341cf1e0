import { createHash, createHmac } from 'node:crypto';
import type { Person } from '../../core/people.ts';
import type { HttpDeps } from '../deps.ts';
import { inLine } from '../guesses.ts';
import { isPassword } from '../password.ts';

/** Wrong passwords for one name within this time, counted in the ledger for all processes. */
const wrongMost = 10;
const wrongWithinMs = 15 * 60_000;

export type SignInAnswer = { kind: 'right'; person: Person } | { kind: 'wrong' } | { kind: 'too-many' };

/**
 * Says whose name and password these are. A name nobody has costs the same time and is limited alike, so that answers
 * do not tell which names exist. Each guess is written down; a name only where it is somebody's.
 */
export function openSignIn(
  { ledger, clock }: Pick<HttpDeps, 'ledger' | 'clock'>,
  people: ReadonlyMap<string, Person>,
): (user: string, password: string) => Promise<SignInAnswer> {
  const hashes = [...people.values()].map(({ passwordHash }) => passwordHash);
  // What is counted must not tell a reader of the ledger what somebody typed, perhaps a password, as a name.
  const key = createHash('sha256').update(hashes.join('\n')).digest();
  const bucketOf = (user: string) => createHmac('sha256', key).update(user).digest('base64url').slice(0, 12);

  async function guess(user: string, password: string): Promise<SignInAnswer> {
    const now = clock.now();
    const [what, subject] = ['sign-in', bucketOf(user)];
    const since = new Date(now.getTime() - wrongWithinMs);
    if ((await ledger.deeds.count({ what, subject, outcome: 'refused', since })) >= wrongMost)
      return { kind: 'too-many' };
    const person = people.get(user);
    const right = await isPassword(password, person?.passwordHash ?? hashes[0] ?? '');
    const good = person !== undefined && right;
    const who = person === undefined ? null : `${user} (panel)`;
    await ledger.deeds.add({ who, what, subject, outcome: good ? 'done' : 'refused', now });
    return good ? { kind: 'right', person } : { kind: 'wrong' };
  }
  return async (user, password) => (await inLine(() => guess(user, password))) ?? { kind: 'too-many' };
}
