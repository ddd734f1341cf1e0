import { z } from 'zod';

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1 and of the assistant tools. */
export type JsonSchema = Record<string, unknown>;

/** A schema, and those it names as `#/$defs/Name`. */
export interface Converted {
  schema: JsonSchema;
  defs: Record<string, JsonSchema>;
}

/**
 * Converts a zod schema: `input` for what may be sent, `output` for what is answered. Schemas with an `id` in
 * their metadata become definitions. Refinements appear only through their metadata.
 */
export function toJsonSchema(type: z.ZodType, io: 'input' | 'output'): Converted {
  const converted = z.toJSONSchema(type, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const { $schema, $defs = {}, ...schema } = converted;
  return { schema, defs: $defs as Record<string, JsonSchema> };
}

// What says nothing goes (more fields are allowed anyway, every integer of JSON lies within these bounds), and
// choices among whole numbers are whole numbers.
function tidy(schema: JsonSchema): void {
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && more !== null && Object.keys(more).length === 0) {
    delete schema.additionalProperties;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  const choices = schema.enum ?? [schema.const];
  if (schema.type === 'number' && (choices as unknown[]).every(Number.isInteger)) schema.type = 'integer';
}

/** The same schema with every `#/$defs/` reference pointing to `base` instead. */
export function rebase(schema: JsonSchema, base: string): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${base}`));
}
