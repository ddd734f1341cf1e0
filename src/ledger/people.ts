import { type Access, wrote } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { Session } from './schema.ts';

const secretPlace = (tokenHash: string): string => `sessions.encryptedSecret ${tokenHash}`;

export function sessionTable({ db }: Access, cipher: Cipher) {
  const update = (tokenHash: string) => db().updateTable('sessions').where('tokenHash', '=', tokenHash);
  return {
    async begin({
      now,
      ...session
    }: Pick<Session, 'tokenHash' | 'person' | 'mark' | 'stage'> & { now: Date }): Promise<void> {
      const at = now.toISOString();
      await db()
        .insertInto('sessions')
        .values({ ...session, beganAt: at, seenAt: at })
        .execute();
    },

    get: (tokenHash: string): Promise<Session | undefined> =>
      db()
        .selectFrom('sessions')
        .select(['tokenHash', 'person', 'mark', 'beganAt', 'seenAt', 'notice', 'stage'])
        .where('tokenHash', '=', tokenHash)
        .executeTakeFirst(),

    async seen(tokenHash: string, now: Date): Promise<void> {
      await update(tokenHash).set({ seenAt: now.toISOString() }).execute();
    },

    async notify(tokenHash: string, notice: string | null): Promise<void> {
      await update(tokenHash).set({ notice }).execute();
    },

    async draft(tokenHash: string, fresh: string): Promise<string> {
      const place = secretPlace(tokenHash);
      // Two pages of one session may call at once: both show the secret of the first.
      await update(tokenHash)
        .set({ encryptedSecret: cipher.close(fresh, place) })
        .where('encryptedSecret', 'is', null)
        .execute();
      const { encryptedSecret } = await db()
        .selectFrom('sessions')
        .select('encryptedSecret')
        .where('tokenHash', '=', tokenHash)
        .executeTakeFirstOrThrow();
      return cipher.open(encryptedSecret ?? '', place);
    },

    end: (tokenHash: string) => wrote(db().deleteFrom('sessions').where('tokenHash', '=', tokenHash)),

    async endOf(person: string): Promise<void> {
      await db().deleteFrom('sessions').where('person', '=', person).execute();
    },

    async prune({ seen, began }: { seen: Date; began: Date }): Promise<void> {
      await db()
        .deleteFrom('sessions')
        .where((is) =>
          is.or([is('seenAt', '<', seen.toISOString()), is('beganAt', '<', began.toISOString())]),
        )
        .execute();
    },
  };
}

export interface SecondFactor {
  /** Written in Base32. */
  secret: string;
  enrolledAt: string;
  codesLeft: number;
}

const factorPlace = (person: string): string => `secondFactors.encrypted ${person}`;

const joined = (codeHashes: readonly string[]): string => codeHashes.join(' ');
const split = (recoveryCodes: string): string[] => recoveryCodes.split(' ').filter((hash) => hash !== '');

export function secondFactorTable({ db }: Access, cipher: Cipher) {
  const find = (person: string) =>
    db().selectFrom('secondFactors').selectAll().where('person', '=', person).executeTakeFirst();
  const update = (person: string) => db().updateTable('secondFactors').where('person', '=', person);
  return {
    async get(person: string): Promise<SecondFactor | null> {
      const row = await find(person);
      if (!row) return null;
      const { encrypted, enrolledAt, recoveryCodes } = row;
      const secret = cipher.open(encrypted, factorPlace(person));
      return { secret, enrolledAt, codesLeft: split(recoveryCodes).length };
    },

    /** False, without a change, where the person has a factor. */
    enrol: (factor: {
      person: string;
      secret: string;
      step: number;
      codeHashes: readonly string[];
      now: Date;
    }) => {
      const { person, secret, step, codeHashes, now } = factor;
      return wrote(
        db()
          .insertInto('secondFactors')
          .values({
            person,
            encrypted: cipher.close(secret, factorPlace(person)),
            lastStep: step,
            enrolledAt: now.toISOString(),
            recoveryCodes: joined(codeHashes),
          })
          .onConflict((known) => known.column('person').doNothing()),
      );
    },

    /** True once per step, and only for steps later than every accepted one. */
    acceptStep: (person: string, step: number) =>
      wrote(update(person).set({ lastStep: step }).where('lastStep', '<', step)),

    async spendCode(person: string, codeHash: string): Promise<boolean> {
      for (;;) {
        const known = (await find(person))?.recoveryCodes ?? '';
        const left = split(known).filter((hash) => hash !== codeHash);
        if (left.length === split(known).length) return false;
        // Compare-and-set: another code may be used at the same moment.
        if (
          await wrote(
            update(person)
              .set({ recoveryCodes: joined(left) })
              .where('recoveryCodes', '=', known),
          )
        )
          return true;
      }
    },

    async replaceCodes(person: string, codeHashes: readonly string[]): Promise<void> {
      await update(person)
        .set({ recoveryCodes: joined(codeHashes) })
        .execute();
    },

    remove: (person: string) => wrote(db().deleteFrom('secondFactors').where('person', '=', person)),
  };
}
