import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { allOperations } from '../../sandbox/emulator/operations/all.ts';
import { otherDocumentPaths } from '../../sandbox/emulator/operations/emision.ts';
import { eventually } from '../support/eventually.ts';
import { described, expectDescribed } from './described.ts';
import { apiKey, factura, listen, start } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a description is read in many places.
type Loose = any;

const operations = allOperations({
  settings: { otherDocumentPaths, dialect: 'described', arithmetic: 'totals' },
} as never);
/** The operations the specification names ("Shapes shown" and its public routes); every other is inferred. */
const shown = [
  'crear_empresa',
  'editar_empresa',
  'subir_firma_electronica',
  'subir_logo_empresa',
  'ping',
  'emitir_factura',
];

async function read(options = {}) {
  const client = await start(options);
  const response = await fetch(`${client.sandbox.url}/openapi.json`);
  const description: Loose = await response.json();
  return { ...client, response, description, operations: operationsOf(description) };
}

function operationsOf(description: Loose): { at: string; operation: Loose }[] {
  return Object.entries<Loose>(description.paths).flatMap(([path, item]) =>
    Object.entries<Loose>(item).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
  );
}

describe('GET /openapi.json', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { description } = await read();
    const { valid, errors } = await new Validator().validate(description);
    expect({ valid, errors, version: description.openapi }).toEqual({
      valid: true,
      errors: undefined,
      version: '3.1.1',
    });
  });
});

describe('Versioning', () => {
  test('the interface version is 1.0.0', async () => {
    expect((await read()).description.info.version).toBe('1.0.0');
  });

  test('each operation has a stable snake_case operationId of its own', async () => {
    const ids: string[] = (await read()).operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]+(_[a-z]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the operations', () => {
  test('every one of the sandbox is there where it is served, and nothing else', async () => {
    const there = (await read()).operations.map(({ at, operation }) => `${operation.operationId} ${at}`);
    const all = operations.map(
      ({ id, method, path }) => `${id} ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(there.sort()).toEqual(all.sort());
  });

  test('those of other document types are where otherDocumentPaths says', async () => {
    const path = '/api/v2/guias/emision';
    const { description } = await read({ otherDocumentPaths: { '06': path } });
    expect(description.paths[path].post.operationId).toBe('emitir_guia_remision');
    expect(description.paths[otherDocumentPaths['06']]).toBeUndefined();
  });

  test('those the specification does not show are marked', async () => {
    const plain = (await read()).operations.filter(({ operation }) => !operation['x-inferred']);
    const ids = plain.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(shown));
    const inferred = operations.filter((operation) => operation.inferred).map(({ id }) => id);
    expect(inferred.filter((id) => ids.includes(id))).toEqual([]);
    expect(ids.length + inferred.length).toBe(operations.length);
  });

  test('all take the API key in X-API-KEY, except the public ones', async () => {
    const { description, operations: all } = await read();
    expect(description.components.securitySchemes).toEqual({
      apiKey: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-API-KEY' }),
    });
    const open = operations.filter(({ access }) => access === 'public').map(({ id }) => id);
    for (const { operation } of all) {
      const { operationId, security } = operation;
      expect({ operationId, security }).toEqual({
        operationId,
        security: open.includes(operationId) ? [] : [{ apiKey: [] }],
      });
    }
  });
});

describe('webhooks', () => {
  test('tell the events, those the specification shows unmarked', async () => {
    const { webhooks } = (await read()).description;
    const marked = Object.entries<Loose>(webhooks).filter(([, { post }]) => post['x-inferred']);
    expect(Object.keys(webhooks).sort()).toEqual([
      'comprobante.autorizado',
      'comprobante.error',
      'verificacion.finalizada',
      'webhook.prueba',
    ]);
    expect(marked.map(([name]) => name).sort()).toEqual(['verificacion.finalizada', 'webhook.prueba']);
  });

  test('every delivery is as described, headers and body', async () => {
    const hook = await listen();
    const webhook = { url: hook.url, secret: 'secreto-de-prueba' };
    const { emit, send, sandbox } = await start({
      accounts: [{ apiKey, webhook, beta: true }],
      allowLoopbackWebhooks: true,
    });
    await emit(factura());
    sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    await eventually(() => hook.received.length === 1, 'the first event');
    await emit(factura((b) => (b.emisor.secuencial = '124')));
    await send('POST', '/__sandbox/webhook-prueba');
    const { body } = await send('POST', '/api/id/verificaciones', {
      tipo: 'completa',
      webhook_url: hook.url,
    });
    await send('POST', `/__sandbox/verificaciones/${body.id}`, { estado: 'aprobada' });
    await eventually(() => hook.received.length === 4, 'four events');
    const { check, description } = await described(sandbox);
    for (const { body, headers } of hook.received) {
      const steps = ['webhooks', body.evento, 'post'];
      const content = ['requestBody', 'content', 'application/json', 'schema'];
      expect(check(...steps, ...content)(body), body.evento).toBeNull();
      description.webhooks[body.evento].post.parameters.forEach(({ name }: Loose, index: number) => {
        const value = headers[name.toLowerCase()];
        expect(check(...steps, 'parameters', String(index), 'schema')(value), name).toBeNull();
      });
    }
    expect(hook.received.map(({ body }) => body.evento).sort()).toEqual([
      'comprobante.autorizado',
      'comprobante.error',
      'verificacion.finalizada',
      'webhook.prueba',
    ]);
  });
});

describe('the check that every test of the sandbox makes of every answer', () => {
  test.each<[string, unknown]>([
    ['a field that is not described', { success: true, sobra: 1 }],
    ['a field of another type', { success: true, creditos_disponibles: 'mucho' }],
  ])('refuses %s', async (_says, body) => {
    const { sandbox, get } = await start();
    const steps = ['paths', '/api/creditos/saldo', 'get', 'responses', '200', 'content', 'application/json'];
    const check = (await described(sandbox)).check(...steps, 'schema');
    const { body: real } = await get('/api/creditos/saldo');
    expect(check(real)).toBeNull();
    expect(
      check(Object.keys(body as object).length > 0 ? { ...real, ...(body as object) } : body),
    ).not.toBeNull();
  });

  test.each<[string, string, number, Record<string, string>]>([
    ['a success that is not described', '/api/creditos/saldo', 204, { 'content-type': 'application/json' }],
    ['another media type', '/api/creditos/saldo', 401, { 'content-type': 'text/html' }],
    ['a success where no operation is', '/api/creditos', 200, { 'content-type': 'application/json' }],
    [
      'a mark of an inferred answer that the description does not tell',
      '/api/creditos/saldo',
      401,
      { 'content-type': 'application/json', 'x-sandbox-inferred': 'true' },
    ],
  ])('refuses %s', async (_says, path, status, headers) => {
    const { sandbox } = await start();
    const body = { success: false, message: 'No.' };
    const answer = { status, headers: new Headers(headers), body };
    await expect(expectDescribed(sandbox, undefined, 'GET', path, answer)).rejects.toThrow(
      'not as described',
    );
  });
});
