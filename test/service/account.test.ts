import { describe, expect, test } from 'vitest';
import { answering, openClient, recording } from './hostile.ts';

const calling = async (status: number, body: unknown) => openClient(await answering(status, body)).calls;

test('GET /api/creditos/saldo: both wallets', async () => {
  const calls = await calling(200, {
    success: true,
    facturacion: { creditos_disponibles: 12, vence_en: '2027-11-20' },
    consultas: { saldo: '1.50', gratis_restantes: 20 },
  });
  expect(await calls.consultarSaldo()).toEqual({
    kind: 'balance',
    creditos: 12,
    estadoSaldo: null,
    venceEn: '2027-11-20',
    consultas: { saldo: 1.5, gratisRestantes: 20 },
    aviso: null,
  });
});

describe('GET /api/creditos/saldo as it is described in public', () => {
  test.each([
    ['suficiente', 'suficiente'],
    ['BAJO', 'bajo'],
    ['agotado', 'agotado'],
    ['regular', null],
    [true, null],
    [undefined, null],
  ])('credits at the top level and their state %j', async (estado_saldo, estadoSaldo) => {
    const calls = await calling(200, { success: true, creditos_disponibles: 7, estado_saldo });
    expect(await calls.consultarSaldo()).toMatchObject({ kind: 'balance', creditos: 7, estadoSaldo });
  });

  test('credits as a text of digits are read, with the notice beside them', async () => {
    const calls = await calling(200, { creditos_disponibles: '7', aviso_proveedor_sri: 'Falta' });
    expect(await calls.consultarSaldo()).toMatchObject({ kind: 'balance', creditos: 7, aviso: 'Falta' });
  });

  test.each([undefined, null, '', true, [], 'muchos', '12 créditos'])(
    '%j credits are not known, and not none',
    async (said) => {
      const calls = await calling(200, { success: true, creditos_disponibles: said });
      expect(await calls.consultarSaldo()).toMatchObject({ kind: 'balance', creditos: null });
    },
  );
});

describe('GET /api/creditos/historial', () => {
  const entry = { fecha: '2026-11-22T10:00:00-05:00', tipo: 'consumo', cantidad: -1, descripcion: 'Factura' };
  const movement = { ...entry, ambiente: null };

  test.each<[string, unknown, unknown[]]>([
    ['under any name', { success: true, total: 1, historial: [entry] }, [movement]],
    ['in pages', { success: true, data: { current_page: 1, links: [], data: [entry] } }, [movement]],
    [
      'figures as texts',
      { movimientos: [{ ...entry, cantidad: '1', ambiente: '2', tipo: 'Rollback' }] },
      [{ ...movement, cantidad: 1, ambiente: 2, tipo: 'rollback' }],
    ],
    [
      'without a word of what for',
      { historial: [{ ...entry, descripcion: undefined }] },
      [{ ...movement, descripcion: null }],
    ],
    ['nothing', { success: true, historial: [] }, []],
  ])('%s', async (_, body, movimientos) => {
    expect(await (await calling(200, body)).consultarHistorialCreditos()).toMatchObject({
      kind: 'history',
      movimientos,
    });
  });

  test.each<[number, unknown]>([
    [200, { success: true }],
    [200, { success: true, links: [], historial: [{ cantidad: 1 }] }],
    [200, { success: true, historial: [entry, { ...entry, cantidad: null }] }],
    [200, { success: true, historial: [{ ...entry, fecha: '' }] }],
    [200, { success: true, historial: Array.from({ length: 1_001 }, () => entry) }],
    [404, { success: false, message: 'Ruta no encontrada' }],
    [404, '<html>'],
    [500, {}],
  ])('%i %j is not known', async (status, body) => {
    expect(await (await calling(status, body)).consultarHistorialCreditos()).toMatchObject({
      kind: 'unknown',
    });
  });

  test('the query has what was passed, and nothing else', async () => {
    const { url, arrived } = await recording({ success: true, historial: [] });
    const { calls } = openClient(url);
    await calls.consultarHistorialCreditos({ limit: 100, page: 2, tipo: 'rollback', ambiente: '2' });
    await calls.consultarHistorialCreditos();
    expect(await calls.consultarHistorialCreditos({ limit: 101 })).toMatchObject({
      kind: 'refused',
      status: null,
    });
    expect(arrived.map((one) => one.url)).toEqual([
      '/api/creditos/historial?limit=100&page=2&tipo=rollback&ambiente=2',
      '/api/creditos/historial',
    ]);
  });
});

describe('GET /api/public/…', () => {
  test('the state of the service, by both routes; words we do not know pass', async () => {
    const sri = { recepcion: 'operativo', autorizacion: 'lento' };
    const { url, arrived } = await recording({ success: true, estado: 'raro', sri, actualizado_en: 'hoy' });
    const { calls } = openClient(url);
    const expected = { kind: 'status', estado: 'raro', sri, actualizadoEn: 'hoy' };
    expect(await calls.estadoServicio()).toEqual(expected);
    expect(await calls.estadoServicio('status')).toEqual(expected);
    expect(arrived.map((one) => one.url)).toEqual(['/api/public/status', '/api/status']);
  });

  test('the price table', async () => {
    const body = {
      success: true,
      facturacion: [{ recarga: 50, precio_documento: 0.0287 }],
      verificaciones: { prueba_de_vida: 0.5 },
      consultas: { gratis_por_mes: 20, precio: 0.01 },
      iva: 15,
    };
    expect(await (await calling(200, body)).tablaPrecios()).toEqual({
      kind: 'prices',
      facturacion: [{ recarga: 50, precioDocumento: 0.0287 }],
      verificaciones: { prueba_de_vida: 0.5 },
      consultas: { gratisPorMes: 20, precio: 0.01 },
      body,
    });
    expect(await (await calling(200, { success: true })).tablaPrecios()).toMatchObject({ kind: 'unknown' });
  });
});
