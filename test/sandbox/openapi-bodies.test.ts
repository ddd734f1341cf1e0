import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { described, expectDescribed } from './described.ts';
import { apiKey, factura, guiaRemision, listen, notaCredito, retencion, start } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a description is read in many places.
type Loose = any;

const read = async (): Promise<Loose> => (await described((await start()).sandbox)).description;

describe('bodies', () => {
  test.each([
    ['emitir_factura', 'Factura'],
    ['emitir_nota_credito', 'NotaCredito'],
    ['emitir_nota_debito', 'OtroComprobante'],
    ['emitir_guia_remision', 'GuiaRemision'],
    ['emitir_retencion', 'ComprobanteRetencion'],
  ])('%s takes %s', async (id, name) => {
    const items = Object.values<Loose>((await read()).paths);
    const found = items.flatMap((item) => Object.values<Loose>(item)).find((one) => one.operationId === id);
    expect(found.requestBody.content).toEqual({
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
    });
  });

  test.each<[schema: string, field: string, rule: object]>([
    ['Emisor', 'nombre_comercial', { maxLength: 300 }],
    ['Emisor', 'contribuyente_especial', { maxLength: 50 }],
    ['Emisor', 'ruc', { pattern: '^\\d{13}$' }],
    ['Emisor', 'obligado_contabilidad', { enum: ['SI', 'NO'] }],
    ['Comprador', 'identificacion', { maxLength: 20 }],
    ['Item', 'codigo_principal', { maxLength: 25 }],
    ['Item', 'tipo_iva', { enum: [0, 2, 3, 4, 5, 6, 7, 8, 10] }],
    ['Item', 'tipo_irbpnr', { enum: [0, 5001] }],
    ['Pago', 'tipo', { type: 'integer' }],
    ['Factura', 'items', { minItems: 1 }],
    ['Factura', 'informacion_adicional', { maxItems: 14 }],
    ['Factura', 'ambiente', { enum: [1, 2] }],
    ['Detalle', 'nombre', { maxLength: 300 }],
    ['Transportista', 'placa', { maxLength: 20 }],
    ['DocumentoSustento', 'numero_documento_sustento', { pattern: '^\\d{15}$' }],
    ['Retencion', 'codigoimpuesto', { enum: [1, 2, 6] }],
  ])('the description of %s.%s tells its rule', async (schema, field, rule) => {
    const { components } = await read();
    expect(components.schemas[schema].properties[field]).toMatchObject(rule);
  });

  test.each([
    ['subirfirma', 'firma_file', 'firma_base64', 10, ['password', 'ruc']],
    ['subirlogo', 'logo_file', 'logo_base64', 2, ['ruc']],
  ])('%s takes %s by multipart or %s by JSON, of %i MB at most', async (route, file, base64, most, texts) => {
    const { paths } = await read();
    const { content } = paths[`/api/empresa/${route}`].post.requestBody;
    const form = content['multipart/form-data'].schema;
    const json = content['application/json'].schema;
    expect([...form.required].sort()).toEqual([...texts, file].sort());
    expect([...json.required].sort()).toEqual([...texts, base64].sort());
    // Raw bytes have no type in OpenAPI 3.1.
    expect(form.properties[file]).toEqual({
      contentMediaType: 'application/octet-stream',
      maxLength: most * 1024 * 1024,
    });
    expect(Buffer.alloc(most * 1024 * 1024).toString('base64').length).toBe(
      json.properties[base64].maxLength,
    );
  });

  test.each([
    ['Factura', factura()],
    ['NotaCredito', notaCredito()],
    ['GuiaRemision', guiaRemision()],
    ['ComprobanteRetencion', retencion()],
  ])(
    'a body the sandbox takes is one of %s; an unknown name or a number as text is none',
    async (name, body) => {
      const { sandbox } = await start();
      const check = (await described(sandbox)).check('components', 'schemas', name);
      expect(check(body)).toBeNull();
      expect(check({ ...body, correo: 'x' })).not.toBeNull();
      expect(check({ ...body, ambiente: '1' })).not.toBeNull();
      const rows = body.retenciones ? 'retenciones' : 'items';
      expect(check({ ...body, [rows]: [] })).not.toBeNull();
    },
  );
});

