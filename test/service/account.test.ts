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
    venceEn: '2027-11-20',
    consultas: { saldo: 1.5, gratisRestantes: 20 },
    aviso: null,
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
