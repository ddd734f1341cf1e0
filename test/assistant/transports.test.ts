import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toolsOf } from '../../src/assistant/tools.ts';
import { allOperations } from '../../src/operations/all.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';

const allTools = toolsOf({ all: allOperations });

/** The official client over both transports, before the whole product. */
const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
let product: Product;
let token: string;

beforeAll(async () => {
  const { stdout } = await run(['mcp', '--new-token']);
  token = /fpmcp_\S+/.exec(stdout)?.[0] ?? '';
  const hash = /asistente: ([0-9a-f]{64})/.exec(stdout)?.[1] ?? '';
  product = await openProduct({ engine: 'sqlite', config: { mcp: { tokens: { asistente: hash } } } });
  await product.start();
  await product.deliver('1201');
  await eventually(() => written(product, '1201').pdf, `the factura on the order\n${product.log()}`);
});
afterAll(() => product?.close());

// biome-ignore lint/suspicious/noExplicitAny: results of every tool.
const text = (result: any): string => result.content[0].text;

async function overHttp(): Promise<Client> {
  const client = new Client({ name: 'prueba', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${token}` };
  const url = new URL(`${product.url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

async function overStdio(): Promise<Client> {
  const client = new Client({ name: 'prueba', version: '1.0.0' });
  const config = product.file;
  const args = [bin, 'mcp', '--config', config];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  onTestFinished(() => client.close());
  return client;
}

describe.each([
  ['Streamable HTTP', overHttp],
  ['stdio beside a running start', overStdio],
])('over %s', (_name, connect) => {
  it('an assistant sees the tools, looks at an order, and writes only by a plan', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(allTools.map(({ name }) => name).sort());
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.length).toBeGreaterThan(0);
    for (const { name, inputSchema } of writing)
      expect([name, inputSchema.required]).toEqual([name, ['plan']]);
    const timeline = await client.callTool({ name: 'explain', arguments: { order: '1201' } });
    expect(timeline.structuredContent).toMatchObject({
      orders: [{ order: '#1201', documents: [{ state: 'authorized' }] }],
    });
    const refused = await client.callTool({
      name: 'retry',
      arguments: { plan: 'plan-AAAAAAAAAAAA' },
    });
    expect(refused.isError).toBe(true);
    expect(text(refused)).toContain('Nadie mostró un plan con ese id.');
    const plan = await client.callTool({ name: 'plan_sync_order', arguments: { order: '1201' } });
    expect(plan.structuredContent).toMatchObject({
      execute: null,
      actions: [{ code: 'already-authorised' }],
    });
  });
});

describe('/mcp', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${product.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });

  it('lets nobody in without a token of the config', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer fpmcp_otro' })).status).toBe(401);
    expect((await ask({ authorization: `Basic ${token}` })).status).toBe(401);
  });

  it('answers no page of another site, not even with the token', async () => {
    const authorization = `Bearer ${token}`;
    expect((await ask({ authorization, origin: 'https://malo.example' })).status).toBe(403);
  });

  it('answers no other host: a name somebody turned to this machine', async () => {
    const { port } = new URL(product.url);
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve) => {
      const headers = { host: `malo.example:${port}`, authorization: `Bearer ${token}` };
      request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end('{}');
    });
    expect(status).toBe(403);
  });

  it('reads no message nested a hundred thousand deep', async () => {
    const deep = '['.repeat(120_000) + ']'.repeat(120_000);
    for (const body of [deep, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`]) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${product.url}/mcp`, { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('más de 200 niveles');
    }
  });

  it('is not there while the config has no token', async () => {
    const plain = await openProduct({ engine: 'sqlite' });
    onTestFinished(() => plain.close());
    await plain.start();
    const answer = await fetch(`${plain.url}/mcp`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
  });

  it('keeps the token out of the log', async () => {
    const client = await overHttp();
    await client.callTool({ name: 'pending', arguments: {} });
    expect(product.log()).not.toContain(token);
  });
});

it('an assistant on the same machine needs no running start', async () => {
  await product.stop();
  const client = await overStdio();
  const found = await client.callTool({
    name: 'document',
    arguments: { document: '001-001-000000001' },
  });
  expect(found.structuredContent).toMatchObject({ state: 'authorized', order: '#1201' });
});
