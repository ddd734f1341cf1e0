import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EmissionAnswer } from '../../src/service/answers.ts';
import { hasCheckDigit, verifyServiceWebhook } from '../../src/service/event.ts';
import { draws } from '../support/chance.ts';
import { answering, clave, openClient, openHostile } from './hostile.ts';
import { rows } from './operations.ts';

/*
 * Answers as a public description of a service with this interface, and an older one of its family, show them. The
 * key of these tests is of factura 032-101-000046045 of 1090007870001 in ambiente 2.
 */
const emisor = {
  ruc: '1090007870001',
  codigo_establecimiento: '032',
  codigo_puntoemision: '101',
  secuencial: '000046045',
};
const body = JSON.stringify({ emisor, ambiente: 2 });
/** The same but of another number. */
const otherKey = `${clave.slice(0, 30)}000046046${clave.slice(39)}`;
const html = '<!DOCTYPE html>\n<html><body>Mantenimiento programado</body></html>';

const emitted = async (status: number, answer: unknown, sent = body) =>
  openClient(await answering(status, answer)).calls.emitirFactura(sent);

describe('an emission that fails as described', () => {
  test.each<[number, object, string[]]>([
    [500, { respuesta: false, error: 'Error al firmar.' }, ['Error al firmar.']],
    [500, { creado: false, claveacceso: clave, errors: ['Error al registrar.'] }, ['Error al registrar.']],
    [503, { respuesta: 'false', error: { mensaje: 'Sin conexión.' } }, ['Sin conexión.']],
  ])('%i %j: unknown, with its words kept beside the reason', async (status, answer, errors) => {
    const got = await emitted(status, answer);
    expect(got).toMatchObject({ kind: 'unknown', mayHaveLeft: true, errors });
    expect((got as { reason: string }).reason).not.toContain(errors[0]);
  });

  test('what cannot be read has no words', async () => {
    const got = await emitted(500, html);
    expect(got).toMatchObject({ kind: 'unknown', claveacceso: null });
    expect(got).not.toHaveProperty('errors');
  });

  test.each<[number, unknown]>([
    [401, { success: false, message: 'API Key inválida' }],
    [401, { creado: false, errors: ['API Key requerida en header X-API-KEY'] }],
    [401, { creado: 'false', errors: 'Api_key No existe' }],
    [400, { creado: false, errors: 'Api_key No existe' }],
    [200, { creado: 'false', errors: { error: 'API KEY requerida en header X-API-KEY' } }],
  ])('%i %j: the key is wrong, no document is to blame', async (status, answer) => {
    expect(await emitted(status, answer)).toEqual({ kind: 'unauthorized' });
  });

  test.each<[unknown, string[]]>([
    [['El campo emisor.ruc es obligatorio.'], ['El campo emisor.ruc es obligatorio.']],
    ['Sin firma', ['Sin firma']],
    [{ error: 'Sin firma' }, ['Sin firma']],
    [{ error: ['Sin firma', 'Sin logo'] }, ['Sin firma', 'Sin logo']],
    [{ ruc: ['no vale'] }, ['ruc: no vale']],
  ])('errors %j are sentences', async (errors, expected) => {
    expect(await emitted(400, { creado: 'false', errors })).toMatchObject({
      kind: 'refused',
      errors: expected,
    });
  });

  test('a refusal that calls its words "error" says them', async () => {
    expect(await emitted(400, { creado: false, error: 'Sin firma' })).toMatchObject({
      kind: 'refused',
      errors: ['Sin firma'],
    });
  });
});

