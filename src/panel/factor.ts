import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { mayDo, type Person } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import type { SecondFactor } from '../ledger/people.ts';
import type { SessionStage } from '../ledger/schema.ts';

export type SecondFactorPolicy = 'required' | 'off';

const periodSeconds = 30;
const codesAtOnce = 10;
/** Characters that look alike are missing. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const codeLength = 24;

export interface Enrolment {
  uri: string;
  secret: string;
}

/** RFC 6238: SHA-1, six digits, 30 seconds, as authenticator apps support. A code may be one time step early or late. */
export function openSecondFactor(
  { ledger, clock, settings }: Pick<HttpDeps, 'ledger' | 'clock' | 'settings'>,
  policy: SecondFactorPolicy,
) {
  const host = new URL(settings.publicUrl).hostname;
  const totpOf = (person: string, secret: string) =>
    new TOTP({
      issuer: 'facturapuente',
      label: `${person}@${host}`,
      algorithm: 'SHA1',
      digits: 6,
      period: periodSeconds,
      secret: Secret.fromBase32(secret),
    });
  function stepOf(person: string, secret: string, code: string): number | null {
    const timestamp = clock.now().getTime();
    const delta = totpOf(person, secret).validate({ token: code, timestamp, window: 1 });
    return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta;
  }

  return {
    isOn: policy === 'required',
    of: (person: Person): Promise<SecondFactor | null> => ledger.secondFactors.get(person.user),

    isEnough: (person: Person, stage: SessionStage): boolean =>
      stage === 'code' || (stage === 'password' && !(policy === 'required' && mayDo(person.role, 'operate'))),

    async stageAfterPassword(person: Person): Promise<SessionStage> {
      if (policy === 'off') return 'password';
      if (mayDo(person.role, 'operate')) return 'pending';
      return (await ledger.secondFactors.get(person.user)) ? 'pending' : 'password';
    },

    async enrolment(person: Person, tokenHash: string): Promise<Enrolment> {
      const secret = await ledger.sessions.draft(tokenHash, new Secret({ size: 20 }).base32);
      return { secret, uri: totpOf(person.user, secret).toString() };
    },

    async enrol(person: Person, tokenHash: string, code: string): Promise<string[] | null> {
      const { secret } = await this.enrolment(person, tokenHash);
      const step = stepOf(person.user, secret, plainCode(code));
      if (step === null) return null;
      const codes = recoveryCodes();
      const codeHashes = codes.map((one) => hashOf(person, one));
      const factor = { person: person.user, secret, step, codeHashes, now: clock.now() };
      return (await ledger.secondFactors.enrol(factor)) ? codes : null;
    },

    /** Each code is accepted once; null for a wrong one. */
    async acceptCode(person: Person, code: string): Promise<'code' | null> {
      const factor = await ledger.secondFactors.get(person.user);
      const step = factor && stepOf(person.user, factor.secret, plainCode(code));
      return step !== null && (await ledger.secondFactors.acceptStep(person.user, step)) ? 'code' : null;
    },

    /** Each code is accepted once; null for a wrong one. */
    acceptRecovery: async (person: Person, typed: string): Promise<'recovery' | null> =>
      (await ledger.secondFactors.spendCode(person.user, hashOf(person, typed))) ? 'recovery' : null,

    async renewCodes(person: Person): Promise<string[]> {
      const codes = recoveryCodes();
      await ledger.secondFactors.replaceCodes(
        person.user,
        codes.map((code) => hashOf(person, code)),
      );
      return codes;
    },
  };
}
export type SecondFactors = ReturnType<typeof openSecondFactor>;

const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase();

/** 118 bits each, so that a plain hash protects them. */
const recoveryCodes = (): string[] =>
  Array.from({ length: codesAtOnce }, () => {
    const characters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]);
    return characters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
  });

const hashOf = ({ user }: Person, code: string): string =>
  createHash('sha256')
    .update(`${user}\n${plainCode(code)}`)
    .digest('base64url');
