import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Credential } from '../domain/credentials.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Account } from '../domain/settings.ts';

/** What is remembered between runs: in the ledger, wherever it is held. */
export interface Records {
  get(under: string, name: string): Promise<Credential | null>;
  /** Writes over the version that was read (null: there was none); false when somebody else was faster. */
  put(under: string, name: string, value: unknown, version: number | null): Promise<boolean>;
}

/** One record while it is worked on. */
export interface OpenRecord<T> {
  readonly value: T;
  /** Writes it down before the next thing is done. Throws LedgerError `install-raced`. */
  save(change: Partial<T>): Promise<void>;
}

interface AtService {
  service: string;
  keyHash: string;
}

/**
 * Opens a record, empty where there is none or where it tells of another service or account. A key that is one of the
 * account's is the same account, so that a rotation sends nothing again.
 */
export async function openRecord<T extends AtService>(
  records: Records,
  { under, name, shape, empty }: { under: string; name: string; shape: z.ZodType<T>; empty: T },
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
      if (!(await records.put(under, name, next, version))) throw raced(name);
      value = next;
      version = (version ?? 0) + 1;
    },
  };
}

/** Hex SHA-256 of bytes, or of what JSON makes of a value. */
export function fingerprint(value: unknown): string {
  const bytes = value instanceof Uint8Array ? value : JSON.stringify(value);
  return createHash('sha256').update(bytes).digest('hex');
}

function raced(name: string): LedgerError {
  return new LedgerError(
    'install-raced',
    'Otro «facturapuente install» corre al mismo tiempo: espere a que termine y repita.',
    `The record of ${name} changed while it was worked on; another install runs.`,
  );
}