describe('webhooks', () => {
  test('tell the events, those the specification shows unmarked', async () => {
    const { webhooks } = await read();
    const marked = Object.entries<Loose>(webhooks).filter(([, { post }]) => post['x-inferred']);
    expect(Object.keys(webhooks).sort()).toEqual([
      'comprobante.autorizado',
      'comprobante.error',
      'verificacion.finalizada',
      'webhook.prueba',
    ]);
    expect(marked.map(([name]) => name).sort()).toEqual(['verificacion.finalizada', 'webhook.prueba']);
  });

  test('every delivery is as described, headers and body', async () => {
    const hook = await listen();
    const webhook = { url: hook.url, secret: 'secreto-de-prueba' };
    const { emit, send, sandbox } = await start({
      accounts: [{ apiKey, webhook, beta: true }],
      allowLoopbackWebhooks: true,
    });
    await emit(factura());
    sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    await eventually(() => hook.received.length === 1, 'the first event');
    await emit(factura((b) => (b.emisor.secuencial = '124')));
    await send('POST', '/__sandbox/webhook-prueba');
    const { body } = await send('POST', '/api/id/verificaciones', {
      tipo: 'completa',
      webhook_url: hook.url,
    });
    await send('POST', `/__sandbox/verificaciones/${body.id}`, { estado: 'aprobada' });
    await eventually(() => hook.received.length === 4, 'four events');
    const { check, description } = await described(sandbox);
    for (const { body, headers } of hook.received) {
      const steps = ['webhooks', body.evento, 'post'];
      const content = ['requestBody', 'content', 'application/json', 'schema'];
      expect(check(...steps, ...content)(body), body.evento).toBeNull();
      description.webhooks[body.evento].post.parameters.forEach(({ name }: Loose, index: number) => {
        const value = headers[name.toLowerCase()];
        expect(check(...steps, 'parameters', String(index), 'schema')(value), name).toBeNull();
      });
    }
    expect(hook.received.map(({ body }) => body.evento).sort()).toEqual([
      'comprobante.autorizado',
      'comprobante.error',
      'verificacion.finalizada',
      'webhook.prueba',
    ]);
  });
});

describe('the check that every test of the sandbox makes of every answer', () => {
  test.each<[string, unknown]>([
    ['a field that is not described', { success: true, sobra: 1 }],
    ['a field of another type', { success: true, creditos_disponibles: 'mucho' }],
    ['nothing that is described', {}],
  ])('refuses %s', async (_says, body) => {
    const { sandbox, get } = await start();
    const steps = ['paths', '/api/creditos/saldo', 'get', 'responses', '200', 'content', 'application/json'];
    const check = (await described(sandbox)).check(...steps, 'schema');
    const { body: real } = await get('/api/creditos/saldo');
    expect(check(real)).toBeNull();
    expect(
      check(Object.keys(body as object).length > 0 ? { ...real, ...(body as object) } : body),
    ).not.toBeNull();
  });

  test.each<[string, string, number, Record<string, string>]>([
    ['a success that is not described', '/api/creditos/saldo', 204, { 'content-type': 'application/json' }],
    ['another media type', '/api/creditos/saldo', 401, { 'content-type': 'text/html' }],
    ['a success where no operation is', '/api/creditos', 200, { 'content-type': 'application/json' }],
    [
      'a mark of an inferred answer that the description does not tell',
      '/api/creditos/saldo',
      401,
      { 'content-type': 'application/json', 'x-sandbox-inferred': 'true' },
    ],
  ])('refuses %s', async (_says, path, status, headers) => {
    const { sandbox } = await start();
    const body = { success: false, message: 'No.' };
    const answer = { status, headers: new Headers(headers), body };
    await expect(expectDescribed(sandbox, undefined, 'GET', path, answer)).rejects.toThrow(
      'not as described',
    );
  });
});
