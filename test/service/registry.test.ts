import { describe, expect, test } from 'vitest';
import { answering, openClient, recording } from './hostile.ts';

const ruc = '1792146739001';
const calling = async (status: number, body: unknown) => openClient(await answering(status, body)).calls;

describe('GET, POST /api/sri/… and /api/consulta/…', () => {
  test.each([
    [{}, 'GET /api/sri/ruc/1792146739001', ''],
    [{ prefix: 'consulta' }, 'GET /api/consulta/ruc/1792146739001', ''],
    [{ method: 'POST' }, 'POST /api/sri/ruc', '{"ruc":"1792146739001"}'],
    [{ method: 'POST', prefix: 'consulta' }, 'POST /api/consulta/ruc', '{"ruc":"1792146739001"}'],
  ] as const)('consultarRuc %j asks %s', async (options, route, body) => {
    const { url, arrived } = await recording({ success: false });
    await openClient(url).calls.consultarRuc(ruc, options);
    expect(arrived.map((one) => [`${one.method} ${one.url}`, one.body.toString()])).toEqual([[route, body]]);
  });

  test.each([
    [{}, 'GET /api/sri/cedula/1710034065', ''],
    [{ method: 'POST', prefix: 'consulta' }, 'POST /api/consulta/cedula', '{"cedula":"1710034065"}'],
  ] as const)('consultarCedula %j asks %s', async (options, route, body) => {
    const { url, arrived } = await recording({ success: false });
    await openClient(url).calls.consultarCedula('1710034065', options);
    expect(arrived.map((one) => [`${one.method} ${one.url}`, one.body.toString()])).toEqual([[route, body]]);
  });

  test('a taxpayer and a person, with what the look-up cost', async () => {
    const data = { ruc, razon_social: 'EMISOR', estado: 'ACTIVO', obligado_contabilidad: 'SI', otro: 1 };
    const counted = { cache: false, costo: 0.01, gratis_restantes: 0 };
    expect(await (await calling(200, { success: true, data, ...counted })).consultarRuc(ruc)).toEqual({
      kind: 'found',
      facts: {
        ruc,
        razonSocial: 'EMISOR',
        nombreComercial: null,
        estado: 'ACTIVO',
        tipoContribuyente: null,
        obligadoContabilidad: 'SI',
        actividad: null,
      },
      data,
      cache: false,
      costo: 0.01,
      gratisRestantes: 0,
      aviso: null,
    });
    const person = { success: true, cedula: '1710034065', nombre: 'PEÑAFIEL MARÍA' };
    expect(await (await calling(200, person)).consultarCedula('1710034065')).toMatchObject({
      kind: 'found',
      facts: { cedula: '1710034065', nombre: 'PEÑAFIEL MARÍA' },
      cache: null,
    });
  });

  test.each([
    [200, { success: false, message: 'No consta' }, { kind: 'not-found', mensaje: 'No consta' }],
    [404, { success: false, message: 'La ruta no existe' }, { kind: 'refused', status: 404 }],
    [404, '<html>', { kind: 'unknown' }],
    [400, { success: false, message: 'No vale' }, { kind: 'refused', status: 400, errors: ['No vale'] }],
    [402, { success: false, message: 'Recargue' }, { kind: 'no-funds', mensaje: 'Recargue' }],
    [402, '', { kind: 'no-funds', mensaje: null }],
    [502, { success: false, message: 'El registro no contesta' }, { kind: 'unknown' }],
    [200, { success: true }, { kind: 'unknown' }],
    [200, { success: true, data: { otro: 1 } }, { kind: 'unknown' }],
  ])('%i %j', async (status, body, expected) => {
    expect(await (await calling(status, body)).consultarRuc(ruc)).toMatchObject(expected);
  });

  test.each(['179214673900', '../../saldo', 'X792146739001', ''])(
    'the RUC %j never leaves',
    async (wrong) => {
      const { calls, rateLimit } = openClient('http://127.0.0.1:9');
      const refused = { kind: 'refused', status: null, errors: ['ruc: Debe tener 13 dígitos.'] };
      expect(await calls.consultarRuc(wrong)).toEqual(refused);
      expect(await calls.consultarCedula(wrong)).toMatchObject({
        errors: ['cedula: Debe tener 10 dígitos.'],
      });
      expect(rateLimit.taken).toEqual([]);
    },
  );
});
