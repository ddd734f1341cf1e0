import { describe, expect, test } from 'vitest';
import { apiKey, factura, start as open } from './support.ts';

const account = { apiKey, providerApproved: true };
/** The dialect whose balance says when credits lapse. */
const start = (options: Parameters<typeof open>[0] = {}) => open({ dialect: 'former', ...options });
type Client = Awaited<ReturnType<typeof start>>;

const recharge = ({ send }: Client, body: object) => send('POST', '/__sandbox/recargas', body);
const balance = async ({ get }: Client) => (await get('/api/creditos/saldo')).body.facturacion;

let next = 0;
/** Emits in ambiente 2 on the sandbox's own day. */
const sell = async (client: Client) => {
  const { emisor } = client.sandbox.exampleFactura() as { emisor: { fecha_emision: string } };
  const body = factura((b) => {
    b.ambiente = 2;
    b.emisor.secuencial = String(++next);
    b.emisor.fecha_emision = emisor.fecha_emision;
  });
  return (await client.emit(body)).body;
};

describe('Billing wallet recharge tiers', () => {
  test.each([
    [50, 1742],
    [99.99, 3483],
    [100, 4347],
    [499.99, 21738],
    [500, 31055],
    [1500, 130434],
    [1610, 140000],
  ])('%d USD buy %d documents', async (usd, documents) => {
    const client = await start({ accounts: [{ ...account, credits: 0 }] });
    const bought = await recharge(client, { cartera: 'facturacion', usd });
    expect(bought).toMatchObject({
      status: 201,
      body: { cartera: 'facturacion', comprados: documents, creditos: documents },
    });
    expect((await balance(client)).creditos_disponibles).toBe(documents);
  });

  test.each([
    ['facturacion', 49.99, '50'],
    ['general', 19.99, '20'],
    ['consultas', 0, '0.01'],
    ['facturacion', -50, '50'],
  ])('recharges of the wallet %s do not begin at %d USD', async (cartera, usd, least) => {
    const client = await start();
    const { status, body } = await recharge(client, { cartera, usd });
    expect({ status, ...body }).toMatchObject({
      status: 400,
      success: false,
      message: expect.stringContaining(`${least} USD`),
    });
    expect((await balance(client)).creditos_disponibles).toBe(100);
  });

  test.each([
    [{ cartera: 'otra', usd: 50 }, 400],
    [{ cartera: 'general', usd: '50' }, 400],
    [{ cartera: 'general', usd: 50, moneda: 'EUR' }, 400],
    [{ cartera: 'general', usd: 50, apiKey, cuenta: 0 }, 400],
    [{ cartera: 'general', usd: 50, cuenta: 7 }, 404],
    [{ cartera: 'general', usd: 50, apiKey: 'otra' }, 404],
  ])('%j is answered %d', async (body, status) => {
    const client = await start();
    expect(await recharge(client, body)).toMatchObject({ status, body: { success: false } });
  });

  test('a recharge goes to the account named by key or by place, and to no other', async () => {
    const client = await start({ accounts: [{ apiKey }, { apiKey: 'otra', credits: 0 }] });
    await recharge(client, { cuenta: 1, cartera: 'facturacion', usd: 50 });
    await recharge(client, { apiKey: 'otra', cartera: 'consultas', usd: 2.5 });
    expect((await client.get('/api/creditos/saldo', 'otra')).body).toMatchObject({
      facturacion: { creditos_disponibles: 1742 },
      consultas: { saldo: 2.5 },
    });
    expect((await client.get('/api/creditos/saldo')).body).toMatchObject({
      facturacion: { creditos_disponibles: 100 },
      consultas: { saldo: 0 },
    });
  });
});

