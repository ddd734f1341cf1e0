import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { allOperations } from '../../sandbox/emulator/operations/all.ts';
import { otherDocumentPaths } from '../../sandbox/emulator/operations/emision.ts';
import { draws } from '../support/chance.ts';
import { apiKey, factura, type Client as Sandbox, start } from './support.ts';

type Headers = Record<string, string>;
const bearer = (key = apiKey): Headers => ({ Authorization: `Bearer ${key}` });

/** The official client, connected to the sandbox; closed when the test is over. */
async function connect({ sandbox }: Sandbox, headers: Headers = bearer(), query = ''): Promise<Client> {
  const client = new Client({ name: 'prueba', version: '1.0.0' });
  const url = new URL(`${sandbox.url}/mcp${query}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: results of every tool.
const text = (result: any): string => result.content[0].text;

describe('the tools', () => {
  test('are the operations of the service, each under its operationId with what it takes', async () => {
    const client = await connect(await start());
    const { tools } = await client.listTools();
    const operations = allOperations({
      settings: { otherDocumentPaths, dialect: 'described', arithmetic: 'totals' },
    } as never);
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ id }) => id));
    const consult = tools.find(({ name }) => name === 'consultar_comprobante');
    expect(consult).toMatchObject({
      inputSchema: { type: 'object', required: ['claveacceso'] },
      annotations: { readOnlyHint: true },
    });
    const emit = tools.find(({ name }) => name === 'emitir_factura');
    expect(emit?.inputSchema.required).toEqual(['emisor', 'comprador', 'items']);
    expect(emit?.inputSchema).toMatchObject({ additionalProperties: false });
  });

  test.each([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }],
  ] as const)('are there for clients that speak the protocol of %s', async (version, mode) => {
    const { sandbox } = await start();
    const client = new Client({ name: 'prueba', version: '1.0.0' }, { versionNegotiation: { mode } });
    const url = new URL(`${sandbox.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer() } }));
    onTestFinished(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const pong = await client.callTool({ name: 'ping', arguments: {} });
    expect(pong.structuredContent).toMatchObject({ pong: true });
  });

  test('tell of an internal error no more than that there was one', async () => {
    const lines: string[] = [];
    const sandbox = await start({ log: (line) => lines.push(line) });
    const client = await connect(sandbox);
    Object.defineProperty(sandbox.sandbox.faults, 'meet', {
      value: () => {
        throw new Error('se rompió por dentro');
      },
    });
    const broken = await client.callTool({ name: 'consultar_saldo', arguments: {} });
    expect(broken.isError).toBe(true);
    expect(JSON.stringify(broken)).not.toContain('se rompió por dentro');
    expect(text(broken)).toContain('Error interno');
    expect(lines.join()).toContain('se rompió por dentro');
    expect(sandbox.sandbox.requests().at(-1)).toMatchObject({ path: 'consultar_saldo', status: 500 });
  });

  test('emit, tell the state, and hand out XML and PDF', async () => {
    const sandbox = await start();
    const client = await connect(sandbox);
    const emitted = await client.callTool({ name: 'emitir_factura', arguments: factura() });
    const { claveacceso } = JSON.parse(text(emitted));
    await sandbox.settled(claveacceso);
    const ask = (name: string) => client.callTool({ name, arguments: { claveacceso } });
    expect(JSON.parse(text(await ask('consultar_comprobante')))).toMatchObject({ autorizado: true });
    expect(text(await ask('descargar_xml'))).toContain('<estado>AUTORIZADO</estado>');
    const [pdf] = (await ask('descargar_pdf')).content as { resource: { blob: string; mimeType: string } }[];
    expect(pdf?.resource.mimeType).toBe('application/pdf');
    expect(
      Buffer.from(pdf?.resource.blob ?? '', 'base64')
        .subarray(0, 4)
        .toString(),
    ).toBe('%PDF');
  });

  test('say what is wrong in the words of the service, as an error', async () => {
    const client = await connect(await start());
    const body = factura((b) => (b.emisor.ruc = '123'));
    const refused = await client.callTool({ name: 'emitir_factura', arguments: body });
    expect(refused.isError).toBe(true);
    expect(JSON.parse(text(refused)).errors).toEqual([expect.stringContaining('emisor.ruc')]);
  });

  test('each API key only sees documents issued with that key', async () => {
    const sandbox = await start({ accounts: [{ apiKey }, { apiKey: 'otra-clave' }] });
    const { body } = await sandbox.emit(factura());
    const stranger = await connect(sandbox, bearer('otra-clave'));
    const result = await stranger.callTool({
      name: 'consultar_comprobante',
      arguments: { claveacceso: body.claveacceso },
    });
    expect(result.isError).toBe(true);
    expect(text(result)).toContain('No existe');
  });

  test('take from the 300 requests a minute of the key, and stand in the audit without secrets', async () => {
    const sandbox = await start();
    const client = await connect(sandbox);
    for (let count = 0; count < 300; count += 1) await sandbox.get('/api/creditos/saldo');
    const refused = await client.callTool({
      name: 'guardar_webhook',
      arguments: { url: 'https://a.example.com', secret: 'mi-secreto' },
    });
    expect(refused.isError).toBe(true);
    expect(text(refused)).toContain('300 solicitudes');
    const last = sandbox.sandbox.requests().at(-1);
    expect(last).toMatchObject({ method: 'MCP', path: 'guardar_webhook', status: 429 });
    expect(JSON.stringify(last)).not.toContain('mi-secreto');
  });
});

