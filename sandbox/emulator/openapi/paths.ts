import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { describeAnswers } from './answers.ts';
import type { Components } from './components.ts';
import type { JsonSchema } from './json-schema.ts';

/** The operations as `paths` of the description. */
export function describePaths(
  operations: readonly Operation[],
  components: Components,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, components) };
  }
  return paths;
}

function describeOperation(operation: Operation, components: Components): Record<string, unknown> {
  const parameters = [
    ...parametersIn('path', operation.params, components),
    ...parametersIn('query', operation.query, components),
  ];
  const content = describeBody(operation, components);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.inferred ? { 'x-inferred': true } : {}),
    security: operation.access === 'key' ? [{ apiKey: [] }] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: describeAnswers(operation, components),
  };
}

function parametersIn(
  place: 'path' | 'query',
  type: z.ZodObject | undefined,
  components: Components,
): unknown[] {
  if (!type) return [];
  const { properties = {}, required = [] } = components.use(type, 'input');
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: (required as string[]).includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }),
  );
}

function describeBody({ json, multipart }: Operation, components: Components): JsonSchema | undefined {
  if (!json && !multipart) return undefined;
  return {
    ...(multipart ? { 'multipart/form-data': { schema: describeForm(multipart, components) } } : {}),
    ...(json ? { 'application/json': { schema: components.use(json, 'input') } } : {}),
  };
}

function describeForm(
  { fields, files, maxBytes }: NonNullable<Operation['multipart']>,
  components: Components,
): JsonSchema {
  const { properties = {}, required = [], ...schema } = components.use(fields, 'input');
  // Raw bytes have no type in OpenAPI 3.1, and maxLength counts them.
  const bytes = { contentMediaType: 'application/octet-stream', maxLength: maxBytes };
  const binary = files.map((name) => [name, bytes]);
  return {
    ...schema,
    properties: { ...(properties as object), ...Object.fromEntries(binary) },
    required: [...(required as string[]), ...files],
  };
}