describe('Billing wallet credits: valid 12 months from each recharge', () => {
  test('each recharge counts until its own twelve months are over', async () => {
    const client = await start({ accounts: [{ ...account, credits: 0 }] });
    expect(await balance(client)).toEqual({ creditos_disponibles: 0, vence_en: null });
    await recharge(client, { cartera: 'facturacion', usd: 50 });
    client.sandbox.clock.set(new Date('2027-02-28T12:00:00-05:00'));
    await recharge(client, { cartera: 'facturacion', usd: 100 });
    expect(await balance(client)).toEqual({
      creditos_disponibles: 1742 + 4347,
      vence_en: '2027-11-20T10:00:00-05:00',
    });
    client.sandbox.clock.set(new Date('2027-11-20T09:59:59-05:00'));
    expect((await balance(client)).creditos_disponibles).toBe(1742 + 4347);
    client.sandbox.clock.step(1000);
    expect(await balance(client)).toEqual({
      creditos_disponibles: 4347,
      vence_en: '2028-02-28T12:00:00-05:00',
    });
    client.sandbox.clock.set(new Date('2028-02-28T12:00:00-05:00'));
    expect(await balance(client)).toEqual({ creditos_disponibles: 0, vence_en: null });
  });

  test('twelve months after 29 February is the last day of February', async () => {
    const client = await start({ accounts: [{ ...account, credits: 0 }] });
    client.sandbox.clock.set(new Date('2028-02-29T23:30:00-05:00'));
    await recharge(client, { cartera: 'facturacion', usd: 50 });
    expect((await balance(client)).vence_en).toBe('2029-02-28T23:30:00-05:00');
  });

  test('with the last credits expired production is refused until the next recharge', async () => {
    const creditsExpireAt = '2026-11-20T23:00:00-05:00';
    const client = await start({ accounts: [{ ...account, credits: 5, creditsExpireAt }] });
    expect((await sell(client)).creado).toBe(true);
    client.sandbox.clock.set(new Date(creditsExpireAt));
    expect(await sell(client)).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('créditos')],
    });
    await recharge(client, { cartera: 'facturacion', usd: 50 });
    expect((await sell(client)).creado).toBe(true);
  });

  test('the oldest credits are spent first', async () => {
    const creditsExpireAt = '2026-12-01T00:00:00-05:00';
    const client = await start({ accounts: [{ ...account, credits: 1, creditsExpireAt }] });
    await recharge(client, { cartera: 'facturacion', usd: 50 });
    await client.settled((await sell(client)).claveacceso);
    expect(await balance(client)).toEqual({
      creditos_disponibles: 1742,
      vence_en: '2027-11-20T10:00:00-05:00',
    });
    await client.settled((await sell(client)).claveacceso);
    expect((await balance(client)).creditos_disponibles).toBe(1741);
  });

  test('a document in process keeps the credit it had spoken for when that expires', async () => {
    const creditsExpireAt = '2026-11-20T23:00:00-05:00';
    const client = await start({
      accounts: [{ ...account, credits: 1, creditsExpireAt }],
      authorizeDelayMs: 60,
    });
    const { claveacceso } = await sell(client);
    client.sandbox.clock.set(new Date(creditsExpireAt));
    await client.settled(claveacceso);
    client.sandbox.clock.set(new Date('2026-11-20T22:00:00-05:00'));
    expect((await balance(client)).creditos_disponibles).toBe(0);
  });
});

describe('Production (ambiente 2): 1 credit per authorized document', () => {
  test('one for each authorised document, none for a refused one', async () => {
    const client = await start({ accounts: [{ ...account, credits: 3 }] });
    client.sandbox.faults.add({ outcome: { identificacion: '2459999997', codigo: 56, times: 1 } });
    const refused = await sell(client);
    expect((await client.settled(refused.claveacceso)).requiere_correccion).toBe(true);
    expect((await balance(client)).creditos_disponibles).toBe(3);
    await client.settled((await sell(client)).claveacceso);
    expect((await balance(client)).creditos_disponibles).toBe(2);
  });

  test('a document that is reprocessed needs a credit of its own', async () => {
    const client = await start({ accounts: [{ ...account, credits: 1 }] });
    client.sandbox.faults.add({ outcome: { identificacion: '2459999997', codigo: 56, times: 1 } });
    const { claveacceso } = await sell(client);
    await client.settled(claveacceso);
    await client.settled((await sell(client)).claveacceso);
    const again = () => client.send('POST', '/api/comprobante/reprocesar', { claveacceso });
    expect(await again()).toMatchObject({ status: 402, body: { success: false } });
    await recharge(client, { cartera: 'facturacion', usd: 50 });
    expect((await again()).status).toBe(200);
    await client.settled(claveacceso);
    expect((await balance(client)).creditos_disponibles).toBe(1741);
  });
});

test('Test environment (ambiente 1) is free and unlimited: without a credit documents are authorised', async () => {
  const client = await start({ accounts: [{ ...account, credits: 0 }] });
  const { body } = await client.emit(factura());
  expect((await client.settled(body.claveacceso)).autorizado).toBe(true);
  expect((await balance(client)).creditos_disponibles).toBe(0);
});

test.each([
  { credits: -1 },
  { credits: 1.5 },
  { queries: -1 },
  { queriesWallet: Number.NaN },
  { generalWallet: -0.01 },
  { creditsExpireAt: 'mañana' },
])('an account cannot begin with %j', async (options) => {
  await expect(start({ accounts: [{ apiKey, ...options }] })).rejects.toThrow(Object.keys(options)[0]);
});
