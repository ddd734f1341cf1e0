import { describe, expect, test } from 'vitest';
import type { ServiceCalls } from '../../src/service/client.ts';
import { answering, clave, openClient, recording } from './hostile.ts';

/*
 * What each answer of the operations around emission means: one row an answer. What all operations have in common is in
 * every-operation, emission in emission and described-answers, documents in look-ups, companies in companies.
 */

const ruc = '1792146739001';
const cedula = '1710034065';
const calling = async (status: number, body: unknown) => openClient(await answering(status, body)).calls;

type Ask = (calls: ServiceCalls) => Promise<{ kind: string }>;
type Row = [status: number, body: unknown, expected: object];

const reprocessing = {
  kind: 'reprocessing',
  ...{ claveacceso: clave, estado: 'En procesamiento', mensaje: 'Va otra vez.' },
};
const reprocessed = {
  success: true,
  ...{ claveacceso: clave, estado: 'En procesamiento', mensaje: 'Va otra vez.' },
};
const reprocess: Row[] = [
  [200, reprocessed, reprocessing],
  [200, { success: 'true' }, { ...reprocessing, estado: null, mensaje: null }],
  [404, { success: false, message: 'No existe' }, { kind: 'not-found' }],
  // A missing route is not a missing document.
  [404, '<html>', { kind: 'unknown', status: 404, mayHaveLeft: true }],
  [404, { message: 'The route could not be found.' }, { kind: 'unknown', status: 404 }],
  [409, { success: false, message: 'Listo' }, { kind: 'refused', status: 409, errors: ['Listo'] }],
  [200, { success: 'false', message: 'No' }, { kind: 'refused', status: 200, errors: ['No'] }],
  [409, '<html>', { kind: 'unknown', mayHaveLeft: true }],
];

const taxpayer = { ruc, razon_social: 'EMISOR', estado: 'ACTIVO', obligado_contabilidad: 'SI', otro: 1 };
const lookUp: Row[] = [
  [
    200,
    { success: true, data: taxpayer, cache: false, costo: 0.01, gratis_restantes: 0 },
    {
      kind: 'found',
      facts: {
        ...{ ruc, razonSocial: 'EMISOR', nombreComercial: null, estado: 'ACTIVO' },
        ...{ tipoContribuyente: null, obligadoContabilidad: 'SI', actividad: null },
      },
      data: taxpayer,
      ...{ cache: false, costo: 0.01, gratisRestantes: 0, aviso: null },
    },
  ],
  [200, { success: false, message: 'No consta' }, { kind: 'not-found', mensaje: 'No consta' }],
  [404, { success: false, message: 'La ruta no existe' }, { kind: 'refused', status: 404 }],
  [404, '<html>', { kind: 'unknown' }],
  [400, { success: false, message: 'No vale' }, { kind: 'refused', status: 400, errors: ['No vale'] }],
  [402, { success: false, message: 'Recargue' }, { kind: 'no-funds', mensaje: 'Recargue' }],
  [402, '', { kind: 'no-funds', mensaje: null }],
  [502, { success: false, message: 'El registro no contesta' }, { kind: 'unknown' }],
  [200, { success: true }, { kind: 'unknown' }],
  [200, { success: true, data: { otro: 1 } }, { kind: 'unknown' }],
];
const person = { cedula, nombre: 'PEÑAFIEL MARÍA' };

const attempt = { entrega: 'e-1', evento: 'comprobante.autorizado', claveacceso: clave, intento: 2 };
const noAttempt = { entrega: null, evento: null, claveacceso: null, intento: null };
const rest = { exito: false, error: null };
const webhook: Row[] = [
  [
    200,
    {
      ...{ success: true, url: 'https://e.com', secret: 'abcd…wxyz', activo: true },
      ultimas_entregas: [{ ...attempt, ...rest, estado_http: 500, enviado_en: '2026-11-20T10:00:00' }, {}],
    },
    {
      ...{ kind: 'webhook', url: 'https://e.com', secret: 'abcd…wxyz', activo: true, aviso: null },
      ultimasEntregas: [
        { ...attempt, ...rest, estadoHttp: 500, enviadoEn: '2026-11-20T10:00:00' },
        { ...noAttempt, estadoHttp: null, exito: null, error: null, enviadoEn: null },
      ],
    },
  ],
  [200, { success: true, url: null, secret: null }, { kind: 'webhook', url: null, ultimasEntregas: [] }],
  [200, { url: 'https://e.com', ultimas_entregas: 'x' }, { kind: 'webhook', ultimasEntregas: [] }],
  [200, { success: true }, { kind: 'unknown' }],
  [200, { success: false, message: 'x', url: 'https://e.com' }, { kind: 'unknown' }],
];
const secret = 's'.repeat(40);
const saveWebhook: Row[] = [
  [
    200,
    { success: true, url: 'https://e.com/h', secret },
    { kind: 'saved', url: 'https://e.com/h', secret, activo: null },
  ],
  [
    400,
    { success: false, message: 'No es válido.', errors: ['url: es privada'] },
    { kind: 'refused', status: 400, errors: ['url: es privada'] },
  ],
];

