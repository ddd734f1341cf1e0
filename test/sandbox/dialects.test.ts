import { describe, expect, test } from 'vitest';
import { apiKey, factura, formerNotaCredito, notaCredito, start } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are broken in every way.
type Loose = any;

const older = (change: (body: Loose) => void = () => {}) =>
  formerNotaCredito((b) => {
    b.documento_modificado.anula_comprobante = 'NO';
    change(b);
  });
const without = (b: Loose) => delete b.documento_modificado.motivo;

/** Which of the bodies each dialect takes. */
describe.each([
  ['described', { described: true, former: false, older: false }],
  ['former', { described: true, former: true, older: true }],
  ['older', { described: false, former: false, older: true }],
] as const)('the dialect %s', (dialect, taken) => {
  test.each([
    ['described', notaCredito],
    ['former', formerNotaCredito],
    ['older', older],
  ] as const)('takes a nota de crédito as it should: written as %s', async (written, body) => {
    const { credit, sandbox } = await start({ dialect });
    await credit(body());
    expect(sandbox.documents()).toHaveLength(taken[written] ? 1 : 0);
  });
});

describe('a described service', () => {
  test('answers a nota de crédito with its key and its id alone', async () => {
    const { credit } = await start({ accounts: [{ apiKey, providerApproved: true }] });
    const { status, body, headers } = await credit(notaCredito());
    expect(headers.get('x-sandbox-inferred')).toBe('true');
    expect({ status, body }).toEqual({
      status: 200,
      body: { creado: true, claveacceso: expect.stringMatching(/^\d{49}$/), id_comprobante: 1 },
    });
  });

  test.each(['failBeforeStoring', 'status500AfterStoring'] as const)(
    'fails inside (%s) without creado or key at a nota de crédito, with both at a factura',
    async (fault) => {
      const { credit, emit, sandbox } = await start();
      sandbox.faults.add({
        [fault]: fault === 'failBeforeStoring' ? { status: 500, times: 2 } : { times: 2 },
      });
      const note = await credit(notaCredito());
      expect(note).toMatchObject({ status: 500, body: { respuesta: false, error: expect.any(String) } });
      expect(note.body).not.toHaveProperty('claveacceso');
      expect(await emit(factura())).toMatchObject({
        status: 500,
        body: { creado: false, claveacceso: expect.stringMatching(/^\d{49}$/), errors: [expect.any(String)] },
      });
    },
  );
});

describe('a service of the older interface', () => {
  test('writes creado as text, and a duplicate as a refusal with its key and words, not as 409', async () => {
    const { credit } = await start({ dialect: 'older' });
    const first = await credit(older());
    expect(first).toMatchObject({ status: 200, body: { creado: 'true', id_comprobante: 1 } });
    const { claveacceso } = first.body;
    expect(await credit(older())).toMatchObject({
      status: 200,
      body: { creado: 'false', claveacceso, errors: 'Clave de acceso registrada' },
    });
  });

  test('tells mistakes with 400, one as a text and several as a list, and its own failures as an object', async () => {
    const { credit, sandbox } = await start({ dialect: 'older' });
    const sentence = 'documento_modificado.motivo: es obligatorio.';
    expect(await credit(older(without))).toMatchObject({
      status: 400,
      body: { creado: 'false', errors: sentence },
    });
    const two = (b: Loose) => {
      without(b);
      delete b.ambiente;
    };
    const { body } = await credit(older(two));
    expect(body.errors).toEqual([expect.any(String), sentence]);
    sandbox.faults.add({ failBeforeStoring: 500 });
    expect(await credit(older())).toMatchObject({
      status: 500,
      body: { creado: 'false', errors: { error: expect.any(String) } },
    });
  });

  test('says in one word that a document is authorised, under other names', async () => {
    const { credit, get, sandbox } = await start({ dialect: 'older' });
    const { claveacceso } = (await credit(older())).body;
    await expect.poll(() => sandbox.documents()[0]?.estado).toBe(4);
    const { body } = await get(`/api/comprobante/consulta/${claveacceso}`);
    expect(body).toMatchObject({
      estado_texto: 'Autorizado',
      clave_acceso: claveacceso,
      enlace_xml: expect.stringContaining(claveacceso),
      enlace_pdf: expect.stringContaining(claveacceso),
    });
    for (const name of ['claveacceso', 'autorizado', 'estado', 'xml', 'pdf'])
      expect(body).not.toHaveProperty(name);
  });
});

test.each([
  ['group', '0.09'],
  ['line', '0.10'],
] as const)('a sandbox computes by the arithmetic it was asked for: %s', async (arithmetic, valor) => {
  const { emit, sandbox } = await start({ arithmetic });
  const body = factura((b) => {
    const prices = [0.13, 0.13, 0.13, 0.105, 0.105];
    b.items = prices.map((precio_unitario) => ({ ...b.items[0], cantidad: 1, precio_unitario }));
    delete b.pagos;
  });
  await emit(body);
  expect(sandbox.documents()[0]?.figures?.groups).toMatchObject([{ base: '0.61', valor }]);
});
