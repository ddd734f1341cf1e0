import { describe, expect, test } from 'vitest';
import { judged, written } from './stored.ts';
import {
  factura,
  formerNotaCredito,
  gasto,
  guiaRemision,
  notaCredito,
  otherDocument,
  retencion,
  start,
} from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;
/** What ends with which code of the authority; undefined: it is authorised. */
type Row = [rule: string, code: string | undefined, change: Change];

const consumidorFinal = { tipo_identificacion: '07', identificacion: '9999999999999' };
const buyer =
  (tipo_identificacion: string, identificacion: string): Change =>
  (b) =>
    Object.assign(b.comprador, { tipo_identificacion, identificacion });
const modified =
  (change: object): Change =>
  (b) =>
    Object.assign(b.documento_modificado, change);
const percent =
  (rate: number): Change =>
  (b) =>
    Object.assign(b.retenciones[0], { porcentaje_retencion: rate, valor_retenido: rate });
const sums =
  (change: object): Change =>
  (b) => {
    delete b.sustento.items;
    b.sustento.gastos = [{ ...gasto, ...change }];
  };

const ofFactura: Row[] = [
  ['a line break in a description', '35', (b) => (b.items[0].descripcion = 'Camiseta\nazul')],
  ['a line break in a product code', '35', (b) => (b.items[0].codigo_principal = 'SKU\n1')],
  ['an empty entry of information', '35', (b) => (b.informacion_adicional[0].detalle = '')],
  ['a payment of 3 decimals', '35', (b) => (b.pagos[0].total = 40.001)],
  ['a negative discount', '35', (b) => (b.items[1].descuento = -0.5)],
  ['a unit of time of 11', '35', (b) => (b.pagos[0].tiempo = 'x'.repeat(11))],
  ['a unit price of 7 decimals', '35', (b) => (b.items[0].precio_unitario = 17.3826091)],
  ['a discount of 3 decimals', '35', (b) => (b.items[1].descuento = 0.501)],
  ['a negative line', '35', (b) => (b.items[1].descuento = 6)],
  ['a RUC that does not end in 001', '35', (b) => (b.emisor.ruc = '1792146739002')],
  ['a special taxpayer number of 14', '35', (b) => (b.emisor.contribuyente_especial = '12345678901234')],
  [
    'a resolution that is no number',
    '35',
    (b) => Object.assign(b.emisor, { agente_retencion: true, numero_resolucion: 'NAC-1' }),
  ],
  ['a payment without its form', '35', (b) => delete b.pagos[0].tipo],
  ['a tax total without its code', '35', (b) => (b.totales = [{ valor: 5.67 }])],
  ['a guide without dashes', '35', (b) => (b.guiaremision = '001001000000001')],
  [
    '4 details on one line',
    '35',
    (b) => (b.items[0].detalles_adicionales = Array(4).fill({ nombre: 'a', detalle: 'b' })),
  ],
  ['a control character', '35', (b) => (b.comprador.razon_social = 'Ana\u0007')],
  [
    'more than 320 KB',
    '26',
    (b) => (b.items = Array(600).fill({ ...b.items[0], descripcion: 'x'.repeat(300) })),
  ],
  ['tipo_emision 2: the offline scheme knows only 1', '58', (b) => (b.tipo_emision = 2)],
  ['consumidor final with a cédula', '69', buyer('07', '2459999997')],
  ['consumidor final with thirteen nines', undefined, buyer('07', '9999999999999')],
  ['thirteen nines as a RUC', '69', buyer('04', '9999999999999')],
  ['a RUC of 10 digits', '69', buyer('04', '2459999997')],
  ['a cédula of 13 digits', '69', buyer('05', '2459999997001')],
];

