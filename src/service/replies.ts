import type { z } from 'zod';
import { parseJson } from '../domain/json.ts';
import type { Refused, Unauthorized, Unknown } from './answers.ts';
import { readNotice, readWords } from './inferred.ts';
import { saysBadKey } from './refusal-words.ts';
import { plainBody, spokenBody } from './wire.ts';

/** A reply with its whole body in memory. */
export interface ReadReply {
  status: number;
  text: string;
  /** When the service says that it answered, by its header `Date`; null when it does not say. */
  date: Date | null;
}

/** A good answer's JSON object and the notice beside it. */
export interface Said {
  kind: 'said';
  body: Record<string, unknown>;
  aviso: string | null;
}

/**
 * A page of markup where none belongs: a gateway, a maintenance page or an error of PHP speaks, not the service. What
 * refuses the key needs no body to be understood.
 */
export const isPage = ({ status, text }: Pick<ReadReply, 'status' | 'text'>): boolean =>
  (status < 200 || status > 299) && status !== 401 && /^\s*</.test(text);

/**
 * Reads an answer in the words `success` + `message` or `respuesta` + `errors` (spec, "Errors" 3, 4). Good is
 * only a 2xx whose flag, if any, is true; refused only what says so itself; everything else is unknown.
 */
export function readSaid({ status, text }: ReadReply): Said | Refused | Unauthorized | Unknown {
  if (status === 401) return { kind: 'unauthorized' };
  const json = readJson(text);
  if (json === undefined)
    return { kind: 'unknown', reason: `answered ${status} with something that is no JSON` };
  const read = spokenBody.safeParse(json);
  if (!read.success) return { kind: 'unknown', reason: `answered ${status} with a body of unknown shape` };
  const { success, respuesta, creado } = read.data;
  const flags = [success, respuesta, creado].filter((flag) => flag !== undefined);
  if (status >= 200 && status < 300 && !flags.includes(false)) {
    return { kind: 'said', body: read.data, aviso: readNotice(read.data.aviso_proveedor_sri) };
  }
  const final = status < 300 || (status >= 400 && status < 500 && status !== 408);
  if (!final || !flags.includes(false)) return { kind: 'unknown', reason: `answered ${status}` };
  const errors = readWords(read.data);
  return saysBadKey(errors) ? { kind: 'unauthorized' } : { kind: 'refused', status, errors };
}

/** The JSON object of a good answer, or the sentence that says why it is none. */
export function readSuccess({
  status,
  text,
}: Pick<ReadReply, 'status' | 'text'>): Record<string, unknown> | string {
  if (status !== 200) return `answered ${status}`;
  const body = plainBody.safeParse(readJson(text));
  return body.success ? body.data : 'answered 200 with a body of unknown shape';
}

/**
 * Whether the service itself says that it has no such thing: 404 in its own words (assumption A2). The 404 of a gateway,
 * a proxy or a wrong address says nothing of what the service holds.
 */
export function saysUnknown({ status, text }: ReadReply): boolean {
  if (status !== 404) return false;
  const body = spokenBody.safeParse(readJson(text));
  return body.success && body.data.success === false;
}

/** What a good answer says by a schema, or unknown. `what` ends the sentence "answered without …". */
export function readShape<T>(body: unknown, schema: z.ZodType<T>, what: string): { data: T } | Unknown {
  const read = schema.safeParse(body);
  return read.success ? { data: read.data } : { kind: 'unknown', reason: `answered without ${what}` };
}

/** Undefined when it is no JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
