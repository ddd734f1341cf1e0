import { describe, expect, test } from 'vitest';
import { answering, clave, openClient, recording } from './hostile.ts';

const ruc = '1792146739001';
const calling = async (status: number, body: unknown) => openClient(await answering(status, body)).calls;

describe('POST /api/comprobante/reprocesar', () => {
  const good = { success: true, claveacceso: clave, estado: 'En procesamiento', mensaje: 'Va otra vez.' };
  test.each([
    [
      200,
      good,
      { kind: 'reprocessing', claveacceso: clave, estado: 'En procesamiento', mensaje: 'Va otra vez.' },
    ],
    [200, { success: 'true' }, { kind: 'reprocessing', claveacceso: clave, estado: null, mensaje: null }],
    [404, { success: false, message: 'No existe' }, { kind: 'not-found' }],
    [404, '<html>', { kind: 'unknown', mayHaveLeft: true }],
    [
      409,
      { success: false, message: 'Autorizado' },
      { kind: 'refused', status: 409, errors: ['Autorizado'] },
    ],
    [200, { success: 'false', message: 'No' }, { kind: 'refused', status: 200, errors: ['No'] }],
    [409, '<html>', { kind: 'unknown', mayHaveLeft: true }],
  ])('%i %j by both routes', async (status, body, expected) => {
    const calls = await calling(status, body);
    expect(await calls.reprocesarComprobante(clave)).toMatchObject(expected);
    expect(await calls.reprocesarComprobanteHistorico(clave)).toMatchObject(expected);
  });

  test('the historic route takes ruc and id_comprobante beside the key', async () => {
    const { url, arrived } = await recording(good);
    await openClient(url).calls.reprocesarComprobanteHistorico(clave, { ruc, id_comprobante: 3 });
    expect(JSON.parse(String(arrived[0]?.body))).toEqual({ claveacceso: clave, ruc, id_comprobante: 3 });
  });

  test('the name of the service’s own number is the account’s to say', async () => {
    const { url, arrived } = await recording({ creado: true, mensaje: 'Va.' });
    const { calls } = openClient(url, { reprocessIdField: 'id_factura' });
    expect(await calls.reprocesarComprobanteHistorico(clave, { ruc, id_comprobante: 3 })).toMatchObject({
      kind: 'reprocessing',
      mensaje: 'Va.',
    });
    expect(JSON.parse(String(arrived[0]?.body))).toEqual({ claveacceso: clave, ruc, id_factura: 3 });
  });

  test('a missing route is distinguished from a missing document', async () => {
    for (const body of ['<html>', { message: 'The route could not be found.' }])
      expect(await (await calling(404, body)).reprocesarComprobante(clave)).toMatchObject({
        kind: 'unknown',
        status: 404,
      });
  });
});