const ofNotaCredito: Row[] = [
  ['a line break in the reason', '35', modified({ motivo: 'uno\ndos' })],
  ['a type of three digits', '35', modified({ codigo_documento_sustento: 101 })],
  ['a month 13', '35', modified({ fecha_documento_sustento: '2026/13/01' })],
  ['a day of the last century', '35', modified({ fecha_documento_sustento: '1999/12/31' })],
  ['a unit price of 7 decimals', '35', (b) => (b.items[0].precio_unitario = 17.3826091)],
  ['a discount of 3 decimals', '35', (b) => (b.items[0].descuento = 0.501)],
  ['a negative line', '35', (b) => (b.items[0].descuento = 20)],
  ['an empty entry of information', '35', (b) => (b.informacion_adicional = [{ nombre: 'a', detalle: '' }])],
  // It carries no address.
  ['a line break in the buyer’s address', undefined, (b) => (b.comprador.direccion = 'Calle 1\nQuito')],
  ['a document of tomorrow', '67', modified({ fecha_documento_sustento: '2026/11/21' })],
  ['a day no month has', '67', modified({ fecha_documento_sustento: '2026/02/30' })],
  ['consumidor final', '69', (b) => Object.assign(b.comprador, consumidorFinal)],
  ...[4, 6, 7, 9, 2].map((type): Row => {
    return [`a document of type ${type}`, '64', modified({ codigo_documento_sustento: type })];
  }),
  ...[1, 3, 5].map((type): Row => {
    return [`a document of type ${type}`, undefined, modified({ codigo_documento_sustento: type })];
  }),
  // The authority has no error for more than is left to credit.
  ['a thousand times what was sold', undefined, (b) => (b.items[0].cantidad = 1000)],
];

function onlyRequired(b: Parameters<Change>[0]): void {
  b.traslado = { direccion_destino: b.traslado.direccion_destino, motivo_traslado: 'Venta' };
  delete b.documento_sustento;
  delete b.informacion_adicional;
}
const ofGuia: Row[] = [
  ['no placa: the schema wants it', '35', (b) => delete b.transportista.placa],
  ['no motivo_traslado', '35', (b) => (b.traslado.motivo_traslado = '')],
  ['a line break in a name', '35', (b) => (b.destinatario.razon_social = 'a\nb')],
  ['seven decimals', '35', (b) => (b.items[0].cantidad = 1.0000001)],
  ['a negative quantity', '35', (b) => (b.items[0].cantidad = -1)],
  ['a start on a day that does not exist', '67', (b) => (b.traslado.fecha_inicio_transporte = '2026/11/31')],
  ['a start before it is issued', '82', (b) => (b.traslado.fecha_inicio_transporte = '2026/11/19')],
  ['an arrival before its start', '82', (b) => (b.traslado.fecha_inicio_transporte = '2026/11/22')],
  ['a RUC of ten digits', '69', (b) => (b.destinatario.tipo_identificacion = '04')],
  ['consumidor final', undefined, (b) => Object.assign(b.destinatario, consumidorFinal)],
  ['only what is required and what the schema wants', undefined, onlyRequired],
];

const ofRetencion: Row[] = [
  ['1.77 where 1.75 % of 100 is 1.75', undefined, (b) => (b.retenciones[0].valor_retenido = 1.77)],
  ['1.72 there', '52', (b) => (b.retenciones[0].valor_retenido = 1.72)],
  ['1.78 there', '52', (b) => (b.retenciones[0].valor_retenido = 1.78)],
  ['consumidor final', '69', (b) => Object.assign(b.proveedor, consumidorFinal)],
  ['a cédula of 13 digits', '69', (b) => (b.proveedor.tipo_identificacion = '05')],
  ['a document of tomorrow', '67', (b) => (b.sustento.fecha_documento_sustento = '2026/11/21')],
  ['a booking on 31 November', '67', (b) => (b.sustento.fecha_registro_contable = '2026/11/31')],
  ['three decimals', '35', (b) => (b.retenciones[0].valor_retenido = 1.751)],
  ['a document of 30 February', '67', (b) => (b.sustento.fecha_documento_sustento = '2026/02/30')],
  ['a negative base', '35', (b) => (b.retenciones[0].base_imponible = -1)],
  ['12.75 %: the schema has three digits', '35', percent(12.75)],
  ['100 %', undefined, percent(100)],
  ['a special taxpayer of six digits', '35', (b) => (b.emisor.contribuyente_especial = '123456')],
  [
    'the same in version 1.0.0',
    undefined,
    (b) => {
      b.emisor.contribuyente_especial = '123456';
      b.version = '1.0.0';
    },
  ],
  ['a document of type 344', undefined, (b) => (b.sustento.codigo_documento_sustento = '344')],
  [
    'one in version 1.0.0, whose schema has two digits',
    '35',
    (b) => {
      b.sustento.codigo_documento_sustento = '344';
      b.version = '1.0.0';
    },
  ],
  ['sums of three decimals', '35', sums({ subtotal_iva: 1.005 })],
  ['an ICE of 150.5 %', '35', sums({ tipo_ice: 3011, tarifa_ice: 150.5, valor_ice: 5 })],
];

