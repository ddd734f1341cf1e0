import { describe, expect, test } from 'vitest';
import { writeDocument } from '../../sandbox/emulator/authority/xml/document.ts';
import { written } from './stored.ts';
import { factura, formerNotaCredito, guiaRemision, notaCredito, retencion } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

const ofFactura = (change?: Change) => writeDocument(written('01', factura(change)));
const ofNota = (change?: Change) => writeDocument(written('04', notaCredito(change)));
const ofGuia = (change?: Change) => writeDocument(written('06', guiaRemision(change)));
const ofRetencion = (change?: Change) => writeDocument(written('07', retencion(change)));

// Every field the bodies have, so that every element the sandbox can write is written.
const ofEverybody: Change = (b) => {
  Object.assign(b.emisor, { contribuyente_especial: '826', agente_retencion: true, numero_resolucion: '1' });
};
const ofSale: Change = (b) => {
  ofEverybody(b);
  Object.assign(b.items[0], {
    codigo_auxiliar: 'AUX <1> & "2"',
    unidad_medida: 1,
    subsidio: 0.5,
    detalles_adicionales: [{ nombre: 'Talla "M"', detalle: 'a < b & c > d]]>' }],
  });
};
const wholeFactura: Change = (b) => {
  ofSale(b);
  b.emisor.regimen_rimpe_popular = true;
  Object.assign(b, { guiaremision: '001-001-000000009', placa: 'PBA-1234', codigoDoc: '01' });
  b.pagos = [{ tipo: 1, total: 47.98, plazo: 30, tiempo: 'dias' }];
};
const wholeNota: Change = (b) => {
  ofSale(b);
  b.emisor.regimen_rimpe = true;
  b.items[0].descuento = 0.5;
  b.informacion_adicional = [{ nombre: 'Pedido', detalle: '#1001' }];
};
const wholeGuia: Change = (b) => {
  Object.assign(b.emisor, { contribuyente_especial: '826', contribuyente_rimpe: 'SI' });
  b.traslado.codigo_establecimiento_destino = 2;
  b.documento_sustento.documento_aduanero = '028-2026-40-01234567';
  Object.assign(b.items[0], {
    codigo_auxiliar: 'AUX-9',
    unidad_medida: 1,
    detalles_adicionales: [{ nombre: 'Talla', detalle: 'M' }],
  });
};

const issuer =
  'infoTributaria ambiente tipoEmision razonSocial nombreComercial ruc claveAcceso codDoc estab ptoEmi secuencial ' +
  'dirMatriz';

const elements: [root: string, xml: () => string, names: string][] = [
  [
    'factura',
    () => ofFactura(wholeFactura),
    `${issuer} agenteRetencion contribuyenteRimpe infoFactura fechaEmision dirEstablecimiento ` +
      'contribuyenteEspecial obligadoContabilidad tipoIdentificacionComprador guiaRemision razonSocialComprador ' +
      'identificacionComprador direccionComprador totalSinImpuestos totalSubsidio totalDescuento totalConImpuestos ' +
      'totalImpuesto codigo codigoPorcentaje baseImponible tarifa valor propina importeTotal moneda placa pagos pago ' +
      'formaPago total plazo unidadTiempo detalles detalle codigoPrincipal codigoAuxiliar descripcion unidadMedida ' +
      'cantidad precioUnitario precioSinSubsidio descuento precioTotalSinImpuesto detallesAdicionales detAdicional ' +
      'impuestos impuesto infoAdicional campoAdicional',
  ],
  [
    'notaCredito',
    () => ofNota(wholeNota),
    `${issuer} agenteRetencion contribuyenteRimpe infoNotaCredito fechaEmision ` +
      'dirEstablecimiento tipoIdentificacionComprador razonSocialComprador identificacionComprador ' +
      'contribuyenteEspecial obligadoContabilidad codDocModificado numDocModificado fechaEmisionDocSustento ' +
      'totalSinImpuestos valorModificacion moneda totalConImpuestos totalImpuesto codigo codigoPorcentaje ' +
      'baseImponible valor motivo detalles detalle codigoInterno codigoAdicional descripcion cantidad ' +
      'precioUnitario descuento precioTotalSinImpuesto detallesAdicionales detAdicional impuestos impuesto tarifa ' +
      'infoAdicional campoAdicional',
  ],
];

test.each(elements)('the XML of a %s has every element, in the order of its schema', (root, xml, names) => {
  const head = `<?xml version="1.0" encoding="UTF-8"?><${root} id="comprobante" version="1.1.0">`;
  expect(xml().slice(0, head.length)).toBe(head);
  const opened = [...xml().matchAll(/<([A-Za-z]+)[ >/]/g)].map(([, name]) => name);
  expect([...new Set(opened)].join(' ')).toBe(`${root} ${names}`);
});

describe('what the elements say', () => {
  test('what XML reserves is escaped, also inside the CDATA section', () => {
    const xml = ofFactura(wholeFactura);
    expect(xml).toContain('<codigoAuxiliar>AUX &lt;1&gt; &amp; "2"</codigoAuxiliar>');
    expect(xml).toContain(
      '<detAdicional nombre="Talla &quot;M&quot;" valor="a &lt; b &amp; c &gt; d]]&gt;"/>',
    );
  });

  test('the regime of the issuer is in the words of the ficha', () => {
    expect(ofFactura(wholeFactura)).toContain('>CONTRIBUYENTE NEGOCIO POPULAR - RÉGIMEN RIMPE<');
    expect(ofGuia(wholeGuia)).toContain('>CONTRIBUYENTE RÉGIMEN RIMPE<');
  });

  test('a subsidy shows the price without it', () => {
    const xml = ofFactura((b) => (b.items[0].subsidio = 0.5));
    expect(xml).toContain('<precioSinSubsidio>17.882609</precioSinSubsidio>');
    expect(xml).toContain('<totalSubsidio>1.00</totalSubsidio>');
  });

  test.each([
    ['with dashes', '01', '001-002-000000123'],
    ['with its type as a number', 1, '001-002-000000123'],
  ])('the document a former nota de crédito modifies, %s, is written as the authority does', (_, ...sent) => {
    const [codigo_documento_sustento, numero_documento_sustento] = sent;
    const fecha_documento_sustento = '2025/01/31';
    const body = formerNotaCredito((b) =>
      Object.assign(b.documento_modificado, {
        ...{ codigo_documento_sustento, numero_documento_sustento, fecha_documento_sustento },
      }),
    );
    expect(writeDocument(written('04', body, { dialect: 'former' }))).toContain(
      '<codDocModificado>01</codDocModificado><numDocModificado>001-002-000000123</numDocModificado>' +
        '<fechaEmisionDocSustento>31/01/2025</fechaEmisionDocSustento>',
    );
  });

  test('a guía writes numbers as the authority does, a retención its month', () => {
    expect(ofGuia(wholeGuia)).toContain('<codEstabDestino>002</codEstabDestino>');
    expect(ofGuia(wholeGuia)).toContain('<numDocSustento>001-001-000000123</numDocSustento>');
    expect(ofRetencion()).toContain('<periodoFiscal>11/2026</periodoFiscal>');
  });
});
