import { z } from 'zod';
import type { Document } from '../domain/document.ts';
import type { Platform } from '../domain/platform.ts';
import type { Owner, Role, Scope, Settings } from '../domain/settings.ts';
import type { Storing } from '../domain/storing.ts';
import type { JobDeps } from '../jobs/deps.ts';
import type { LedgerView } from '../ledger/ledger.ts';
import type { AuditEntryOutcome } from '../ledger/schema.ts';
import type { Closing } from '../reports/close/closing.ts';
import type { Exporting } from '../reports/export/export-month.ts';

/**
 * Something a person or a program does with an installation, declared once. From it come the command of the terminal, the
 * form of the panel, the tool of assistants, the entry of the audit log, and `connector.operations`.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Data = unknown> {
  /** Its command: 'retry', 'links revoke'. Its tool is `links_revoke`; its form and its audit entry, `links-revoke`. */
  name: string;
  /** Spanish: the label of its button and its name in the audit log. */
  title: string;
  /** Spanish: what it does, for the help, the form and the tool. */
  description: string;
  /** The lowest role of the panel that may do it. */
  role: Role;
  /** It concerns the whole installation: a person or token limited to some stores may not do it. */
  whole?: true;
  /** It changes something: the audit log keeps it, and assistants need a plan. */
  changes: boolean;
  /** Reads, but the audit log keeps it too. */
  audited?: true;
  /** Each field with `meta(…)`, see `FieldMeta`. */
  input: Input;
  /** It has a form in the panel. */
  form?: OperationForm;
  /** Assistants have a tool for it. One that changes something takes the id of a plan, which `look` shows. */
  tool?: true;
  /** No command of its own: only the panel, programs, or other commands use it. */
  hidden?: true;
  /** Exit code where the ledger does not answer, for commands whose code 1 has a meaning. Default 1. */
  unreachable?: number;
  /** Spanish: what its plan shows, where that is more than a document. */
  planned?: string;
  /** What it is about, as it is now. The plan of an assistant is refused once `seen` is another. */
  look?(context: Context, input: z.output<Input>): Promise<Look>;
  /** Loads its code when called. Throws FacturapuenteError. */
  run(context: Context, input: z.output<Input>): Promise<Carried<Data>>;
}

export interface OperationForm {
  /** `button`: other pages have all its fields; `page`: other pages lead to its own; `listed`: the page of operations does. */
  as: 'button' | 'page' | 'listed';
  /** It cannot be undone: asks for a code of the last quarter of an hour. */
  wantsFreshCode?: true;
}

/** How a field looks, beside its type, default and limits. */
export interface FieldMeta {
  /** Spanish: what it is, for the help and the tool. */
  description: string;
  /** Spanish: its label in a form; default: the description. */
  title?: string;
  /** Its place in the usage of the command: `<documento>`, `--store <tienda>`. */
  value?: string;
  /** An argument of the command, not an option. */
  argument?: true;
  /** Only the terminal and programs have it: a path of this machine, what only a person may confirm. */
  terminalOnly?: true;
  /** Forms always send it: what the person saw. */
  formRequired?: true;
  /** A store: a form offers those there are. */
  store?: true;
  /** Spanish: what each choice means, for the form. */
  labels?: Readonly<Record<string, string>>;
}

/** What an operation may use. Documents and stores outside the caller's scope are not found. */
export interface Context extends OperationParts {
  /** Who does it, for timelines and the audit log: "ana (panel)". */
  by: string;
  /** The stores of the person or token; null for all. */
  scope: Scope | null;
  /** Within the scope. */
  stores: Settings['stores'];
  ledger: LedgerView;
  /** Throws CommandError `not-found`, `ambiguous`. */
  find(named: NamedDocument): Promise<Document>;
}

export interface NamedDocument {
  document: string;
  store?: string | undefined;
  kind?: Document['kind'] | undefined;
}

/** An installation, as operations see it. */
export interface OperationParts {
  handlers: JobDeps;
  settings: Pick<Settings, 'stores'>;
  closing: Closing;
  exporting: Pick<Exporting, 'month'>;
  storing: Storing;
  platforms: readonly Platform[];
  about: {
    version: string;
    redis: boolean;
    retention: Retention;
    /** Raw public keys that may have signed closes, base64. */
    closeKeys: readonly string[];
  };
}

/** How long data of buyers is kept (config `retention`). */
interface Retention {
  deliveriesDays: number;
  ordersDays: number;
  documentsYears: number;
}

/** What an assistant is shown before it changes something. */
export interface Look {
  ambiente: 1 | 2;
  /** The input that names the same thing whatever happens meanwhile: ids. */
  input: Record<string, unknown>;
  /** Changes with whatever the plan depends on. */
  seen: string;
  /** JSON without buyers' data. */
  shown: Record<string, unknown>;
  /** Whether there is anything to do; default true. */
  due?: boolean;
}

export interface Answer<Data = unknown> {
  /** False: nothing was done, and `says` has the reason. */
  done: boolean;
  /** Spanish: sentences, or the text a terminal shows. */
  says: string;
  /** The result as JSON, for programs; without it `done` and `says` are the result. */
  data?: Data;
  /** Exit code of the command; default 0 where `done`, else 1. */
  code?: number;
}

/** An answer, with what the audit log keeps: what it was done to, whose that is, and small facts. */
export interface Carried<Data = unknown> extends Answer<Data> {
  subject?: string | undefined;
  about?: Owner | undefined;
  /** Default: 'done' or 'nothing', by `done`. */
  outcome?: Exclude<AuditEntryOutcome, 'refused'>;
  /** No buyers' data. */
  facts?: Record<string, unknown> | undefined;
}

/** Declares an operation; ties the type of `run` to `input`. */
export const defineOperation = <Input extends z.ZodObject, Data>(
  operation: Operation<Input, Data>,
): Operation<Input, Data> => operation;

/** "links revoke" as the audit log, forms and tools name it. */
export const slugOf = ({ name }: Pick<Operation, 'name'>): string => name.replaceAll(' ', '-');

/** Adds what a field is to its schema. */
export const field = <Schema extends z.ZodType>(schema: Schema, meta: FieldMeta): Schema =>
  schema.meta({ ...meta });

const name = z.string().min(1).max(80);

export const fields = {
  /** By itself: of one document. */
  document: field(name, {
    title: 'Documento',
    description: 'su número (001-001-000000123), su clave de acceso o su id',
    value: 'documento',
    argument: true,
  }),
  order: field(name, {
    title: 'Pedido',
    description: 'su número (#1001) o su id en la tienda',
    value: 'pedido',
    argument: true,
  }),
  store: (description: string) =>
    field(z.string().max(63).optional(), { title: 'Tienda', description, value: 'tienda', store: true }),
  flag: (description: string, more: Partial<FieldMeta> = {}) =>
    field(z.boolean().default(false), { description, ...more }),
};