describe('the access key is read in both spellings', () => {
  test('of a success', async () => {
    expect(await emitted(200, { creado: 'true', clave_acceso: clave, id_comprobante: 7 })).toMatchObject({
      kind: 'created',
      claveacceso: clave,
      idComprobante: 7,
    });
  });
  test('two different keys are none', async () => {
    const answer = { creado: true, claveacceso: clave, clave_acceso: otherKey };
    expect(await emitted(200, answer)).toMatchObject({ kind: 'unknown', claveacceso: null });
  });
  test('of what a webhook tells', () => {
    const reported = Buffer.from(
      JSON.stringify({ evento: 'comprobante.autorizado', clave_acceso: clave, estado: 4, autorizado: true }),
    );
    const signature = `sha256=${createHmac('sha256', 'secreto').update(reported).digest('hex')}`;
    expect(
      verifyServiceWebhook({ 'x-service-signature': signature }, reported, ['secreto'], new Date()),
    ).toMatchObject({ kind: 'document', event: { claveacceso: clave, state: 'authorized' } });
  });
  test('of what is asked about', async () => {
    const { calls } = openClient(
      await answering(200, { success: true, clave_acceso: otherKey, estado_texto: 'Autorizado' }),
    );
    expect(await calls.consultarComprobante(clave)).toMatchObject({
      kind: 'unknown',
      reason: 'answered about another access key than asked',
    });
  });
});

describe('an id of the document that is no whole number is none', () => {
  test.each([null, '', true, 'x', 1.5, -1, [], 1e300])('%j', async (id_comprobante) => {
    expect(await emitted(200, { creado: true, claveacceso: clave, id_comprobante })).toMatchObject({
      kind: 'created',
      idComprobante: null,
    });
  });
  test('a text of digits is one', async () => {
    expect(await emitted(200, { creado: true, claveacceso: clave, id_comprobante: '41' })).toMatchObject({
      idComprobante: 41,
    });
  });
});

describe('what exists already is a duplicate, whatever the status', () => {
  test.each<[string, number, object, string | null]>([
    [
      'words and key',
      200,
      { creado: 'false', claveacceso: clave, errors: 'Clave de acceso registrada' },
      clave,
    ],
    ['words alone', 400, { creado: false, errors: ['El comprobante ya existe.'] }, null],
    ['a message', 200, { creado: false, mensaje: 'Clave de acceso registrada' }, null],
    ['our own key, and no word of it', 200, { creado: false, clave_acceso: clave, errors: ['No.'] }, clave],
    [
      'the key inside the words',
      400,
      { creado: false, errors: [`La clave de acceso ${clave} ya existe`] },
      clave,
    ],
    ['409', 409, { creado: false, errors: 'Clave de Acceso ya existe para esta empresa' }, null],
  ])('%s', async (_, status, answer, key) => {
    expect(await emitted(status, answer)).toMatchObject({ kind: 'duplicate', claveacceso: key });
  });

  test.each<[string, object]>([
    ['a key of another number', { claveacceso: otherKey, errors: ['Fecha fuera de rango.'] }],
    ['what is not registered', { errors: ['El establecimiento no se encuentra registrado en el RUC.'] }],
  ])('not so: %s', async (_, answer) => {
    expect(await emitted(400, { creado: false, ...answer })).toMatchObject({ kind: 'refused' });
  });

  test('a body without its number makes no key its own', async () => {
    const { secuencial: _, ...rest } = emisor;
    const answer = { creado: false, claveacceso: clave, errors: ['No.'] };
    expect(await emitted(400, answer, JSON.stringify({ emisor: rest, ambiente: 2 }))).toMatchObject({
      kind: 'refused',
    });
  });
});

const anyText = fc.constantFrom(
  'Clave de acceso registrada',
  'Ya existe',
  'No.',
  'Sin saldo / comprobantes disponibles',
  'Error al registrar comprobante: la clave',
  '',
);
const wordsOf = fc.oneof(
  anyText,
  fc.array(anyText, { maxLength: 3 }),
  anyText.map((error) => ({ error })),
  fc.constant(null),
);
const flags = fc.constantFrom(true, false, 'true', 'false', undefined, null, 1);
const keys = fc.constantFrom(clave, otherKey, clave.slice(1), Number(clave), null, undefined, '');
const mixed = fc.record({
  status: fc.constantFrom(200, 200, 201, 400, 402, 404, 409, 422, 500, 503),
  answer: fc.record(
    {
      creado: flags,
      respuesta: flags,
      success: flags,
      claveacceso: keys,
      clave_acceso: keys,
      errors: wordsOf,
      error: wordsOf,
      mensaje: anyText,
      id_comprobante: fc.constantFrom(1, '2', null, undefined),
    },
    { requiredKeys: [] },
  ),
});