const ofOther: Row[] = [
  ['consumidor final', '69', (b) => (b.comprador = { ...factura().comprador, ...consumidorFinal })],
];

describe.each([
  ['factura', '01', factura, ofFactura],
  ['liquidación de compra', '03', otherDocument, ofOther],
  ['nota de crédito', '04', notaCredito, ofNotaCredito],
  ['nota de débito', '05', otherDocument, ofOther],
  ['guía de remisión', '06', guiaRemision, ofGuia],
  ['retención', '07', retencion, ofRetencion],
] as const)('the authority judges a %s', (_, tipo, plain, rows) => {
  test.each([['nothing wrong', undefined, () => {}] satisfies Row, ...rows])(
    'with %s: %s',
    (_rule, code, change) => {
      const found = judged(written(tipo, plain(change)));
      const returned = ['26', '35', '67', '82'];
      const estado = code === undefined ? 4 : returned.includes(code) ? 5 : 6;
      expect({ code: found.code, estado: found.estado }).toEqual({ code, estado });
    },
  );
});

test.each(['01', '03', '05'])('a former nota de crédito on a document of type "%s" is authorised', (type) => {
  const body = formerNotaCredito(modified({ codigo_documento_sustento: type }));
  expect(judged(written('04', body, { dialect: 'former' })).code).toBeUndefined();
});

describe('what the authority warns of', () => {
  const known = (change?: Change, estado: 4 | 6 = 4) => ({
    ...written('01', factura(change)),
    estado,
  });

  test('is the ambiente, and a cédula with a wrong check digit (62)', () => {
    const wrong = written('01', factura(buyer('05', '2459999990')));
    expect(judged(wrong)).toMatchObject({ code: undefined, warnings: ['60', '62'] });
    expect(judged({ ...wrong, ambiente: 2 }).warnings).toEqual(['62']);
  });

  test.each<[string, '04' | '06', Parameters<typeof judged>[1], string[]]>([
    ['a document nobody has emitted', '04', [], ['60', '68']],
    ['one that is authorised', '04', [known()], ['60']],
    ['one that was refused', '04', [known(undefined, 6)], ['60', '68']],
    ['one of another issuer', '04', [known((b) => (b.emisor.ruc = '1790016919001'))], ['60', '68']],
    ['one of another point', '04', [known((b) => (b.emisor.codigo_puntoemision = '002'))], ['60', '68']],
    ['goods of a document nobody has emitted', '06', [], ['60', '68']],
    ['goods of one that is authorised', '06', [known()], ['60']],
  ])('about %s (type %s) (68)', (_, tipo, before, warnings) => {
    const body = tipo === '04' ? notaCredito() : guiaRemision();
    expect(judged(written(tipo, body), before).warnings).toEqual(warnings);
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

  test('the wrapper names state, number, instant, environment and warnings around the document', async () => {
    const { emit, settled, get } = await start();
    const { body } = await emit(factura());
    await settled(body.claveacceso);
    const { body: wrapped, headers } = await get(`/api/comprobante/xml/${body.claveacceso}`);
    expect(headers.get('x-sandbox-inferred')).toBe('true');
    expect(wrapped.replace(/<!\[CDATA\[.*\]\]>/s, '<![CDATA[…]]>')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><autorizacion><estado>AUTORIZADO</estado>' +
        `<numeroAutorizacion>${body.claveacceso}</numeroAutorizacion>` +
        '<fechaAutorizacion>2026-11-20T10:00:00-05:00</fechaAutorizacion><ambiente>PRUEBAS</ambiente>' +
        '<comprobante><![CDATA[…]]></comprobante><mensajes><mensaje><identificador>60</identificador>' +
        '<mensaje>ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS</mensaje><tipo>ADVERTENCIA</tipo></mensaje>' +
        '</mensajes></autorizacion>',
    );
  });
});
