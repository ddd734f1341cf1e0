import { describe, expect, test } from 'vitest';
import { factura, start } from './support.ts';

// Nobody describes the bodies of these types (assumption A22): the common blocks are checked, the rest passes.

const types = [
  { tipo: '03', nombre: 'Liquidación de compra', path: '/api/liquidacion/emision' },
  { tipo: '05', nombre: 'Nota de débito', path: '/api/debito/emision' },
] as const;

type Change = NonNullable<Parameters<typeof factura>[0]>;

/** The blocks every type shares, and blocks of its own that nobody has described. */
function other(change: Change = () => {}) {
  const { emisor } = factura();
  const body = {
    emisor,
    ambiente: 1,
    informacion_adicional: [{ nombre: 'Pedido', detalle: '#1001' }],
    proveedor: { identificacion: '1790016919001' },
    motivos: [{ razon: 'Interés por mora', valor: 10 }],
  };
  change(body);
  return body;
}

describe.each(types)('$nombre ($tipo)', ({ tipo, nombre, path }) => {
  test('is created, authorised and consulted like any document, and marked as inferred', async () => {
    const { send, settled, sandbox } = await start();
    const { status, body, headers } = await send('POST', path, other());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        creado: true,
        claveacceso: expect.stringMatching(new RegExp(`^20112026${tipo}17921467390011001001000000123`)),
        id_comprobante: 1,
        estado: 'En procesamiento',
        mensaje: expect.stringContaining(`${nombre} 001-001-000000123`),
      },
    });
    expect(headers.get('x-sandbox-inferred')).toBe('true');
    expect(await settled(body.claveacceso)).toMatchObject({
      success: true,
      tipo_comprobante: tipo,
      numero: '001-001-000000123',
      estado: 4,
      autorizado: true,
      numero_autorizacion: body.claveacceso,
    });
    // What the sandbox does not understand it still keeps as it came.
    expect(sandbox.documents()[0]?.body).toEqual(other());
  });

  test.each(['xml', 'pdf'])('has no %s here: 404 with a sentence that says so', async (file) => {
    const { send, settled, get } = await start();
    const { body } = await send('POST', path, other());
    await settled(body.claveacceso);
    expect(await get(`/api/comprobante/${file}/${body.claveacceso}`)).toMatchObject({
      status: 404,
      body: { success: false, message: expect.stringContaining('no genera') },
    });
  });

  test.each<[string, Change, string]>([
    ['no issuer', (b) => delete b.emisor, 'emisor'],
    ['an issuer without address', (b) => delete b.emisor.direccion_matriz, 'emisor.direccion_matriz'],
    ['a RUC of 12 digits', (b) => (b.emisor.ruc = '179214673900'), 'emisor.ruc'],
    ['an unknown name in its issuer', (b) => (b.emisor.telefono = '1'), 'telefono'],
    ['yesterday', (b) => (b.emisor.fecha_emision = '2026/11/19'), 'emisor.fecha_emision'],
    ['no ambiente', (b) => delete b.ambiente, 'ambiente'],
    ['tipo_emision 3', (b) => (b.tipo_emision = 3), 'tipo_emision'],
    ['a buyer without address', (b) => (b.comprador = buyerWithout('direccion')), 'comprador.direccion'],
    ['15 entries of information', (b) => (b.informacion_adicional = entries(15)), 'informacion_adicional'],
    [
      'RUC Proveedor',
      (b) => b.informacion_adicional.push({ nombre: 'RUC Proveedor', detalle: '1' }),
      'RUC Proveedor',
    ],
  ])('with %s is refused: the common blocks are checked', async (_rule, change, field) => {
    const { send, sandbox } = await start();
    const { status, body } = await send('POST', path, other(change));
    expect({ status, creado: body.creado }).toEqual({ status: 200, creado: false });
    expect(body.errors).toEqual(expect.arrayContaining([expect.stringContaining(field)]));
    expect(sandbox.documents()).toEqual([]);
  });

  test('repeated answers 409 with the key of the first; other types have series of their own', async () => {
    const { send, emit } = await start();
    await emit(factura());
    const first = await send('POST', path, other());
    expect(first.body.creado).toBe(true);
    expect(await send('POST', path, other())).toMatchObject({
      status: 409,
      body: { creado: false, claveacceso: first.body.claveacceso },
    });
  });

  test('is emitted where otherDocumentPaths says, and nowhere else', async () => {
    const { send } = await start({ otherDocumentPaths: { [tipo]: '/api/v2/otro/emision' } });
    expect((await send('POST', '/api/v2/otro/emision', other())).body).toMatchObject({ creado: true });
    expect(await send('POST', path, other())).toMatchObject({ status: 404, body: { creado: false } });
  });

  test('in ambiente 2 costs one credit once authorised', async () => {
    const account = { apiKey: 'clave-de-prueba-1', providerApproved: true, credits: 3 };
    const { send, settled, get } = await start({ accounts: [account] });
    const { body } = await send(
      'POST',
      path,
      other((b) => (b.ambiente = 2)),
    );
    await settled(body.claveacceso);
    expect((await get('/api/creditos/saldo')).body.creditos_disponibles).toBe(2);
  });
});

test.each([
  ['03', '/api/liquidacion/emision', '69'],
  ['05', '/api/debito/emision', '69'],
])('%s with consumidor final as its buyer (tabla 6)', async (_tipo, path, code) => {
  const { send, settled } = await start();
  const consumer = { tipo_identificacion: '07', identificacion: '9999999999999' };
  const { body } = await send(
    'POST',
    path,
    other((b) => (b.comprador = { ...factura().comprador, ...consumer })),
  );
  expect((await settled(body.claveacceso)).errores?.[0].identificador).toBe(code);
});

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ nombre: `n${i}`, detalle: 'd' }));

function buyerWithout(name: string) {
  const { comprador } = factura();
  delete comprador[name];
  return comprador;
}
