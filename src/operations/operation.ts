import { z } from 'zod';
import type { Document } from '../domain/document.ts';
import type { Platform } from '../domain/platform.ts';
import type { Owner, Role, Scope, Settings } from '../domain/settings.ts';
import type { Storing } from '../domain/storing.ts';
import type { JobDeps } from '../jobs/deps.ts';
import type { LedgerView } from '../ledger/ledger.ts';
import type { AuditEntryOutcome } from '../ledger/schema.ts';
import type { Closing } from '../reports/close/close.ts';
import type { Exporting } from '../reports/export/export-month.ts';

/** The source of the command, the form of the panel, the tool of assistants, the audit entry, and `connector.operations`. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Data = unknown> {
  /** 'retry', 'links revoke'. Its tool is `links_revoke`; its form and its audit entry, `links-revoke`. */
  name: string;
  /** Spanish: the label of its button and its name in the audit log. */
  title: string;
  description: string;
  role: Role;
  /** A person or token limited to some stores may not use it. */
  whole?: true;
  /** The audit log keeps it, and assistants need a plan. */
  changes: boolean;
  /** It changes nothing, but the audit log keeps it too. */
  audited?: true;
  input: Input;
  form?: OperationForm;
  /** One that changes something takes the id of a plan, which `look` shows. */
  tool?: true;
  hidden?: true;
  /** Exit code where the ledger does not answer, for commands whose code 1 has a meaning. Default 1. */
  unreachable?: number;
  /** Spanish: what its plan shows, where that is more than a document. */
  planned?: string;
  /** The plan of an assistant is refused once `seen` is another. */
  look?(context: Context, input: z.output<Input>): Promise<Look>;
  /** Throws FacturapuenteError. */
  run(context: Context, input: z.output<Input>): Promise<Carried<Data>>;
}

export interface OperationForm {
  /** `button`: other pages have all its fields; `page`: others lead to its page; `listed`: the page of operations does. */
  as: 'button' | 'page' | 'listed';
  /** It cannot be undone: asks for a code of the last quarter of an hour. */
  wantsFreshCode?: true;
}

export interface FieldMeta {
  description: string;
  title?: string;
  /** Its text in the usage of the command: `<documento>`, `--store <tienda>`. */
  value?: string;
  argument?: true;
  /** A path of this machine, or what only a person may confirm. */
  terminalOnly?: true;
  /** Forms always send it, because it is what the person saw. */
  formRequired?: true;
  store?: true;
  labels?: Readonly<Record<string, string>>;
}

/** Documents and stores outside the caller's scope are not found. */
export interface Context extends OperationParts {
  by: string;
  scope: Scope | null;
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

export interface OperationParts {
  jobDeps: JobDeps;
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

interface Retention {
  deliveriesDays: number;
  ordersDays: number;
  documentsYears: number;
}

export interface Look {
  ambiente: 1 | 2;
  /** Ids: they name the same thing whatever changes meanwhile. */
  input: Record<string, unknown>;
  seen: string;
  /** JSON without buyers' data. */
  shown: Record<string, unknown>;
  due?: boolean;
}

export interface Answer<Data = unknown> {
  /** False: nothing was done, and `message` has the reason. */
  done: boolean;
  message: string;
  /** JSON for programs; without it `done` and `message` are the result. */
  data?: Data;
  /** Exit code; default 0 where `done`, else 1. */
  code?: number;
}

export interface Carried<Data = unknown> extends Answer<Data> {
  subject?: string | undefined;
  about?: Owner | undefined;
  outcome?: Exclude<AuditEntryOutcome, 'refused'>;
  /** Never contains buyers' data. */
  facts?: Record<string, unknown> | undefined;
}

export const defineOperation = <Input extends z.ZodObject, Data>(
  operation: Operation<Input, Data>,
): Operation<Input, Data> => operation;

export const slugOf = ({ name }: Pick<Operation, 'name'>): string => name.replaceAll(' ', '-');

export const field = <Schema extends z.ZodType>(schema: Schema, meta: FieldMeta): Schema =>
  schema.meta({ ...meta });

const name = z.string().min(1).max(80);

export const fields = {
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

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