test('no mix of these shapes is a success without a key of 49 digits, or rejects what it names as existing', async () => {
  let current = { status: 200, text: '' };
  const url = await openHostile((req, res) => {
    req.resume().on('end', () => res.writeHead(current.status).end(current.text));
  });
  const { calls } = openClient(url);
  await fc.assert(
    fc.asyncProperty(mixed, async ({ status, answer }) => {
      const text = JSON.stringify(answer);
      current = { status, text };
      const got: EmissionAnswer = await calls.emitirFactura(body);
      if (got.kind === 'created') {
        expect(got.claveacceso).toMatch(/^\d{49}$/);
        expect(text).toContain(got.claveacceso);
        expect(text).toMatch(/"creado":("true"|true)/);
      }
      if (got.kind !== 'refused') return;
      expect(got.errors.join(' ')).not.toMatch(/registrada|ya existe/i);
      const named = [answer.claveacceso, answer.clave_acceso];
      expect(named.includes(clave) && !named.includes(otherKey)).toBe(false);
    }),
    { numRuns: draws(400, 20_000) },
  );
});

describe('HTML is no answer', () => {
  const statuses = [200, 201, 400, 402, 403, 404, 409, 500, 503];
  const pages = [
    html,
    '\uFEFF <html><body>404</body></html>',
    '<h1>Not Found</h1>',
    '<br />\n<b>Fatal error</b>',
  ];
  test.each(rows)('$name: unknown, whatever its status', async ({ call }) => {
    let current = { status: 200, text: '' };
    const url = await openHostile((req, res) => {
      req.resume().on('end', () => res.writeHead(current.status).end(current.text));
    });
    const { calls } = openClient(url);
    for (const status of statuses)
      for (const text of pages) {
        current = { status, text };
        const got = await call(calls);
        if ('stream' in got) (got.stream as { destroy(): void }).destroy();
        expect({ status, text, kind: got.kind }).toEqual({ status, text, kind: 'unknown' });
      }
  });
});

