import { z } from 'zod';
import type { FieldMeta } from './operation.ts';

export interface FormField extends FieldMeta {
  name: string;
  type: 'text' | 'integer' | 'flag' | 'choice' | 'list';
  choices: readonly string[];
  required: boolean;
  default: unknown;
}

type Property = FieldMeta & {
  type?: string;
  enum?: string[];
  items?: { enum?: string[] };
  anyOf?: { enum?: string[] }[];
  default?: unknown;
};

export function formFields(input: z.ZodObject): FormField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => {
    const { type, enum: own, items, anyOf, ...meta } = property as Property;
    const choices = own ?? items?.enum ?? anyOf?.find((one) => one.enum)?.enum ?? [];
    return {
      ...meta,
      name,
      type: typeOf(type, choices),
      choices,
      required: required.includes(name),
      default: meta.default,
    };
  });
}

function typeOf(type: string | undefined, choices: readonly string[]): FormField['type'] {
  if (type === 'boolean') return 'flag';
  if (type === 'integer') return 'integer';
  if (type === 'array') return 'list';
  return choices.length > 0 ? 'choice' : 'text';
}

/** What is no number stays text, which the schema refuses with its sentence. */
export const readText = ({ type }: FormField, text: string): unknown =>
  type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;

function spanish({ code, input }: { code?: string; input?: unknown }): string {
  if (input === undefined || (code === 'too_small' && input === '')) return 'Falta este dato.';
  if (code === 'too_big') return typeof input === 'number' ? 'Es demasiado grande.' : 'Es demasiado largo.';
  if (code === 'invalid_value') return 'No es uno de los valores posibles.';
  return 'No se entiende.';
}

export function flawOf(input: z.ZodObject, { name }: FormField, value: unknown): string | null {
  const schema = input.shape[name] as z.ZodType | undefined;
  return schema?.safeParse(value, { error: spanish }).error?.issues[0]?.message ?? null;
}
