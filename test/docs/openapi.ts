import type { Answer, HttpAccess, HttpOperation, HttpTag } from './http-operations.ts';

const tags: Readonly<Record<HttpTag, string>> = {
  Shops: 'What shops and their merchants call.',
  Service: 'What the tax document service calls.',
  Buyers: 'Pages behind signed links that carry no personal data.',
  Watching: 'For monitors and the operator.',
  Panel: 'Pages for the people of the config; forms carry a token of their session.',
  Assistants: 'For programs that speak the Model Context Protocol.',
};

const schemes: Readonly<Record<Exclude<HttpAccess, 'none' | 'link' | 'signature'>, object>> = {
  ticket: {
    type: 'http',
    scheme: 'bearer',
    description: 'A link that `install` shows, signed with the ledger’s own secret.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A token of the config.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-facturapuente',
    description: 'The session begun at /panel/entrar.',
  },
};

const word = (description: string) => ({ type: 'string', description });
const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
const shapes: Readonly<Record<NonNullable<Answer['shape']>, object>> = {
  Accepted: object({ status: word('`accepted`, `duplicate`, `ignored` or `ok`.') }),
  Refusal: object({ error: word('For programs.'), message: word('For people, in Spanish.') }),
  Alive: {
    ...object({ status: { const: 'alive' } }),
    properties: {
      status: { const: 'alive' },
      proxy: { const: 'untrusted', description: 'A proxy that is not in `trustedProxies` forwarded this.' },
    },
  },
  Readiness: object({
    status: { enum: ['ready', 'not-ready'] },
    ledger: { enum: ['ok', 'no-answer', 'read-only'] },
    transport: { enum: ['ok', 'no-answer'] },
    workers: { enum: ['ok', 'none'] },
  }),
  Free: { type: 'object', additionalProperties: true },
};

/** The OpenAPI 3.1 description of the product's own endpoints. */
export function describeHttp(operations: readonly HttpOperation[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation) };
  }
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: '3.1.1',
    info: {
      title: 'facturapuente',
      version,
      description:
        'What a running `facturapuente start` answers. Operations with `x-internal` serve its own pages and change with any version; the rest is kept.',
    },
    servers: [{ url: 'https://facturas.mitienda.ec', description: 'Your `publicUrl`.' }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name as HttpTag))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: shapes, securitySchemes: schemes },
  };
}

function describeOperation(operation: HttpOperation): Record<string, unknown> {
  const { method, path, tag, summary, says, access, internal, takes, query = {}, headers = {} } = operation;
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => parameter('path', name, names[name] ?? name)),
    ...Object.entries(query).map(([name, text]) => parameter('query', name, text)),
    ...Object.entries(headers).map(([name, text]) => parameter('header', name, text)),
  ];
  return {
    operationId: `${method}${path.replaceAll(/(?<![/:.-])[/:.-]+(\w)/g, (_all, first: string) => first.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(says && { description: says }),
    ...(internal && { 'x-internal': true }),
    security: access in schemes ? [{ [access]: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(takes && {
      requestBody: { description: takes.says, content: { [takes.type]: { schema: bodyOf(takes) } } },
    }),
    responses: Object.fromEntries(
      Object.entries(operation.answers).map(([status, answer]) => [status, response(answer)]),
    ),
  };
}

const names: Readonly<Record<string, string>> = {
  connection: 'Id of a store or an app in the config.',
  account: 'Id of an account in the config.',
  store: 'Id of a store.',
  token: 'Of a signed link.',
};

const parameter = (place: 'path' | 'query' | 'header', name: string, description: string) => ({
  name,
  in: place,
  required: place === 'path',
  description,
  schema: { type: 'string' },
});

function bodyOf({ fields }: NonNullable<HttpOperation['takes']>): object {
  if (!fields) return { type: 'object' };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, word(text)])),
  };
}

function response({ says, type, shape }: Answer): object {
  const schema = shape ? { $ref: `#/components/schemas/${shape}` } : {};
  return { description: says, ...(type && { content: { [type]: { schema } } }) };
}
