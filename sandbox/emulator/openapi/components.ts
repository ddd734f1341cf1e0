import type { z } from 'zod';
import { type JsonSchema, rebase, toJsonSchema } from './json-schema.ts';

const base = '#/components/schemas/';

/** The named schemas of one description, collected while its operations are written. */
export interface Components {
  /** Converts a schema, keeping those it names; throws when one name means two things. */
  use(type: z.ZodType, io: 'input' | 'output'): JsonSchema;
  schemas(): Record<string, JsonSchema>;
}

export function openComponents(): Components {
  const kept = new Map<string, JsonSchema>();
  return {
    use(type, io) {
      const { schema, defs } = toJsonSchema(type, io);
      for (const [name, definition] of Object.entries(defs)) {
        const here = rebase(definition, base);
        const before = kept.get(name);
        if (before && JSON.stringify(before) !== JSON.stringify(here)) {
          throw new Error(`Two schemas of the sandbox are named ${name}.`);
        }
        kept.set(name, here);
      }
      return rebase(schema, base);
    },
    schemas: () => Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
