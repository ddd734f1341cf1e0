import { describe, expect, test } from 'vitest';
import { hasShared, readShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { factura, start } from './support.ts';

/** Emits, waits for the authorisation and answers the document inside the wrapper. */
async function authorised(change?: Parameters<typeof factura>[0], options = {}): Promise<string> {
  const { emit, settled, get } = await start(options);
  const { body } = await emit(factura(change));
  expect(await settled(body.claveacceso)).toMatchObject({ autorizado: true });
  const { body: wrapper, headers } = await get(`/api/comprobante/xml/${body.claveacceso}`);
  expect(headers.get('content-type')).toContain('application/xml');
  expect(headers.get('x-sandbox-inferred')).toBe('true');
  const inner = /<!\[CDATA\[(.*)\]\]>/s.exec(wrapper)?.[1];
  if (!inner) throw new Error(`no document in ${wrapper}`);
  return inner;
}

/** Every field the body has, so that every element the sandbox can write is written. */
const everything: Parameters<typeof factura>[0] = (b) => {
  Object.assign(b.emisor, {
    contribuyente_especial: '826',
    agente_retencion: true,
    numero_resolucion: '1',
    regimen_rimpe_popular: true,
  });
  Object.assign(b, {
    guiaremision: '001-001-000000009',
    placa: 'PBA-1234',
    tipo_emision: 1,
    codigoDoc: '01',
  });
  b.items[0] = {
    ...b.items[0],
    codigo_auxiliar: 'AUX <1> & "2"',
    unidad_medida: 1,
    subsidio: 0.5,
    detalles_adicionales: [{ nombre: 'Talla "M"', detalle: 'a < b & c > d]]>' }],
  };
  b.pagos = [{ tipo: 1, total: 47.98, plazo: 30, tiempo: 'dias' }];
};

/** The names of a document's opening tags, in order. */
const tags = (xml: string) => [...xml.matchAll(/<([A-Za-z]+)[ >/]/g)].map((match) => match[1]);

describe('the XML of an authorised factura', () => {
  test('has the elements of factura 1.1.0 in the order of its schema', async () => {
    const xml = await authorised(everything);
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><factura id="comprobante" version="1.1.0">/,
    );
    expect([...new Set(tags(xml))]).toEqual(
      (
        'factura infoTributaria ambiente tipoEmision razonSocial nombreComercial ruc claveAcceso codDoc estab ptoEmi ' +
        'secuencial dirMatriz agenteRetencion contribuyenteRimpe infoFactura fechaEmision dirEstablecimiento ' +
        'contribuyenteEspecial obligadoContabilidad tipoIdentificacionComprador guiaRemision razonSocialComprador ' +
        'identificacionComprador direccionComprador totalSinImpuestos totalSubsidio totalDescuento totalConImpuestos ' +
        'totalImpuesto codigo codigoPorcentaje baseImponible tarifa valor propina importeTotal moneda placa pagos pago ' +
        'formaPago total plazo unidadTiempo detalles detalle codigoPrincipal codigoAuxiliar descripcion unidadMedida ' +
        'cantidad precioUnitario precioSinSubsidio descuento precioTotalSinImpuesto detallesAdicionales detAdicional ' +
        'impuestos impuesto infoAdicional campoAdicional'
      ).split(' '),
    );
  });

  test('escapes what XML reserves, also inside the CDATA section', async () => {
    const xml = await authorised(everything);
    expect(xml).toContain('<codigoAuxiliar>AUX &lt;1&gt; &amp; "2"</codigoAuxiliar>');
    expect(xml).toContain(
      '<detAdicional nombre="Talla &quot;M&quot;" valor="a &lt; b &amp; c &gt; d]]&gt;"/>',
    );
  });

  test.skipIf(!hasShared)(
    'says of the synthetic sample the same as the sample, figure by figure',
    async () => {
      const sample = readShared(
        'data/sri/samples/S1-SINTETICA-factura-v2.1.0-iva15-iva0-descuento-2pagos-envio.xml',
      );
      const block = (xml: string, name: string) => new RegExp(`<${name}>.*?</${name}>`, 's').exec(xml)?.[0];
      const ours = await authorised((b) => {
        b.items[0].descripcion = 'CAMISETA';
        b.items[1].descripcion = 'LIBRO';
        b.items[2].descripcion = 'ENVIO';
      });
      for (const name of [
        'totalSinImpuestos',
        'totalDescuento',
        'totalConImpuestos',
        'importeTotal',
        'pagos',
        'detalles',
      ]) {
        expect(block(ours, name)).toBe(block(sample, name));
      }
    },
  );

  test.skipIf(!hasShared).each([
    ['the plain one', undefined, {}],
    ['the one with every field', everything, {}],
    ['the one without payments', (b: Record<string, unknown>) => void delete b.pagos, {}],
    [
      'the one with RUC Proveedor',
      undefined,
      { accounts: [{ apiKey: 'clave-de-prueba-1', providerApproved: true }] },
    ],
  ] as const)('%s is valid by factura_V1.1.0.xsd', async (_rule, change, options) => {
    openXsd('factura_V1.1.0.xsd')(await authorised(change, options));
  });
});
