import type { z } from 'zod';
import type { Account } from './accounts/accounts.ts';
import type { Strike } from './faults/faults.ts';
import type { World } from './world.ts';

/** What came with a request, already let in. Handlers see no HTTP: the assistant-tool server calls them too. */
export interface Call {
  world: World;
  /** Whose key came with it. Public operations have none: reading it there throws. */
  readonly account: Account;
  /** Disturbances only the handler itself can make; none when it is not called over HTTP. */
  strike?: Strike;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The JSON body; throws UnreadableBody on anything else. */
  json(): unknown;
  /** The fields and files of a multipart body, or null when the body is of another type. */
  form(): Promise<Form | null>;
}

/** A multipart body: text fields by name, files by name. */
export interface Form {
  fields: Readonly<Record<string, string>>;
  files: Readonly<Record<string, { name: string; bytes: Buffer }>>;
}

/** What a handler answers: JSON, or bytes of another type. */
export interface Reply {
  status: number;
  body: Record<string, unknown> | Bytes;
  /** Overrides what the operation says about its answers. */
  inferred?: boolean;
  /** A document exists because of this call: disturbances "after storing" apply. */
  stored?: boolean;
}

export class Bytes {
  readonly type: string;
  readonly content: Buffer | string;
  readonly fileName: string | undefined;
  constructor(type: string, content: Buffer | string, fileName?: string) {
    this.type = type;
    this.content = content;
    this.fileName = fileName;
  }
}

/**
 * One answer as the description shows it: JSON by its schema, or another media type. `inferred`: the specification
 * shows the operation, but not this answer of it.
 */
export type DescribedAnswer = { says: string; inferred?: true } & ({ json: z.ZodType } | { type: string });

/**
 * One row of the specification's endpoint tables. The routes, the OpenAPI description and the tools of the
 * MCP server are all made from these.
 */
export interface Operation {
  /** Stable and snake_case (spec, "Versioning"); `inferred` marks names the specification does not show. */
  id: string;
  method: 'get' | 'post' | 'put';
  /** Express style: `/api/comprobante/consulta/:claveacceso`. */
  path: string;
  tag:
    | 'Empresas'
    | 'Emisión'
    | 'Comprobantes'
    | 'Procesamiento'
    | 'Webhook'
    | 'Créditos'
    | 'Consultas'
    | 'Identidad'
    | 'Público';
  summary: string;
  /** The shape of errors: `creado` + `errors`, `respuesta` + `errors` by field, or `success` + `message`. */
  words: 'emision' | 'empresa' | 'plain';
  /** True when the specification shows neither request nor answer: every answer is marked. */
  inferred: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  json?: z.ZodType;
  /** Fields of a multipart body; the names in `files` are binary, each of `maxBytes` at most. */
  multipart?: { fields: z.ZodObject; files: readonly string[]; maxBytes: number };
  answers: Readonly<Record<number, DescribedAnswer>>;
  /** Emits documents: over MCP it stays in ambiente 1 unless the connection says otherwise. */
  issues?: boolean;
  access: 'key' | 'public';
  handle(call: Call): Reply | Promise<Reply>;
}

/** Statuses whose bodies the specification shows (spec, "Errors" 2 to 5 and 7); of the others it names the number only. */
const shown: Readonly<Record<Operation['words'], readonly number[]>> = {
  emision: [401, 409, 500],
  empresa: [400, 401, 404],
  plain: [401],
};

/** The reply with the mark of an answer that the specification does not show, unless it says by itself whether it is one. */
export function marked({ inferred, words }: Operation, reply: Reply): Reply {
  const unshown = reply.status >= 400 && !shown[words].includes(reply.status);
  return { inferred: inferred || unshown, ...reply };
}
