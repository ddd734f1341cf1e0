import { describe, expect, test } from 'vitest';
import { expectKind, openSandbox } from './sandbox-installation.ts';

describe('GET /api/public/… of a whole service, with a key it does not know', () => {
  test.each(['public', 'status'] as const)(
    'the state of service and tax authority by the route %s',
    async (route) => {
      const { calls } = await openSandbox({}, { apiKey: 'otra' });
      expect(await calls.estadoServicio(route)).toMatchObject({
        kind: 'status',
        estado: 'operativo',
        sri: { recepcion: expect.any(String), autorizacion: expect.any(String) },
        actualizadoEn: expect.stringMatching(/^2026-11-20T/),
      });
    },
  );

  test('Limits: the price table has the tiers of the billing wallet, verifications and queries', async () => {
    const { calls } = await openSandbox({}, { apiKey: 'otra' });
    const prices = expectKind(await calls.tablaPrecios(), 'prices');
    expect(prices).toMatchObject({
      facturacion: [
        { recarga: 50, precioDocumento: 0.0287 },
        { recarga: 100, precioDocumento: 0.023 },
        { recarga: 500, precioDocumento: 0.0161 },
        { recarga: 1500, precioDocumento: 0.0115 },
      ],
      verificaciones: { prueba_de_vida: 0.5, cedula_ocr: 0.75, completa: 1 },
      consultas: { gratisPorMes: 20, precio: 0.01 },
    });
  });
});
