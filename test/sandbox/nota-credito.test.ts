import { describe, expect, test } from 'vitest';
import { hasShared, readShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { type Client, factura, formerNotaCredito, notaCredito, start } from './support.ts';

type Change = NonNullable<Parameters<typeof notaCredito>[0]>;

/** Emits a nota de crédito and answers the consult's body once the authority has decided. */
async function decided({ sandbox, credit, settled }: Client, change?: Change) {
  const { body } = await credit((sandbox.dialect === 'former' ? formerNotaCredito : notaCredito)(change));
  expect(body).toMatchObject({ creado: true });
  return settled(body.claveacceso);
}

/** The document inside the authority's wrapper. */
async function authorisedXml(client: Client, change?: Change): Promise<string> {
  const { claveacceso, autorizado } = await decided(client, change);
  expect(autorizado).toBe(true);
  const { body } = await client.get(`/api/comprobante/xml/${claveacceso}`);
  return /<!\[CDATA\[(.*)\]\]>/s.exec(body)?.[1] ?? '';
}

/** Every field the body has, so that every element the sandbox can write is written. */
const everything: Change = (b) => {
  Object.assign(b.emisor, {
    contribuyente_especial: '826',
    agente_retencion: true,
    numero_resolucion: '1',
    regimen_rimpe: true,
  });
  Object.assign(b.items[0], {
    codigo_auxiliar: 'AUX-1',
    descuento: 0.5,
    detalles_adicionales: [{ nombre: 'Talla', detalle: 'M' }],
    subsidio: 0.5,
    unidad_medida: 1,
  });
  b.informacion_adicional = [{ nombre: 'Pedido', detalle: '#1001' }];
};

describe('the XML of an authorised nota de crédito', () => {
  test('has the elements of nota de crédito 1.1.0 in the order of its schema', async () => {
    const xml = await authorisedXml(await start(), everything);
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><notaCredito id="comprobante" version="1.1.0">/,
    );
    const tags = [...xml.matchAll(/<([A-Za-z]+)[ >/]/g)].map((match) => match[1]);
    expect([...new Set(tags)]).toEqual(
      (
        'notaCredito infoTributaria ambiente tipoEmision razonSocial nombreComercial ruc claveAcceso codDoc estab ' +
        'ptoEmi secuencial dirMatriz agenteRetencion contribuyenteRimpe infoNotaCredito fechaEmision ' +
        'dirEstablecimiento tipoIdentificacionComprador razonSocialComprador identificacionComprador ' +
        'contribuyenteEspecial obligadoContabilidad codDocModificado numDocModificado fechaEmisionDocSustento ' +
        'totalSinImpuestos valorModificacion moneda totalConImpuestos totalImpuesto codigo codigoPorcentaje ' +
        'baseImponible valor motivo detalles detalle codigoInterno codigoAdicional descripcion cantidad ' +
        'precioUnitario descuento precioTotalSinImpuesto detallesAdicionales detAdicional impuestos impuesto tarifa ' +
        'infoAdicional campoAdicional'
      ).split(' '),
    );
  });

  test('carries no tarifa in its totals', async () => {
    const xml = await authorisedXml(await start());
    expect(/<totalImpuesto>.*<\/totalImpuesto>/.exec(xml)?.[0]).toBe(
      '<totalImpuesto><codigo>2</codigo><codigoPorcentaje>4</codigoPorcentaje>' +
        '<baseImponible>17.38</baseImponible><valor>2.61</valor></totalImpuesto>',
    );
  });

  test.each([
    ['with dashes', '01', '001-002-000000123'],
    ['without dashes', '01', '001002000000123'],
    ['with its type as a number', 1, '001-002-000000123'],
  ])('writes the modified document %s the way the authority does', async (_rule, tipo, numero) => {
    const xml = await authorisedXml(await start({ dialect: 'former' }), (b) => {
      Object.assign(b.documento_modificado, {
        codigo_documento_sustento: tipo,
        numero_documento_sustento: numero,
        fecha_documento_sustento: '2025/01/31',
      });
    });
    expect(xml).toContain(
      '<codDocModificado>01</codDocModificado><numDocModificado>001-002-000000123</numDocModificado>' +
        '<fechaEmisionDocSustento>31/01/2025</fechaEmisionDocSustento>',
    );
  });

  test.skipIf(!hasShared)('is valid by NotaCredito_V1.1.0.xsd with every field present', async () => {
    const validate = openXsd('NotaCredito_V1.1.0.xsd');
    const client = await start({ accounts: [{ apiKey: 'clave-de-prueba-1', providerApproved: true }] });
    validate(await authorisedXml(client, everything));
  });

  test.skipIf(!hasShared)('says the same as the synthetic sample, figure by figure', async () => {
    const sample = readShared('data/sri/samples/S2-SINTETICA-notacredito-v1.1.0-iva15-parcial.xml');
    const ours = await authorisedXml(await start(), (b) => {
      b.documento_modificado.motivo = 'DEVOLUCION PARCIAL PEDIDO 1001';
      b.items[0].descripcion = 'CAMISETA';
    });
    const between = (xml: string) => /<codDocModificado>.*<\/detalles>/s.exec(xml)?.[0];
    expect(between(ours)).toBe(between(sample));
  });
});

