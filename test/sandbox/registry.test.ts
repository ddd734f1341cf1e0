import { describe, expect, test } from 'vitest';
import { apiKey, start } from './support.ts';

const ruc = '1792146739001';
const cedula = '2459999997';
const hour = 3_600_000;
type Client = Awaited<ReturnType<typeof start>>;

const queries = async ({ get }: Client, key?: string) =>
  (await get('/api/creditos/saldo', key)).body.consultas;
/** A different possible RUC for every number. */
const someRuc = (n: number) => `1790${String(n).padStart(6, '0')}001`;

// That every prefix and method answers the same is tried with the cache below.
describe('GET and POST /api/sri/…', () => {
  const ways = [
    ['GET', ({ get }: Client, id: string, number: string) => get(`/api/sri/${id}/${number}`)],
    [
      'POST',
      ({ send }: Client, id: string, number: string) => send('POST', `/api/sri/${id}`, { [id]: number }),
    ],
  ] as const;

  test.each(ways)('%s refuses impossible numbers with 400, and counts nothing', async (_method, ask) => {
    const client = await start();
    for (const [id, numbers] of [
      ['ruc', ['179214673900', '9999999999999', '1792146739000', 'x', '２459999997001']],
      ['cedula', ['2459999998', '9912345678', ruc, '__proto__']],
    ] as const)
      for (const number of numbers)
        expect(await ask(client, id, number), number).toMatchObject({
          status: 400,
          body: { success: false, message: expect.stringContaining('dígitos') },
        });
    expect((await queries(client)).gratis_restantes).toBe(20);
  });
});

describe('what the registry knows', () => {
  test.each(['ruc/1790000000001', 'cedula/1700000001'])(
    '%s: nobody is registered under it, 200 with success false and nothing counted',
    async (path) => {
      const client = await start();
      for (const _again of [1, 2]) {
        const { status, body } = await client.get(`/api/sri/${path}`);
        expect({ status, ...body }).toMatchObject({
          status: 200,
          success: false,
          message: expect.stringContaining('No se encontró'),
        });
      }
      expect((await queries(client)).gratis_restantes).toBe(20);
    },
  );

  test.each(['ruc/1790000001001', 'cedula/1700000019'])('%s: the registry is down, 502', async (path) => {
    const client = await start();
    expect(await client.get(`/api/sri/${path}`)).toMatchObject({ status: 502, body: { success: false } });
    expect((await queries(client)).gratis_restantes).toBe(20);
  });
});

describe('Free registry queries: 20 per account per month, then the queries wallet', () => {
  test('twenty cost nothing, the next ones 0.01 USD each until the wallet is empty: 402', async () => {
    const client = await start({ accounts: [{ apiKey, queriesWallet: 0.03 }] });
    const ask = async (n: number) => (await client.get(`/api/sri/ruc/${someRuc(n)}`)).body;
    for (let n = 1; n <= 20; n++) {
      expect(await ask(100 + n)).toMatchObject({ costo: 0, gratis_restantes: 20 - n });
    }
    for (const saldo of [0.02, 0.01, 0]) {
      expect(await ask(200 + saldo * 100)).toMatchObject({ success: true, costo: 0.01, gratis_restantes: 0 });
      expect(await queries(client)).toEqual({ saldo, gratis_restantes: 0 });
    }
    expect(await client.get(`/api/sri/ruc/${someRuc(300)}`)).toMatchObject({
      status: 402,
      body: { success: false, message: expect.stringContaining('cartera de consultas') },
    });
    await client.send('POST', '/__sandbox/recargas', { cartera: 'consultas', usd: 0.01 });
    expect(await ask(300)).toMatchObject({ success: true, costo: 0.01 });
  });

  test('the counter is set back on day 1 in Ecuador, not in UTC', async () => {
    const client = await start({ accounts: [{ apiKey, queries: 1 }] });
    client.sandbox.clock.set(new Date('2026-11-30T23:59:59-05:00'));
    await client.get(`/api/sri/ruc/${ruc}`);
    expect((await client.get(`/api/sri/cedula/${cedula}`)).status).toBe(402);
    client.sandbox.clock.step(1000);
    expect((await queries(client)).gratis_restantes).toBe(20);
    expect((await client.get(`/api/sri/cedula/${cedula}`)).body.gratis_restantes).toBe(19);
  });
});

describe('Results are cached for 24 hours', () => {
  test('a cached answer is free and not counted, by either prefix and method, for 24 hours', async () => {
    const client = await start({ accounts: [{ apiKey, queries: 1 }] });
    const first = (await client.get(`/api/sri/ruc/${ruc}`)).body;
    const again = [
      await client.get(`/api/sri/ruc/${ruc}`),
      await client.get(`/api/consulta/ruc/${ruc}`),
      await client.send('POST', '/api/sri/ruc', { ruc }),
      await client.send('POST', '/api/consulta/ruc', { ruc }),
    ];
    client.sandbox.clock.step(24 * hour - 1);
    again.push(await client.get(`/api/sri/ruc/${ruc}`));
    for (const { body } of again) {
      expect(body).toEqual({ ...first, cache: true, costo: 0, gratis_restantes: 0 });
    }
    client.sandbox.clock.step(1);
    expect((await client.get(`/api/sri/ruc/${ruc}`)).status).toBe(402);
  });

  test('what one account asked is not cached for another', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra' }] });
    await client.get(`/api/sri/ruc/${ruc}`);
    expect((await client.get(`/api/sri/ruc/${ruc}`, 'otra')).body).toMatchObject({
      cache: false,
      gratis_restantes: 19,
    });
  });
});
