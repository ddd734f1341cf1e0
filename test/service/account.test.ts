import { describe, expect, test } from 'vitest';
import { isRetryable } from '../../src/service/answers.ts';
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

  test('a text that is no access key never leaves', async () => {
    const { calls, budget } = openClient('http://127.0.0.1:9');
    await expect(calls.reprocesarComprobante('123')).rejects.toThrow('49 digits');
    await expect(calls.reprocesarComprobanteHistorico('123')).rejects.toThrow('49 digits');
    expect(budget.taken).toEqual([]);
  });
});

describe('GET /api/webhook', () => {
  test('the webhook comes with its masked secret and the attempts of its deliveries', async () => {
    const attempt = { entrega: 'e-1', evento: 'comprobante.autorizado', claveacceso: clave, intento: 2 };
    const wire = {
      ...attempt,
      estado_http: 500,
      exito: false,
      error: null,
      enviado_en: '2026-11-20T10:00:00',
    };
    const calls = await calling(200, {
      success: true,
      url: 'https://example.com',
      secret: 'abcd…wxyz',
      activo: true,
      ultimas_entregas: [wire, {}],
    });
    const nothing = { entrega: null, evento: null, claveacceso: null, intento: null };
    expect(await calls.leerWebhook()).toEqual({
      kind: 'webhook',
      url: 'https://example.com',
      secret: 'abcd…wxyz',
      activo: true,
      ultimasEntregas: [
        { ...attempt, estadoHttp: 500, exito: false, error: null, enviadoEn: '2026-11-20T10:00:00' },
        { ...nothing, estadoHttp: null, exito: null, error: null, enviadoEn: null },
      ],
      aviso: null,
    });
  });

  test.each([
    [200, { success: true, url: null, secret: null }, { kind: 'webhook', url: null, ultimasEntregas: [] }],
    [200, { url: 'https://e.com', ultimas_entregas: 'x' }, { kind: 'webhook', ultimasEntregas: [] }],
    [200, { success: true }, { kind: 'unknown' }],
    [200, { success: false, message: 'x', url: 'https://e.com' }, { kind: 'unknown' }],
  ])('%i %j', async (status, body, expected) => {
    expect(await (await calling(status, body)).leerWebhook()).toMatchObject(expected);
  });
});

describe('POST and PUT /api/webhook', () => {
  test('the secret is read in full, this once', async () => {
    const { url, arrived } = await recording({
      success: true,
      url: 'https://e.com/h',
      secret: 's'.repeat(40),
    });
    const { calls } = openClient(url);
    const expected = { kind: 'saved', url: 'https://e.com/h', secret: 's'.repeat(40), activo: null };
    expect(
      await calls.guardarWebhook({ url: 'https://e.com/h', secret: 'mío', activo: false }),
    ).toMatchObject(expected);
    expect(await calls.actualizarWebhook({ url: 'https://e.com/h' })).toMatchObject(expected);
    expect(arrived.map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { url: 'https://e.com/h', secret: 'mío', activo: false },
      { url: 'https://e.com/h' },
    ]);
  });

  test('a URL the service refuses comes back with its words', async () => {
    const body = { success: false, message: 'No es válido.', errors: ['url: es privada'] };
    const calls = await calling(400, body);
    expect(await calls.guardarWebhook({ url: 'https://10.0.0.1' })).toEqual({
      kind: 'refused',
      status: 400,
      errors: ['url: es privada'],
    });
  });

  test.each([['ftp://e.com'], ['no es una dirección'], ['']])('%s never leaves', async (url) => {
    const { calls, budget } = openClient('http://127.0.0.1:9');
    expect(await calls.guardarWebhook({ url })).toMatchObject({
      kind: 'refused',
      status: null,
      errors: [expect.stringMatching(/^url: /)],
    });
    expect(budget.taken).toEqual([]);
  });
});

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
      const { calls, budget } = openClient('http://127.0.0.1:9');
      const refused = { kind: 'refused', status: null, errors: ['ruc: Debe tener 13 dígitos.'] };
      expect(await calls.consultarRuc(wrong)).toEqual(refused);
      expect(await calls.consultarCedula(wrong)).toMatchObject({
        errors: ['cedula: Debe tener 10 dígitos.'],
      });
      expect(budget.taken).toEqual([]);
    },
  );
});

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
    const { calls, budget } = openClient('http://127.0.0.1:9');
    for (const id of ['', '..', '../saldo', 'a/b', 'a?b'])
      expect(await calls.consultarVerificacion(id)).toEqual({ kind: 'not-found' });
    expect(budget.taken).toEqual([]);
    expect(await (await calling(404, {})).consultarVerificacion('v-9')).toEqual({ kind: 'not-found' });
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