describe('the state of a document with incomplete facts', () => {
  const consult = async (facts: object, xml: { status: number; text: string }) => {
    const asked: string[] = [];
    const url = await openHostile((req, res) => {
      asked.push(req.url ?? '');
      const isXml = req.url?.includes('/xml/');
      res
        .writeHead(isXml ? xml.status : 200)
        .end(isXml ? xml.text : JSON.stringify({ success: true, ...facts }));
    });
    const answer = await openClient(url).calls.consultarComprobante(clave);
    return { answer, asked: asked.map((one) => one.split('/')[3]) };
  };
  const none = { status: 404, text: JSON.stringify({ success: false, message: 'Sin XML.' }) };
  const authorized = {
    status: 200,
    text: `<autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${clave}</numeroAutorizacion><fechaAutorizacion>2025-08-04T10:00:00-05:00</fechaAutorizacion><comprobante><![CDATA[<factura><infoTributaria><ambiente>2</ambiente><ruc>1090007870001</ruc><claveAcceso>${clave}</claveAcceso><codDoc>01</codDoc><estab>032</estab><ptoEmi>101</ptoEmi><secuencial>000046045</secuencial></infoTributaria><infoFactura><fechaEmision>04/08/2025</fechaEmision><identificacionComprador>1710034065</identificacionComprador><importeTotal>1.00</importeTotal></infoFactura></factura>]]></comprobante></autorizacion>`,
  };

  test('"Autorizado" beside a number of authorisation is authorised', async () => {
    const { answer, asked } = await consult(
      { estado_texto: 'Autorizado', numero_autorizacion: clave, clave_acceso: clave },
      none,
    );
    expect(answer).toMatchObject({ kind: 'found', state: 'authorized', numeroAutorizacion: clave });
    expect(asked).toEqual(['consulta']);
  });

  test.each([
    { estado: 4, estado_texto: 'ANULADO', autorizado: true },
    { estado: 4, estado_texto: 'Anulado', autorizado: false },
    { estado_texto: 'Anulada' },
  ])('%j is authorised, and annulled since', async (says) => {
    const { answer, asked } = await consult({ ...says, claveacceso: clave }, none);
    expect(answer).toMatchObject({ kind: 'found', state: 'authorized', annulled: true });
    expect(asked).toEqual(['consulta']);
  });

  test('"Pendiente de anular" still counts', async () => {
    const says = { estado: 4, estado_texto: 'PENDIENTE DE ANULAR', autorizado: true, claveacceso: clave };
    expect((await consult(says, none)).answer).toMatchObject({ state: 'authorized', annulled: false });
  });

  test('"Autorizado" alone is authorised once its XML says so', async () => {
    const { answer, asked } = await consult(
      { estado_texto: 'AUTORIZADO', enlace_xml: 'https://e.com/x' },
      authorized,
    );
    expect(answer).toMatchObject({
      kind: 'found',
      state: 'authorized',
      enlaces: { xml: 'https://e.com/x', pdf: null },
    });
    expect(asked).toEqual(['consulta', 'xml']);
  });

  test.each([
    ['there is no XML', none],
    ['an HTML page stands in its place', { status: 200, text: html }],
    ['the XML is of another document', { ...authorized, text: authorized.text.replaceAll(clave, otherKey) }],
    ['nobody answers', { status: 503, text: '' }],
  ])('"Autorizado" alone is still in process while %s', async (_, xml) => {
    expect((await consult({ estado_texto: 'Autorizado' }, xml)).answer).toMatchObject({
      kind: 'found',
      state: 'processing',
    });
  });

  test.each([
    ['another text', { estado_texto: 'No autorizado', numero_autorizacion: clave }],
    ['another text', { estado_texto: 'Por autorizar', numero_autorizacion: clave }],
    ['no text', { numero_autorizacion: clave, estado: '1' }],
    ['a state in process', { estado: 1, estado_texto: 'Autorizado', numero_autorizacion: clave }],
    ['a number that is none', { estado_texto: 'Autorizado', numero_autorizacion: 'pendiente' }],
  ])('%s does not make it authorised: %j', async (_, facts) => {
    expect((await consult(facts, none)).answer).toMatchObject({ kind: 'found', state: 'processing' });
  });

  test.each([
    { estado_texto: 'Autorizado', autorizado: false, numero_autorizacion: clave },
    { estado_texto: 'Autorizado', requiere_correccion: true, numero_autorizacion: clave },
  ])('%j says two things at once, and so nothing', async (facts) => {
    expect((await consult(facts, authorized)).answer).not.toMatchObject({ state: 'authorized' });
  });

  test('both names of the links are read', async () => {
    const facts = { estado: 4, xml: 'https://e.com/x', enlace_pdf: 'https://e.com/p' };
    expect((await consult(facts, none)).answer).toMatchObject({
      enlaces: { xml: 'https://e.com/x', pdf: 'https://e.com/p' },
    });
  });
});

test('the sample key has its check digit, or the tests above would use no real key', () => {
  expect(hasCheckDigit(clave)).toBe(true);
});

test('a ping that asks for a key is understood: the service answers', async () => {
  for (const answer of [
    { success: false, message: 'API Key inválida' },
    { creado: false, errors: ['API Key requerida en header X-API-KEY'] },
  ])
    expect(await openClient(await answering(401, answer)).calls.ping()).toMatchObject({
      kind: 'unauthorized',
    });
});
