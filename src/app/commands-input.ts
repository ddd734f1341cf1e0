import { z } from 'zod';
import type { CommandAnswer } from '../domain/commands.ts';
import type { Document } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import { type Owner, owner, type Scope } from '../domain/scope.ts';
import type { Settings } from '../domain/settings.ts';
import type { LedgerView } from '../ledger/view.ts';

/** Where a command finds what it is about: never beyond the scope of whoever gives it. */
export interface CommandView {
  scope: Scope | null;
  stores: Settings['stores'];
  ledger: LedgerView;
  /** Throws LedgerError `document-unknown`, `document-ambiguous`. */
  find(named: {
    document: string;
    store?: string | undefined;
    kind?: Document['kind'] | undefined;
  }): Promise<Document>;
}

/** Reads its input and carries it out. */
export type Command = (input: unknown, view: CommandView) => Promise<Carried>;
export type CommandTable = Readonly<Record<string, Command>>;

/** What a command answers, and what is written down of it: to what it was done, whose that is, and small facts. */
export interface Carried extends CommandAnswer {
  subject?: string;
  about?: Owner | undefined;
  /** No buyers' data. */
  facts?: Record<string, unknown>;
}

/** A document as the audit log names it, and whose it is. */
export const subjectOf = (document: Document): { subject: string; about: Owner } => ({
  subject: document.id,
  about: owner.shop(document),
});

/** Reads what a command was given, once. Throws LedgerError `command-unreadable`. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  throw new LedgerError(
    'command-unreadable',
    'El comando trae datos que no se entienden; revise lo que escribió.',
    `A command could not be read: ${z.prettifyError(result.error)}`,
  );
}
