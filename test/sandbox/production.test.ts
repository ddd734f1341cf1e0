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
    (await get('/api/creditos/saldo')).body.facturacion.creditos_disponibles;

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
      facturacion: { creditos_disponibles: 2, vence_en: '2027-11-20T10:00:00-05:00' },
      consultas: { saldo: 0, gratis_restantes: 7 },
    });
  });
});
