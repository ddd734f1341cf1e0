import type { z } from 'zod';
import { inSpanish } from '../emission/validation.ts';

/** Sentences by field name (spec, "Errors" 3). */
export type FieldErrors = Record<string, string[]>;

/** The fields a schema reads, or what is wrong with each; a body that is no object hangs under `cuerpo`. */
export function readFields<T>(schema: z.ZodType<T>, value: unknown): { fields: T } | { errors: FieldErrors } {
  const read = schema.safeParse(value, { error: inSpanish });
  return read.success ? { fields: read.data } : { errors: byField(read.error.issues.flatMap(sentences)) };
}

/** Groups sentences under their fields. Names come from outside: `__proto__` is one like any other. */
export function byField(found: readonly (readonly [field: string, sentence: string])[]): FieldErrors {
  const fields = Map.groupBy(found, ([field]) => field);
  return Object.fromEntries(
    [...fields].map(([field, said]) => [field, said.map(([, sentence]) => sentence)] as const),
  );
}

function sentences(issue: z.core.$ZodIssue): (readonly [string, string])[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => [key, `El campo ${key} no existe en esta operación.`]);
  }
  const field = issue.path[0];
  return field === undefined
    ? [['cuerpo', `El cuerpo ${issue.message}.`]]
    : [[String(field), `El campo ${String(field)} ${issue.message}.`]];
}
