import { describe, expect, test } from 'vitest';
import { factura, start } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

const broken: [rule: string, change: Change][] = [
  ['a line break in a description', (b) => (b.items[0].descripcion = 'Camiseta\nazul')],
  ['a line break in a product code', (b) => (b.items[0].codigo_principal = 'SKU\n1')],
  ['an empty entry of information', (b) => (b.informacion_adicional[0].detalle = '')],
  ['a unit price of 7 decimals', (b) => (b.items[0].precio_unitario = 17.3826091)],
  ['a discount of 3 decimals', (b) => (b.items[1].descuento = 0.501)],
  ['a payment of 3 decimals', (b) => (b.pagos[0].total = 40.001)],
  ['a negative discount', (b) => (b.items[1].descuento = -0.5)],
  ['a negative line', (b) => (b.items[1].descuento = 6)],
  ['a RUC that does not end in 001', (b) => (b.emisor.ruc = '1792146739002')],
  ['a special taxpayer number of 14', (b) => (b.emisor.contribuyente_especial = '12345678901234')],
  [
    'a resolution that is no number',
    (b) => Object.assign(b.emisor, { agente_retencion: true, numero_resolucion: 'NAC-1' }),
  ],
  ['a payment without its form', (b) => delete b.pagos[0].tipo],
  ['a tax total without its code', (b) => (b.totales = [{ valor: 5.67 }])],
  ['a unit of time of 11', (b) => (b.pagos[0].tiempo = 'x'.repeat(11))],
  ['a guide without dashes', (b) => (b.guiaremision = '001001000000001')],
  [
    '4 details on one line',
    (b) => (b.items[0].detalles_adicionales = Array(4).fill({ nombre: 'a', detalle: 'b' })),
  ],
  ['a control character', (b) => (b.comprador.razon_social = 'Ana\u0007')],
];

describe('what the schema of the authority refuses ends in 35', () => {
  test.each(broken)('%s', async (_rule, change) => {
    const { emit, settled } = await start();
    const { body } = await emit(factura(change));
    expect(body.creado).toBe(true);
    const document = await settled(body.claveacceso);
    expect(document).toMatchObject({ estado: 5, estado_texto: 'Devuelto', requiere_correccion: true });
    expect(document.errores[0].identificador).toBe('35');
  });
});

const receivers: [rule: string, kind: string, id: string][] = [
  ['consumidor final with a cédula', '07', '2459999997'],
  ['thirteen nines as a RUC', '04', '9999999999999'],
  ['a RUC of 10 digits', '04', '2459999997'],
  ['a cédula of 13 digits', '05', '2459999997001'],
];

describe('who the buyer is', () => {
  test.each(receivers)('%s ends in 69', async (_rule, kind, id) => {
    const { emit, settled } = await start();
    const change: Change = (b) =>
      Object.assign(b.comprador, { tipo_identificacion: kind, identificacion: id });
    const { body } = await emit(factura(change));
    expect((await settled(body.claveacceso)).errores).toMatchObject([{ identificador: '69' }]);
  });

  test('a cédula with a wrong check digit is authorised with the warning 62', async () => {
    const { emit, settled, sandbox } = await start();
    const { body } = await emit(factura((b) => (b.comprador.identificacion = '2459999990')));
    const document = await settled(body.claveacceso);
    expect(document).toMatchObject({ autorizado: true });
    expect(document).not.toHaveProperty('errores');
    expect(sandbox.documents()[0]?.advertencias.map((w) => w.identificador)).toEqual(['60', '62']);
  });

  test('consumidor final with thirteen nines is authorised', async () => {
    const { emit, settled } = await start();
    const consumer: Change = (b) =>
      Object.assign(b.comprador, { tipo_identificacion: '07', identificacion: '9999999999999' });
    const { body } = await emit(factura(consumer));
    expect((await settled(body.claveacceso)).autorizado).toBe(true);
  });
});

describe('authorisation', () => {
  test('comes later: the document is in process until then', async () => {
    const { emit, get } = await start({ authorizeDelayMs: 60_000 });
    const { body } = await emit(factura());
    const consult = await get(`/api/comprobante/consulta/${body.claveacceso}`);
    expect(consult.body).toMatchObject({
      success: true,
      estado: 1,
      estado_texto: 'En procesamiento',
      autorizado: false,
      requiere_correccion: false,
      numero_autorizacion: null,
    });
    expect((await get(`/api/comprobante/xml/${body.claveacceso}`)).status).toBe(404);
    expect((await get(`/api/comprobante/pdf/${body.claveacceso}`)).status).toBe(404);
  });

  test('tipo_emision 2 ends in 58: the offline scheme knows only 1', async () => {
    const { emit, settled } = await start();
    const { body } = await emit(factura((b) => (b.tipo_emision = 2)));
    expect((await settled(body.claveacceso)).errores).toMatchObject([{ identificador: '58' }]);
  });

  test('a document above 320 KB ends in 26', async () => {
    const { emit, settled } = await start();
    const long = (b: ReturnType<typeof factura>) => {
      b.items = Array.from({ length: 600 }, () => ({ ...b.items[0], descripcion: 'x'.repeat(300) }));
      delete b.pagos;
    };
    const { body } = await emit(factura(long));
    expect((await settled(body.claveacceso)).errores).toMatchObject([{ identificador: '26' }]);
  });

  test('the wrapper names state, number, instant, environment and warnings around the document', async () => {
    const { emit, settled, get } = await start();
    const { body } = await emit(factura());
    await settled(body.claveacceso);
    const { body: wrapped } = await get(`/api/comprobante/xml/${body.claveacceso}`);
    expect(wrapped.replace(/<!\[CDATA\[.*\]\]>/s, '<![CDATA[…]]>')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><autorizacion><estado>AUTORIZADO</estado>' +
        `<numeroAutorizacion>${body.claveacceso}</numeroAutorizacion>` +
        '<fechaAutorizacion>2026-11-20T10:00:00-05:00</fechaAutorizacion><ambiente>PRUEBAS</ambiente>' +
        '<comprobante><![CDATA[…]]></comprobante><mensajes><mensaje><identificador>60</identificador>' +
        '<mensaje>ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS</mensaje><tipo>ADVERTENCIA</tipo></mensaje>' +
        '</mensajes></autorizacion>',
    );
  });

  test('reprocessing a refused document sends it again; an authorised one needs none', async () => {
    const { emit, settled, send, sandbox } = await start();
    sandbox.faults.add({ outcome: { identificacion: '2459999997', codigo: 39, times: 1 } });
    const { body } = await emit(factura());
    expect((await settled(body.claveacceso)).errores).toMatchObject([{ identificador: '39' }]);
    const again = await send('POST', '/api/comprobante/reprocesar', { claveacceso: body.claveacceso });
    expect(again).toMatchObject({ status: 200, body: { success: true } });
    expect((await settled(body.claveacceso)).autorizado).toBe(true);
    const needless = await send('POST', '/api/comprobante/reprocesar', { claveacceso: body.claveacceso });
    expect(needless).toMatchObject({ status: 409, body: { success: false } });
  });
});
