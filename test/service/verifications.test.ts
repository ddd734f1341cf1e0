import { describe, expect, test } from 'vitest';
import { isRetryable } from '../../src/service/answers.ts';
import { answering, openClient } from './hostile.ts';

const calling = async (status: number, body: unknown) => openClient(await answering(status, body)).calls;

describe('POST /api/id/verificaciones', () => {
  const created = {
    success: true,
    id: 'v-1',
    url_verificacion: 'https://verifica.example.com/v-1',
    estado: 'pendiente',
    costo: 1,
    expira_en: '2026-11-20T16:00:00Z',
  };
  const verificacion = {
    id: 'v-1',
    estado: 'pendiente',
    urlVerificacion: 'https://verifica.example.com/v-1',
    costo: 1,
    expiraEn: '2026-11-20T16:00:00Z',
    tipo: null,
    cedulaEsperada: null,
    creadoEn: null,
    finalizadoEn: null,
  };

  test('the creation response is read, and read again as a record and in a list', async () => {
    const calls = await calling(200, { ...created, verificaciones: [created] });
    expect(await calls.crearVerificacion({ tipo: 'completa' })).toEqual({
      kind: 'created',
      verificacion,
      aviso: null,
    });
    expect(await calls.consultarVerificacion('v-1')).toEqual({ kind: 'found', verificacion, aviso: null });
    expect(await calls.listarVerificaciones()).toEqual({
      kind: 'list',
      verificaciones: [verificacion],
      aviso: null,
    });
  });

  test.each([
    [403, { success: false, code: 'beta_privada', message: 'Sin acceso' }, { kind: 'beta-privada' }],
    [403, { success: false, error: { codigo: 'beta_privada' } }, { kind: 'beta-privada', mensaje: null }],
    [403, { success: false, message: 'Otra cosa' }, { kind: 'refused', status: 403, errors: ['Otra cosa'] }],
    [402, { success: false, message: 'Recargue' }, { kind: 'no-funds', mensaje: 'Recargue' }],
    [400, { success: false, errors: ['tipo: no'] }, { kind: 'refused', status: 400, errors: ['tipo: no'] }],
    [200, { ...created, success: 'false' }, { kind: 'refused' }],
    [200, { ...created, success: undefined }, { kind: 'unknown', mayHaveLeft: true }],
    [200, { success: true, estado: 'pendiente' }, { kind: 'unknown', mayHaveLeft: true }],
  ])('Errors 11 and others: %i %j', async (status, body, expected) => {
    const answer = await (await calling(status, body)).crearVerificacion({ tipo: 'cedula_ocr' });
    expect(answer).toMatchObject(expected);
    expect(isRetryable(answer)).toBe(false);
  });

  test('without beta access reading is refused the same way', async () => {
    const calls = await calling(403, { success: false, code: 'beta_privada', message: 'Sin acceso' });
    expect(await calls.listarVerificaciones()).toEqual({ kind: 'beta-privada', mensaje: 'Sin acceso' });
    expect(await calls.consultarVerificacion('v-1')).toMatchObject({ kind: 'beta-privada' });
  });

  test.each([
    [{ tipo: 'otra' }, 'tipo'],
    [{ tipo: 'completa', webhook_url: 'localhost' }, 'webhook_url'],
    [{ tipo: 'completa', tiempo_expiracion_minutos: 0 }, 'tiempo_expiracion_minutos'],
    [{ tipo: 'completa', cedula_esperada: '12' }, 'cedula_esperada'],
  ])('%j never leaves', async (request, field) => {
    const { calls } = openClient('http://127.0.0.1:9');
    expect(await calls.crearVerificacion(request as { tipo: 'completa' })).toMatchObject({
      kind: 'refused',
      status: null,
      errors: [expect.stringMatching(`^${field}: `)],
    });
  });

  test('an id that would change the address is not found', async () => {
    const { calls, rateLimit } = openClient('http://127.0.0.1:9');
    for (const id of ['', '..', '../saldo', 'a/b', 'a?b'])
      expect(await calls.consultarVerificacion(id)).toEqual({ kind: 'not-found' });
    expect(rateLimit.taken).toEqual([]);
    expect(await (await calling(404, {})).consultarVerificacion('v-9')).toEqual({ kind: 'not-found' });
  });
});
