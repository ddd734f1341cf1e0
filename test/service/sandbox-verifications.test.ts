import { describe, expect, test } from 'vitest';
import { apiKey, expectKind, openSandbox } from './sandbox-installation.ts';

const beta = { accounts: [{ apiKey, beta: true }] };

describe('POST, GET /api/id/verificaciones of a whole service', () => {
  test.each([
    ['prueba_de_vida', 0.5],
    ['cedula_ocr', 0.75],
    ['completa', 1],
  ] as const)('%s is created for %d USD, then found and listed', async (tipo, costo) => {
    const { calls } = await openSandbox(beta);
    const request = { tipo, cedula_esperada: '2459999997', tiempo_expiracion_minutos: 30 };
    const { verificacion } = expectKind(await calls.crearVerificacion(request), 'created');
    expect(verificacion).toMatchObject({
      id: expect.stringMatching(/./),
      estado: 'pendiente',
      costo,
      urlVerificacion: expect.stringMatching(/^https?:\/\//),
      expiraEn: expect.stringMatching(/^2026-11-20T15:30:00/),
    });
    const record = { ...verificacion, tipo, cedulaEsperada: '2459999997', creadoEn: expect.any(String) };
    expect(await calls.consultarVerificacion(verificacion.id)).toMatchObject({
      kind: 'found',
      verificacion: record,
    });
    expect(await calls.listarVerificaciones()).toMatchObject({ kind: 'list', verificaciones: [record] });
  });

  test('Errors 11: without beta access every call says beta_privada', async () => {
    const { calls } = await openSandbox();
    const said = { kind: 'beta-privada', mensaje: expect.stringMatching(/./) };
    expect(await calls.crearVerificacion({ tipo: 'completa' })).toEqual(said);
    expect(await calls.listarVerificaciones()).toEqual(said);
    expect(await calls.consultarVerificacion('v-1')).toEqual(said);
  });

  test('without money in the general wallet there are no funds', async () => {
    const { calls } = await openSandbox({ accounts: [{ apiKey, beta: true, generalWallet: 1 }] });
    expect(await calls.crearVerificacion({ tipo: 'completa' })).toEqual({
      kind: 'no-funds',
      mensaje: expect.stringMatching(/./),
    });
  });

  test('a cédula that cannot be one is refused in the words of the service; a strange id is not found', async () => {
    const { calls } = await openSandbox(beta);
    expect(await calls.crearVerificacion({ tipo: 'completa', cedula_esperada: '9999999999' })).toMatchObject({
      kind: 'refused',
      status: 400,
      errors: [expect.stringContaining('cedula_esperada')],
    });
    expect(await calls.consultarVerificacion('no-existe')).toEqual({ kind: 'not-found' });
  });

  test('Errors 4: a wrong key is unauthorized', async () => {
    const { calls } = await openSandbox(beta, { apiKey: 'otra' });
    expect(await calls.listarVerificaciones()).toEqual({ kind: 'unauthorized' });
  });
});
