import { z } from 'zod';

/** Field names and what is wrong with each, in the shape of the company routes (spec, "Errors" 3). */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type Checked<T> = { ok: true; data: T } | { ok: false; fields: FieldErrors };

/** Holds a request against its schema before anything leaves. No sentence quotes a value: it may be a secret. */
export function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const read = schema.safeParse(value, { error: sentence });
  if (read.success) return { ok: true, data: read.data };
  const fields: Record<string, string[]> = {};
  const add = (field: string, message: string) => {
    const list = Object.hasOwn(fields, field) ? (fields[field] ?? []) : [];
    fields[field] = [...list, message];
  };
  for (const issue of read.error.issues) {
    const path = issue.path.join('.');
    const under = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (issue.code !== 'unrecognized_keys') add(path || 'cuerpo', issue.message);
    else for (const key of issue.keys) add(under(key), 'El servicio no conoce este campo.');
  }
  return { ok: false, fields };
}

/** "ruc: Debe tener 13 dígitos." */
export function sentencesOf(fields: FieldErrors): string[] {
  return Object.entries(fields).flatMap(([field, messages]) => messages.map((one) => `${field}: ${one}`));
}

const spanish = z.locales.es().localeError;

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)) {
    return 'Es obligatorio.';
  }
  const said = spanish(issue);
  return typeof said === 'string' ? said : said?.message;
}

// Texts the request schemas share.

export const digits = (count: number) =>
  z.string().regex(new RegExp(`^\\d{${count}}$`), `Debe tener ${count} dígitos.`);
/** At most so many characters, counted by code point: 🌿 is one. */
export const words = (max: number) =>
  z.string().refine((value) => [...value].length <= max, `Admite hasta ${max} caracteres.`);
/** A text that must say something. */
export const text = (max = Number.POSITIVE_INFINITY) =>
  words(max).refine((value) => value.trim() !== '', 'No puede estar vacío.');
export const httpUrl = z.url({ protocol: /^https?$/, hostname: /./ }).meta({ description: 'http or https' });
