import { describe, expect, test } from 'vitest';
import { apiKey, factura, start as open } from './support.ts';

const account = { apiKey, providerApproved: true };
/** The dialect whose balance says when credits lapse. */
const start = (options: Parameters<typeof open>[0] = {}) => open({ dialect: 'former', ...options });
type Client = Awaited<ReturnType<typeof start>>;

const inProduction = factura((b) => (b.ambiente = 2));
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
    [100, 4347],
    [500, 31055],
    [1500, 130434],
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
  test('what is in process has its credit spoken for', async () => {
    const client = await start({ accounts: [{ ...account, credits: 2 }], authorizeDelayMs: 60_000 });
    await sell(client);
    await sell(client);
    expect(await sell(client)).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('créditos')],
    });
  });

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

describe('what a client reads of its wallets', () => {
  const two = { ...account, credits: 2, queries: 7 };

  test('the balance tells both wallets apart', async () => {
    const { get } = await open({ accounts: [two] });
    const { body, headers } = await get('/api/creditos/saldo');
    expect(headers.get('x-sandbox-inferred')).toBe('true');
    expect(body).toEqual({
      success: true,
      creditos_disponibles: 2,
      estado_saldo: 'bajo',
      consultas: { saldo: 0, gratis_restantes: 7 },
    });
  });

  test('the former balance has the billing wallet in a block of its own, and no history', async () => {
    const { get } = await start({ accounts: [two] });
    expect((await get('/api/creditos/saldo')).body).toEqual({
      success: true,
      facturacion: { creditos_disponibles: 2, vence_en: '2027-11-20T10:00:00-05:00' },
      consultas: { saldo: 0, gratis_restantes: 7 },
    });
    expect(await get('/api/creditos/historial')).toMatchObject({ status: 404, body: { success: false } });
  });

  test('the history has what was bought and what each authorised document took, newest first', async () => {
    const client = await open({ accounts: [two] });
    const { get } = client;
    const sold = await sell(client);
    await client.settled(sold.claveacceso);
    const { body } = await get('/api/creditos/historial');
    expect(body.historial).toMatchObject([
      {
        tipo: 'consumo',
        cantidad: 1,
        descripcion: `Comprobante 01 001-001-${sold.claveacceso.slice(30, 39)}`,
      },
      { tipo: 'recarga', cantidad: 2 },
    ]);
    const of = async (query: string) => (await get(`/api/creditos/historial?${query}`)).body.historial.length;
    expect(await of('tipo=recarga')).toBe(1);
    expect(await of('tipo=rollback')).toBe(0);
    expect(await of('ambiente=2')).toBe(1);
    expect(await of('limit=1&page=3')).toBe(0);
    expect((await get('/api/creditos/historial?limit=101')).status).toBe(400);
  });
});

describe('provider data', () => {
  test('without it every answer warns and ambiente 2 is refused', async () => {
    const { emit, get, sandbox } = await open();
    const refused = await emit(inProduction);
    expect(refused).toMatchObject({
      status: 200,
      body: { creado: false, errors: [expect.stringContaining('ambiente 2')] },
    });
    const answers = [
      refused,
      await emit(factura()),
      await emit(factura()),
      await emit('{'),
      await get('/api/creditos/saldo'),
    ];
    answers.push(await get('/api/comprobante/consulta/1'), await get('/api/webhook'), await get('/api/nada'));
    for (const { body } of answers) expect(body.aviso_proveedor_sri).toEqual(expect.any(String));
    expect(sandbox.documents()).toHaveLength(1);
  });

  test('with it nothing warns, and RUC Proveedor is added after the client’s own entries', async () => {
    const { emit, settled, get } = await open({
      accounts: [{ apiKey, providerApproved: true, providerRuc: '1790016919001' }],
    });
    const { body } = await emit(inProduction);
    expect(body).toMatchObject({ creado: true });
    expect(body).not.toHaveProperty('aviso_proveedor_sri');
    await settled(body.claveacceso);
    const xml = await get(`/api/comprobante/xml/${body.claveacceso}`);
    expect(xml.body).toContain(
      '<campoAdicional nombre="Pedido">#1001</campoAdicional><campoAdicional nombre="RUC Proveedor">1790016919001</campoAdicional>',
    );
    expect(xml.body).toContain('<ambiente>PRODUCCIÓN</ambiente>');
  });
});
