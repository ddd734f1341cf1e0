import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { CommandError } from '../domain/errors.ts';
import type { accountsUnder, issuersUnder } from '../domain/issuer-record.ts';
import type { InstallItem } from '../domain/platform.ts';
import type { Account } from '../domain/settings.ts';
import type { Credential } from '../domain/shop-identity.ts';
import type { Params } from '../messages/message.ts';
import type { Failure, Refused, ServiceCalls } from '../service/index.ts';

export interface SetupDeps {
  service: ServiceCalls;
  records: Records;
  now: Date;
  /** False only checks. A second run with true changes nothing. */
  apply: boolean;
  /** Replaces what another system set in the service: a company's data, the account's webhook. */
  replace: boolean;
  resend: boolean;
  production: boolean;
}

type AsksService = 'account-api-key' | 'service-webhook' | 'company' | 'signature' | 'logo';

export function failed(code: AsksService, params: Params, answer: Refused | Failure): InstallItem {
  const errors = answer.kind === 'refused' ? answer.errors : [];
  return { code, state: 'problem', params: { ...params, why: 'service', answer: answer.kind, errors } };
}

export type RecordsUnder = typeof issuersUnder | typeof accountsUnder;

export interface Records {
  get(under: RecordsUnder, name: string): Promise<Credential | null>;
  /** `version` null: there was none. False when another process wrote meanwhile. */
  put(under: RecordsUnder, name: string, value: unknown, version: number | null): Promise<boolean>;
}

export interface OpenRecord<T> {
  readonly value: T;
  /** Throws CommandError `busy-elsewhere`. */
  save(change: Partial<T>): Promise<void>;
}

interface AtService {
  service: string;
  keyHash: string;
}

/** Empty for another service or account; any key of the account is the same, so a rotation sends nothing again. */
export async function openRecord<T extends AtService>(
  records: Records,
  { under, name, shape, empty }: { under: RecordsUnder; name: string; shape: z.ZodType<T>; empty: T },
  account: Pick<Account, 'baseUrl' | 'keys'>,
): Promise<OpenRecord<T>> {
  const kept = await records.get(under, name);
  const read = kept === null ? undefined : shape.safeParse(kept.value).data;
  const same =
    read?.service === empty.service && account.keys.some(({ keyHash }) => keyHash === read.keyHash);
  let value = read && same ? read : empty;
  let version = kept?.version ?? null;
  return {
    get value() {
      return value;
    },
    async save(change) {
      const next = { ...value, ...change, keyHash: empty.keyHash };
      if (!(await records.put(under, name, next, version)))
        throw new CommandError('busy-elsewhere', { why: 'install', name });
      value = next;
      version = (version ?? 0) + 1;
    },
  };
}

export function fingerprint(value: unknown): string {
  const bytes = value instanceof Uint8Array ? value : JSON.stringify(value);
  return createHash('sha256').update(bytes).digest('hex');
}