const balance: Row[] = [
  [
    200,
    {
      success: true,
      facturacion: { creditos_disponibles: 12, vence_en: '2027-11-20' },
      consultas: { saldo: '1.50', gratis_restantes: 20 },
    },
    {
      ...{ kind: 'balance', creditos: 12, estadoSaldo: null, venceEn: '2027-11-20', aviso: null },
      consultas: { saldo: 1.5, gratisRestantes: 20 },
    },
  ],
  [
    200,
    { creditos_disponibles: '7', aviso_proveedor_sri: 'Falta' },
    { kind: 'balance', creditos: 7, aviso: 'Falta' },
  ],
  ...(
    [
      ['suficiente', 'suficiente'],
      ['BAJO', 'bajo'],
      ['agotado', 'agotado'],
      ['regular', null],
      [true, null],
    ] as const
  ).map(
    ([estado_saldo, estadoSaldo]): Row => [
      200,
      { success: true, creditos_disponibles: 7, estado_saldo },
      { kind: 'balance', creditos: 7, estadoSaldo },
    ],
  ),
  // Credits that cannot be read are not known, and not none.
  ...[undefined, null, '', true, [], 'muchos', '12 créditos'].map(
    (said): Row => [200, { success: true, creditos_disponibles: said }, { kind: 'balance', creditos: null }],
  ),
];

const entry = { fecha: '2026-11-22T10:00:00-05:00', tipo: 'consumo', cantidad: -1, descripcion: 'Factura' };
const movement = { ...entry, ambiente: null };
const unreadable: [status: number, body: unknown][] = [
  [200, { success: true }],
  [200, { success: true, links: [], historial: [{ cantidad: 1 }] }],
  [200, { success: true, historial: [entry, { ...entry, cantidad: null }] }],
  [200, { success: true, historial: [{ ...entry, fecha: '' }] }],
  [200, { success: true, historial: Array.from({ length: 1_001 }, () => entry) }],
  [404, { success: false, message: 'Ruta no encontrada' }],
  [404, '<html>'],
  [500, {}],
];
const history: Row[] = [
  [200, { success: true, total: 1, historial: [entry] }, { kind: 'history', movimientos: [movement] }],
  [
    200,
    { success: true, data: { current_page: 1, links: [], data: [entry] } },
    { kind: 'history', movimientos: [movement] },
  ],
  [
    200,
    { movimientos: [{ ...entry, cantidad: '1', ambiente: '2', tipo: 'Rollback' }] },
    { kind: 'history', movimientos: [{ ...movement, cantidad: 1, ambiente: 2, tipo: 'rollback' }] },
  ],
  [
    200,
    { historial: [{ ...entry, descripcion: undefined }] },
    { kind: 'history', movimientos: [{ ...movement, descripcion: null }] },
  ],
  [200, { success: true, historial: [] }, { kind: 'history', movimientos: [] }],
  ...unreadable.map(([status, body]): Row => [status, body, { kind: 'unknown' }]),
];