describe('Key rules: issuing tools always use ambiente 1', () => {
  const production = { accounts: [{ apiKey, providerApproved: true, credits: 5 }] };
  const asked = factura((b) => (b.ambiente = 2));

  test('whatever is asked for, and say so', async () => {
    const sandbox = await start(production);
    const client = await connect(sandbox);
    const result = await client.callTool({ name: 'emitir_factura', arguments: asked });
    expect(JSON.stringify(result.content)).toContain('produccion=1');
    expect(sandbox.sandbox.documents()[0]).toMatchObject({ ambiente: 1 });
  });

  test('nor is a document of ambiente 2 reprocessed', async () => {
    const sandbox = await start(production);
    sandbox.sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    const { body } = await sandbox.emit(asked);
    await sandbox.settled(body.claveacceso);
    const again = { name: 'reprocesar_comprobante', arguments: { claveacceso: body.claveacceso } };
    const refused = await (await connect(sandbox)).callTool(again);
    expect(text(refused)).toContain('produccion=1');
    expect(sandbox.sandbox.documents()[0]).toMatchObject({ estado: 6 });
    const done = await (await connect(sandbox, bearer(), '?produccion=1')).callTool(again);
    expect(done.isError).toBe(false);
  });

  test('unless the connection URL carries produccion=1', async () => {
    const sandbox = await start(production);
    const client = await connect(sandbox, bearer(), '?produccion=1');
    const { claveacceso } = JSON.parse(
      text(await client.callTool({ name: 'emitir_factura', arguments: asked })),
    );
    await sandbox.settled(claveacceso);
    expect(sandbox.sandbox.documents()[0]).toMatchObject({ ambiente: 2 });
    expect(sandbox.sandbox.audit().creditsSpent[0]?.credits).toBe(1);
  });
});

describe('Authentication 2: the MCP server', () => {
  test.each([[bearer()], [{ 'X-API-KEY': apiKey }]])('accepts %j', async (headers) => {
    const client = await connect(await start(), headers);
    const balance = await client.callTool({ name: 'consultar_saldo', arguments: {} });
    expect(JSON.parse(text(balance)).success).toBe(true);
  });

  test.each([[{}], [bearer('otra')], [{ 'X-API-KEY': 'otra' }]])(
    'answers 401 to %j',
    async (headers: Headers) => {
      const { sandbox } = await start();
      const response = await fetch(`${sandbox.url}/mcp`, { method: 'POST', headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ success: false, message: expect.any(String) });
    },
  );

  test('is closed to pages of another site', async () => {
    const { sandbox } = await start();
    const headers = { ...bearer(), Origin: 'https://malo.example' };
    expect((await fetch(`${sandbox.url}/mcp`, { method: 'POST', headers })).status).toBe(403);
  });
});

test('arguments of any kind get an answer in the words of the service, and the tools go on', async () => {
  const sandbox = await start();
  const client = await connect(sandbox);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const key = fc.constantFrom(
    '__proto__',
    'constructor',
    'claveacceso',
    'ruc',
    'id',
    'emisor',
    'items',
    'url',
  );
  const property = fc.asyncProperty(
    fc.constantFrom(...names),
    fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })),
    async (name, args) => {
      // A minute for each call: the rate must not be what answers.
      sandbox.sandbox.clock.step(60_000);
      const { content } = await client.callTool({ name, arguments: args });
      expect(JSON.stringify(content)).not.toContain('Error interno');
    },
  );
  await fc.assert(property, { numRuns: draws(40, 2_000) });
  expect(await client.callTool({ name: 'ping', arguments: {} })).toMatchObject({ isError: false });
});

const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
test.each([
  ['nothing', ''],
  ['half of JSON', '{'],
  ['5,000 levels', deep],
])('a message of %s is refused and the next one served', async (_what, message) => {
  const sandbox = await start();
  const response = await fetch(`${sandbox.sandbox.url}/mcp`, {
    method: 'POST',
    headers: {
      ...bearer(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: message,
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect((await (await connect(sandbox)).listTools()).tools.length).toBeGreaterThan(20);
});
