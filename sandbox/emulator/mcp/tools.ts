import { type JsonSchema, toJsonSchema } from '../openapi/json-schema.ts';
import type { Operation } from '../operation.ts';

/** An operation as an assistant sees it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/**
 * One tool for each operation, under its operationId: the parts of its path, its query and its JSON body are
 * one flat object. Without `production` an issuing tool needs no `ambiente`, since it is always 1 (spec, "Key
 * rules").
 */
export function toTool(operation: Operation, production: boolean): Tool {
  const forced = operation.issues && !production;
  const inferred = operation.inferred ? ' Its shape is inferred: the specification does not show it.' : '';
  return {
    name: operation.id,
    title: operation.summary,
    description: `${operation.summary}.${forced ? ' Always in ambiente 1 (tests).' : ''}${inferred}`,
    inputSchema: inputOf(operation, forced ? ['ambiente'] : []),
    annotations: hintsOf(operation),
  };
}

// Nothing of the service deletes; a PUT replaces what stood there, the same however often it is sent.
function hintsOf({ method, access }: Operation): Tool['annotations'] {
  const readOnlyHint = method === 'get' || access === 'public';
  const replaces = method === 'put';
  return {
    readOnlyHint,
    destructiveHint: replaces,
    idempotentHint: readOnlyHint || replaces,
    openWorldHint: true,
  };
}

interface ObjectSchema {
  properties?: object;
  required?: string[];
  additionalProperties?: unknown;
}

/** A schema with a name of its own is a reference to its definition. */
function whole(schema: JsonSchema, defs: Record<string, JsonSchema>): ObjectSchema {
  const name = /^#\/\$defs\/(.+)$/.exec(String(schema.$ref ?? ''))?.[1];
  return (name === undefined ? schema : (defs[name] ?? {})) as ObjectSchema;
}

function inputOf(operation: Operation, optional: readonly string[]): Tool['inputSchema'] {
  const parts = [operation.params, operation.query, operation.json].filter((part) => part !== undefined);
  const merged = {
    properties: {} as Record<string, unknown>,
    required: [] as string[],
    defs: {} as Record<string, JsonSchema>,
    // Without a body there is nothing more to take; with one, it decides.
    closed: operation.json === undefined,
  };
  for (const part of parts) {
    const { schema, defs } = toJsonSchema(part, 'input');
    const { properties = {}, required = [], additionalProperties } = whole(schema, defs);
    if (part === operation.json) merged.closed = additionalProperties === false;
    Object.assign(merged.properties, properties);
    Object.assign(merged.defs, defs);
    merged.required.push(...required.filter((name) => !optional.includes(name)));
  }
  const { properties, required, defs, closed } = merged;
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(closed ? { additionalProperties: false } : {}),
    ...(Object.keys(defs).length > 0 ? { $defs: defs } : {}),
  };
}
