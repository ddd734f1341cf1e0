import { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';

export interface Problem {
  path: string;
  message: string;
}

const spanish = z.locales.es().localeError;
const kinds: Record<string, string> = {
  string: 'un texto',
  number: 'un número',
  int: 'un número entero',
  boolean: 'true o false',
  array: 'una lista',
  object: 'una sección con sus datos',
  record: 'una sección con sus datos',
};

/** Never quotes the value, which may be a secret. */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code))
    return 'Falta este dato.';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'string' && typeof issue.input === 'number')
        return 'Debe ser un texto: escriba el número entre comillas.';
      return `Debe ser ${kinds[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `Debe ser uno de estos valores: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `No se conoce: ${issue.keys.join(', ')}. Revise si está mal escrito o en otra sección.`;
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1
          ? 'No puede estar vacío.'
          : `Debe tener al menos ${issue.minimum} caracteres.`;
      return `Debe ser ${issue.minimum} o más.`;
    case 'too_big':
      return issue.origin === 'string'
        ? `Admite hasta ${issue.maximum} caracteres.`
        : `Debe ser ${issue.maximum} o menos.`;
    case 'invalid_key':
      return issue.issues[0]?.message;
    default: {
      const said = spanish(issue);
      return typeof said === 'string' ? said : said?.message;
    }
  }
}

export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: string,
  problems: Problem[],
): T | undefined {
  // Settings are read once: compiling their schemas takes longer than it saves (25 ms of a start).
  const result = schema.safeParse(value, { error: (issue) => sentence(issue), jitless: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    problems.push({
      path: [path, ...issue.path.map(String)].filter((part) => part !== '').join('.'),
      message: issue.message,
    });
  return undefined;
}

export function refuse(problems: readonly Problem[], where: string): void {
  if (problems.length === 0) return;
  const list = problems
    .map(({ path, message }) => `  - ${path === '' ? '(archivo)' : path}: ${message}`)
    .join('\n');
  throw new ConfigError('config-invalid', { why: 'list', where, list });
}

export function unknown(name: string, known: Iterable<string>): string {
  const list = [...known];
  return `No existe «${name}». ${list.length === 0 ? 'Todavía no hay ninguno.' : `Hay: ${list.join(', ')}.`}`;
}
