import type { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import { CommandError, FacturapuenteError } from '../domain/errors.ts';
import { wrongFields } from '../domain/loose.ts';
import type { InstallItem } from '../domain/platform.ts';
import type { Owner, Scope, Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditEntry, AuditEntryOutcome } from '../ledger/schema.ts';
import {
  type Answer,
  type Context,
  type Look,
  type Operation,
  type OperationParts,
  slugOf,
} from './operation.ts';

export interface Caller {
  by: string;
  scope?: Scope | null;
}

export interface Operations {
  all: readonly Operation[];
  /** Throws CommandError `input-invalid`, `not-offered`, and the FacturapuenteError of the operation. */
  run<Input extends z.ZodObject, Data>(
    operation: Operation<Input, Data>,
    input: z.input<Input>,
    caller: Caller,
  ): Promise<Answer<Data>>;
  look(operation: Operation, input: unknown, caller: Caller): Promise<Look>;
  storesOf(caller: Caller): Settings['stores'];
}

export function openOperations(parts: OperationParts, all: readonly Operation[]): Operations {
  const { jobDeps, settings } = parts;
  const context = ({ by, scope = null }: Caller): Context => {
    const { stores } = scope ?? settings;
    const ledger = jobDeps.ledger.view(scope);
    return {
      ...parts,
      by,
      scope,
      stores,
      ledger,
      async find({ document: name, store, kind }) {
        const { findDocument } = await import('../jobs/take-key.ts');
        return findDocument(ledger, stores.values(), { name, store, kind });
      },
    };
  };
  return {
    all,
    storesOf: (caller) => context(caller).stores,
    async look(operation, input, caller) {
      refuseWhole(operation, caller);
      const look = await operation.look?.(context(caller), readInput(operation, input));
      if (!look) throw new RangeError(`The operation ${operation.name} has a tool and no look.`);
      return look;
    },
    async run(operation, input, caller) {
      refuseWhole(operation, caller);
      const read = readInput(operation, input);
      if (!operation.changes && !operation.audited) {
        const { done, message, data, code } = await operation.run(context(caller), read);
        return { done, message, ...(data !== undefined && { data }), ...(code !== undefined && { code }) };
      }
      const { document = null } = read as { document?: string };
      const entry = { who: caller.by, what: slugOf(operation), subject: document };
      return audited(auditIn(jobDeps, entry), async () => {
        const carried = await operation.run(context(caller), read);
        const { subject = document, about, facts, outcome, ...found } = carried;
        return {
          found,
          outcome: outcome ?? (found.done ? 'done' : 'nothing'),
          subject,
          about,
          ...(facts && { facts }),
        };
      });
    },
  };
}

function refuseWhole({ whole, title }: Operation, { scope = null }: Caller): void {
  if (whole && scope !== null) throw new CommandError('not-offered', { why: 'whole', operation: title });
}

/** Throws CommandError `input-invalid`, which names the fields and none of their values. */
export function readInput<Input extends z.ZodObject>(
  { title, input }: Pick<Operation<Input>, 'title' | 'input'>,
  given: unknown,
): z.output<Input> {
  const read = input.strict().safeParse(given);
  if (read.success) return read.data as z.output<Input>;
  const fields = wrongFields(read.error);
  throw new CommandError('input-invalid', { why: 'fields', name: `«${title}»`, fields });
}

interface Outcome {
  outcome: Exclude<AuditEntryOutcome, 'refused'>;
  /** Never contains buyers' data. */
  facts?: Record<string, unknown>;
  subject?: string | null;
  about?: Owner | undefined;
}

export function auditIn(
  { ledger, clock }: { ledger: Pick<Ledger, 'auditLog'>; clock: Clock },
  entry: Pick<AuditEntry, 'who' | 'what' | 'subject'> & { about?: Owner },
): (outcome: Outcome) => Promise<void> {
  const now = clock.now();
  return (outcome) => ledger.auditLog.add({ ...entry, ...outcome, now });
}

export async function audited<T>(
  add: (outcome: Outcome) => Promise<void>,
  task: () => Promise<Outcome & { found: T }>,
): Promise<T> {
  try {
    const { found, ...outcome } = await task();
    await add(outcome);
    return found;
  } catch (error) {
    await add({ outcome: 'failed', facts: error instanceof FacturapuenteError ? { code: error.code } : {} });
    throw error;
  }
}

export function outcomeOf(items: readonly InstallItem[]): Outcome {
  const named = (wanted: (item: InstallItem) => boolean) => [
    ...new Set(items.filter(wanted).map(({ code }) => code)),
  ];
  const changed = named(({ done }) => done === true);
  const open = named(({ state }) => state !== 'ok' && state !== 'warning');
  return { outcome: changed.length > 0 ? 'done' : 'nothing', facts: { changed, open } };
}
