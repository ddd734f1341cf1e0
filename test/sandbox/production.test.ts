import { describe, expect, test } from 'vitest';
import { apiKey, factura, start } from './support.ts';

const inProduction = (number: string) =>
  factura((b) => {
    b.ambiente = 2;
    b.emisor.secuencial = number;
  });

describe('provider data', () => {
  test('without it every answer warns and ambiente 2 is refused', async () => {
    const { emit, get, sandbox } = await start();
    const refused = await emit(inProduction('1'));
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
    const { emit, settled, get } = await start({
      accounts: [{ apiKey, providerApproved: true, providerRuc: '1790016919001' }],
    });
    const { body } = await emit(inProduction('1'));
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

describe('credits', () => {
  const account = { apiKey, providerApproved: true, credits: 2 };
  const left = async (get: Awaited<ReturnType<typeof start>>['get']) =>
    (await get('/api/creditos/saldo')).body.creditos_disponibles;

  test('one is charged per authorised document of ambiente 2, none in ambiente 1', async () => {
    const { emit, settled, get } = await start({ accounts: [account] });
    await settled((await emit(factura())).body.claveacceso);
    expect(await left(get)).toBe(2);
    await settled((await emit(inProduction('1'))).body.claveacceso);
    expect(await left(get)).toBe(1);
  });

  test('a refused document costs nothing', async () => {
    const { emit, settled, get, sandbox } = await start({ accounts: [account] });
    sandbox.faults.add({ outcome: { identificacion: '2459999997', codigo: 56 } });
    await settled((await emit(inProduction('1'))).body.claveacceso);
    expect(await left(get)).toBe(2);
  });

  test('what is in process has its credit spoken for', async () => {
    const { emit } = await start({ accounts: [account], authorizeDelayMs: 60_000 });
    await emit(inProduction('1'));
    await emit(inProduction('2'));
    expect((await emit(inProduction('3'))).body).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('créditos')],
    });
  });

  test('the balance tells both wallets apart', async () => {
    const { get } = await start({ accounts: [{ ...account, queries: 7 }] });
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
    const { get } = await start({ accounts: [{ ...account, queries: 7 }], dialect: 'former' });
    expect((await get('/api/creditos/saldo')).body).toEqual({
      success: true,
      facturacion: { creditos_disponibles: 2, vence_en: '2027-11-20T10:00:00-05:00' },
      consultas: { saldo: 0, gratis_restantes: 7 },
    });
    expect(await get('/api/creditos/historial')).toMatchObject({ status: 404, body: { success: false } });
  });

  test('the history has what was bought and what each authorised document took, newest first', async () => {
    const { get, emit, settled } = await start({ accounts: [account] });
    const sent = await emit(inProduction('1'));
    await settled(String(sent.body.claveacceso));
    const { body } = await get('/api/creditos/historial');
    expect(body.historial).toMatchObject([
      { tipo: 'consumo', cantidad: 1, descripcion: 'Comprobante 01 001-001-000000001' },
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