const sri = { recepcion: 'operativo', autorizacion: 'lento' };
const operations: [what: string, asks: Ask[], rows: Row[]][] = [
  [
    'POST /api/comprobante/reprocesar, and its historic route',
    [(c) => c.reprocesarComprobante(clave), (c) => c.reprocesarComprobanteHistorico(clave)],
    reprocess,
  ],
  ['GET /api/sri/ruc', [(c) => c.consultarRuc(ruc)], lookUp],
  [
    'GET /api/sri/cedula',
    [(c) => c.consultarCedula(cedula)],
    [[200, { success: true, ...person }, { kind: 'found', facts: person, cache: null }]],
  ],
  ['GET /api/webhook', [(c) => c.leerWebhook()], webhook],
  ['POST /api/webhook', [(c) => c.guardarWebhook({ url: 'https://e.com/h' })], saveWebhook],
  ['GET /api/creditos/saldo', [(c) => c.consultarSaldo()], balance],
  ['GET /api/creditos/historial', [(c) => c.consultarHistorialCreditos()], history],
  [
    // Words we do not know pass.
    'GET /api/public/status and /api/status',
    [(c) => c.estadoServicio(), (c) => c.estadoServicio('status')],
    [
      [
        200,
        { success: true, estado: 'raro', sri, actualizado_en: 'hoy' },
        { kind: 'status', estado: 'raro', sri, actualizadoEn: 'hoy' },
      ],
    ],
  ],
];

describe.each(operations)('%s', (_, asks, rows) => {
  test.each(rows)('%i %j', async (status, body, expected) => {
    const calls = await calling(status, body);
    for (const ask of asks) expect(await ask(calls)).toMatchObject(expected);
  });
});

test.each<[route: string, ask: Ask, body?: unknown]>([
  [`GET /api/sri/ruc/${ruc}`, (c) => c.consultarRuc(ruc)],
  [`GET /api/consulta/ruc/${ruc}`, (c) => c.consultarRuc(ruc, { prefix: 'consulta' })],
  ['POST /api/sri/ruc', (c) => c.consultarRuc(ruc, { method: 'POST' }), { ruc }],
  ['POST /api/consulta/ruc', (c) => c.consultarRuc(ruc, { method: 'POST', prefix: 'consulta' }), { ruc }],
  [`GET /api/sri/cedula/${cedula}`, (c) => c.consultarCedula(cedula)],
  [
    'POST /api/consulta/cedula',
    (c) => c.consultarCedula(cedula, { method: 'POST', prefix: 'consulta' }),
    { cedula },
  ],
  [
    'GET /api/creditos/historial?limit=100&page=2&tipo=rollback&ambiente=2',
    (c) => c.consultarHistorialCreditos({ limit: 100, page: 2, tipo: 'rollback', ambiente: '2' }),
  ],
  ['GET /api/creditos/historial', (c) => c.consultarHistorialCreditos()],
  ['GET /api/public/status', (c) => c.estadoServicio()],
  ['GET /api/status', (c) => c.estadoServicio('status')],
  [
    'POST /api/webhook',
    (c) => c.guardarWebhook({ url: 'https://e.com/h', secret: 'mío', activo: false }),
    { url: 'https://e.com/h', secret: 'mío', activo: false },
  ],
  [
    'POST /api/consultaprocesar',
    (c) => c.reprocesarComprobanteHistorico(clave, { ruc, id_comprobante: 3 }),
    { claveacceso: clave, ruc, id_comprobante: 3 },
  ],
])('%s is what leaves', async (route, ask, body) => {
  const { url, arrived } = await recording({ success: false });
  await ask(openClient(url).calls);
  expect(arrived.map((one) => `${one.method} ${one.url}`)).toEqual([route]);
  const sent = arrived[0]?.body.toString() ?? '';
  expect(sent === '' ? undefined : JSON.parse(sent)).toEqual(body);
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

const impossible = ['179214673900', '../../saldo', 'X792146739001', ''];

test.each<[string, Ask, string | RegExp]>([
  ...impossible.flatMap((wrong): [string, Ask, string][] => [
    [`the RUC "${wrong}"`, (c) => c.consultarRuc(wrong), 'ruc: Debe tener 13 dígitos.'],
    [`the cédula "${wrong}"`, (c) => c.consultarCedula(wrong), 'cedula: Debe tener 10 dígitos.'],
  ]),
  ['a page too large', (c) => c.consultarHistorialCreditos({ limit: 101 }), /^limit: /],
  ...['ftp://e.com', 'no es una dirección', ''].map((url): [string, Ask, RegExp] => {
    return [`the webhook "${url}"`, (c) => c.guardarWebhook({ url }), /^url: /];
  }),
])('%s never leaves', async (_, ask, sentence) => {
  const { calls, rateLimit } = openClient('http://127.0.0.1:9');
  expect(await ask(calls)).toMatchObject({
    kind: 'refused',
    status: null,
    errors: [expect.stringMatching(sentence)],
  });
  expect(rateLimit.taken).toEqual([]);
});