describe('what the authority asks of a nota de crédito', () => {
  test('a buyer: consumidor final cannot have one (69)', async () => {
    const consumer: Change = (b) =>
      Object.assign(b.comprador, { tipo_identificacion: '07', identificacion: '9999999999999' });
    expect(await decided(await start(), consumer)).toMatchObject({
      estado: 6,
      requiere_correccion: true,
      errores: [{ identificador: '69', informacionAdicional: expect.stringContaining('consumidor final') }],
    });
  });

  test.each([4, 6, 7, 9, 2])('a type that can be modified: %s cannot (64)', async (tipo) => {
    const change: Change = (b) => (b.documento_modificado.codigo_documento_sustento = tipo);
    expect((await decided(await start(), change)).errores).toMatchObject([{ identificador: '64' }]);
  });

  test.each(['01', '03', '05', 1, 3, 5])('a type that can be modified: %s can', async (tipo) => {
    const change: Change = (b) => (b.documento_modificado.codigo_documento_sustento = tipo);
    const dialect = typeof tipo === 'string' ? 'former' : 'described';
    expect((await decided(await start({ dialect }), change)).autorizado).toBe(true);
  });

  test.each([
    ['tomorrow', '2026/11/21'],
    ['a day no month has', '2026/02/30'],
  ])('a date of the modified document that can be: %s cannot (67)', async (_rule, fecha) => {
    const change: Change = (b) => (b.documento_modificado.fecha_documento_sustento = fecha);
    expect(await decided(await start(), change)).toMatchObject({
      estado: 5,
      errores: [{ identificador: '67' }],
    });
  });

  test.each([
    ['a line break in the reason', (b) => (b.documento_modificado.motivo = 'uno\ndos')],
    ['a type of three digits', (b) => (b.documento_modificado.codigo_documento_sustento = 101)],
    ['a month 13', (b) => (b.documento_modificado.fecha_documento_sustento = '2026/13/01')],
    ['a day of the last century', (b) => (b.documento_modificado.fecha_documento_sustento = '1999/12/31')],
    ['a unit price of 7 decimals', (b) => (b.items[0].precio_unitario = 17.3826091)],
    ['a discount of 3 decimals', (b) => (b.items[0].descuento = 0.501)],
    ['a line break in a description', (b) => (b.items[0].descripcion = 'a\nb')],
    ['a negative line', (b) => (b.items[0].descuento = 20)],
    ['an empty entry of information', (b) => (b.informacion_adicional = [{ nombre: 'a', detalle: '' }])],
  ] satisfies [string, Change][])('its schema: %s ends in 35', async (_rule, change) => {
    const { estado, errores } = await decided(await start(), change);
    expect(estado).toBe(5);
    expect(errores[0]).toMatchObject({ identificador: '35', mensaje: 'DOCUMENTO INVÁLIDO' });
  });

  test('a line break in the buyer’s address harms a factura (35), not a nota de crédito, which has no address', async () => {
    const client = await start();
    const change: Change = (b) => (b.comprador.direccion = 'Calle 1\nQuito');
    expect((await decided(client, change)).autorizado).toBe(true);
    const { body } = await client.emit(factura(change));
    expect((await client.settled(body.claveacceso)).errores).toMatchObject([{ identificador: '35' }]);
  });

  test('figures within 0.02 (52 beyond): what the totals state', async () => {
    const client = await start({ dialect: 'former' });
    const stated = (valor: number): Change => {
      return (b) => {
        delete b.emisor.secuencial;
        b.totales = [{ codigo: '2', codigo_porcentaje: '4', valor }];
      };
    };
    expect((await decided(client, stated(2.63))).autorizado).toBe(true);
    expect((await decided(client, stated(2.64))).errores).toMatchObject([{ identificador: '52' }]);
  });

  test('nothing of what is left to credit: the authority has no error for that', async () => {
    const client = await start();
    await client.settled((await client.emit(factura())).body.claveacceso);
    expect((await decided(client, (b) => (b.items[0].cantidad = 1000))).autorizado).toBe(true);
  });
});

describe('the warning 68, that the modified document does not exist as electronic', () => {
  const warnings = async (client: Client, change?: Change) => {
    const { claveacceso, autorizado } = await decided(client, change);
    expect(autorizado).toBe(true);
    const document = client.sandbox.documents().find((d) => d.claveacceso === claveacceso);
    return document?.advertencias.map((warning) => warning.identificador);
  };

  test('comes with a number nobody has emitted, and the nota de crédito is authorised', async () => {
    expect(await warnings(await start())).toEqual(['60', '68']);
  });

  test('is not there once that factura is authorised', async () => {
    const client = await start();
    await client.settled((await client.emit(factura())).body.claveacceso);
    expect(await warnings(client)).toEqual(['60']);
  });

  test.each<[string, Change]>([
    ['was refused', (b) => (b.pagos[0].total = 1)],
    ['belongs to another issuer', (b) => (b.emisor.ruc = '1790016919001')],
    ['has another point of emission', (b) => (b.emisor.codigo_puntoemision = '002')],
  ])('comes when the factura of that number %s', async (_rule, change) => {
    const client = await start();
    await client.settled((await client.emit(factura(change))).body.claveacceso);
    expect(await warnings(client)).toEqual(['60', '68']);
  });
});
