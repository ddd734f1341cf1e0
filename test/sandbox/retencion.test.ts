import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structureFaults } from '../../sandbox/emulator/authority/structure.ts';
import { writeDocument } from '../../sandbox/emulator/authority/xml/document.ts';
import type { RetencionDocument } from '../../sandbox/emulator/emission/documents.ts';
import { type Contents, retencion as kind } from '../../sandbox/emulator/emission/kinds.ts';
import { sustentoFigures } from '../../sandbox/emulator/emission/retencion.ts';
import { eventually } from '../support/eventually.ts';
import { pdfPages } from '../support/pdf-text.ts';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { spoilt } from './generated-bodies.ts';
import { retencionBodies as bodies } from './generated-guia-retencion.ts';
import { stored } from './stored.ts';
import { apiKey, gasto, listen, retencion, start, today } from './support.ts';

type Change = NonNullable<Parameters<typeof retencion>[0]>;
const route = '/api/retencion/emision';

/** Emits it and answers how it ends. */
async function ended(change?: Change) {
  const { send, settled } = await start();
  const { body } = await send('POST', route, retencion(change));
  expect(body).toMatchObject({ creado: true });
  return settled(body.claveacceso);
}

const read = (body: unknown): RetencionDocument => {
  const checked = kind.read(body, today);
  if ('errors' in checked) throw new Error(checked.errors.join('\n'));
  return stored(checked.body as Extract<Contents, { tipo: '07' }>) as RetencionDocument;
};
const gastos =
  (...sums: object[]): Change =>
  (b) => {
    delete b.sustento.items;
    b.sustento.gastos = sums;
  };

describe('a retención', () => {
  test('is created, authorised, consulted and told like any document, as type 07', async () => {
    const hook = await listen();
    const webhook = { url: hook.url, secret: 'secreto-de-prueba' };
    const { send, settled, sandbox } = await start({
      accounts: [{ apiKey, webhook }],
      allowLoopbackWebhooks: true,
    });
    const { body, headers } = await send('POST', route, retencion());
    expect(body).toMatchObject({
      creado: true,
      claveacceso: expect.stringMatching(/^2011202607179214673900110010010000000/),
      estado: 'En procesamiento',
      mensaje: expect.stringContaining('Comprobante de retención 001-001-000000041'),
    });
    expect(headers.get('x-sandbox-inferred')).toBe('true');
    const state = { tipo_comprobante: '07', numero: '001-001-000000041', estado: 4, autorizado: true };
    expect(await settled(body.claveacceso)).toMatchObject({ success: true, ...state });
    await eventually(() => hook.received.length === 1, 'the event');
    expect(hook.received[0]?.body).toMatchObject({ evento: 'comprobante.autorizado', ...state });
    // The supplier's document is not this issuer's: nobody here can know it.
    expect(sandbox.documents()[0]?.advertencias.map(({ identificador }) => identificador)).toEqual(['60']);
  });

  test.each<[string, string | undefined, Change]>([
    ['of 1.77 where 1.75 % of 100 is 1.75', undefined, (b) => (b.retenciones[0].valor_retenido = 1.77)],
    ['of 1.78', '52', (b) => (b.retenciones[0].valor_retenido = 1.78)],
    ['of 1.72', '52', (b) => (b.retenciones[0].valor_retenido = 1.72)],
    [
      'from consumidor final',
      '69',
      (b) => Object.assign(b.proveedor, { tipo_identificacion: '07', identificacion: '9999999999999' }),
    ],
    ['from a cédula of 13 digits', '69', (b) => (b.proveedor.tipo_identificacion = '05')],
    ['from a magic buyer', '46', (b) => (b.proveedor.identificacion = '2459900466001')],
    ['on a document of tomorrow', '67', (b) => (b.sustento.fecha_documento_sustento = '2026/11/21')],
    ['on a document of 30 February', '67', (b) => (b.sustento.fecha_documento_sustento = '2026/02/30')],
    ['booked on 31 November', '67', (b) => (b.sustento.fecha_registro_contable = '2026/11/31')],
    ['of a negative base', '35', (b) => (b.retenciones[0].base_imponible = -1)],
    ['of three decimals', '35', (b) => (b.retenciones[0].valor_retenido = 1.751)],
    ['of 12.75 %: the schema has three digits', '35', percent(12.75)],
    ['of 100 %', undefined, percent(100)],
    ['with a line break in an entry', '35', (b) => (b.informacion_adicional[0].detalle = 'a\nb')],
    ['of a special taxpayer of six digits', '35', (b) => (b.emisor.contribuyente_especial = '123456')],
    [
      'of the same in version 1.0.0',
      undefined,
      (b) => {
        b.emisor.contribuyente_especial = '123456';
        b.version = '1.0.0';
      },
    ],
    ['on a document of type 344', undefined, (b) => (b.sustento.codigo_documento_sustento = '344')],
    [
      'on one in version 1.0.0, whose schema has two digits',
      '35',
      (b) => {
        b.sustento.codigo_documento_sustento = '344';
        b.version = '1.0.0';
      },
    ],
    ['on sums of three decimals', '35', gastos({ ...gasto, subtotal_iva: 1.005 })],
    ['on an ICE of 150.5 %', '35', gastos({ ...gasto, tipo_ice: 3011, tarifa_ice: 150.5, valor_ice: 5 })],
  ])('%s ends with %s', async (_rule, code, change) => {
    expect((await ended(change)).errores?.[0].identificador).toBe(code);
  });
});

function percent(rate: number): Change {
  return (b) => Object.assign(b.retenciones[0], { porcentaje_retencion: rate, valor_retenido: rate });
}

describe('the supplier’s document in the XML', () => {
  const figures = (change?: Change) => sustentoFigures(read(retencion(change)).body.sustento);
  const tax = (codigo: string, codigoPorcentaje: string, base: string, tarifa: string, valor: string) => ({
    ...{ codigo, codigoPorcentaje, base, tarifa, valor },
  });

  test('is the sum of its lines, IVA on the sum of each code', () => {
    const line = { codigo_principal: 'A', descripcion: 'A', cantidad: 1, tipo_iva: 4 };
    const items = [
      { ...line, precio_unitario: 0.11 },
      { ...line, precio_unitario: 0.11 },
      { ...line, cantidad: 3, precio_unitario: 5, descuento: 0.5, tipo_iva: 0 },
    ];
    expect(figures((b) => (b.sustento.items = items))).toEqual({
      totalSinImpuestos: '14.72',
      importeTotal: '14.75',
      impuestos: [tax('2', '4', '0.22', '15.00', '0.03'), tax('2', '0', '14.50', '0.00', '0.00')],
    });
  });

  test('is the sums it is told by, each part under its own code', () => {
    expect(figures(gastos(gasto, { ...gasto, subtotal_ivacero: 0 }))).toEqual({
      totalSinImpuestos: '270.00',
      importeTotal: '300.00',
      impuestos: [
        tax('2', '4', '200.00', '15.00', '30.00'),
        tax('2', '0', '30.00', '0.00', '0.00'),
        tax('2', '6', '40.00', '0.00', '0.00'),
      ],
    });
  });

  test.each<[string, Change]>([
    ['a line', (b) => Object.assign(b.sustento.items[0], { tipo_ice: 3073, valor_ice: 5 })],
    [
      'sums',
      gastos({
        ...{ ...gasto, subtotal_siniva: 0, subtotal_ivacero: 0 },
        ...{ tipo_ice: 3073, tarifa_ice: 5, valor_ice: 5 },
      }),
    ],
  ])('has the ICE that %s states, and IVA on it', (_what, change) => {
    expect(figures(change)).toEqual({
      totalSinImpuestos: '100.00',
      importeTotal: '120.75',
      impuestos: [tax('2', '4', '105.00', '15.00', '15.75'), tax('3', '3073', '100.00', '5.00', '5.00')],
    });
  });
});

/** The names of a document's opening tags, in order. */
const tags = (xml: string) => [...new Set([...xml.matchAll(/<([A-Za-z]+)[ >/]/g)].map((match) => match[1]))];

describe('the XML of a retención', () => {
  test('has the elements of version 2.0.0 in the order of its schema', () => {
    const xml = writeDocument(read(retencion()));
    expect(xml).toContain('<comprobanteRetencion id="comprobante" version="2.0.0">');
    expect(tags(xml).slice(13)).toEqual(
      (
        'infoCompRetencion fechaEmision dirEstablecimiento obligadoContabilidad tipoIdentificacionSujetoRetenido ' +
        'parteRel razonSocialSujetoRetenido identificacionSujetoRetenido periodoFiscal docsSustento docSustento ' +
        'codSustento codDocSustento numDocSustento fechaEmisionDocSustento fechaRegistroContable numAutDocSustento ' +
        'pagoLocExt totalSinImpuestos importeTotal impuestosDocSustento impuestoDocSustento codImpuestoDocSustento ' +
        'codigoPorcentaje baseImponible tarifa valorImpuesto retenciones retencion codigo codigoRetencion ' +
        'porcentajeRetener valorRetenido pagos pago formaPago total infoAdicional campoAdicional'
      ).split(' '),
    );
    expect(xml).toContain('<periodoFiscal>11/2026</periodoFiscal>');
  });

  test('has those of version 1.0.0 where the body asks for it', () => {
    const xml = writeDocument(read(retencion((b) => (b.version = '1.0.0'))));
    expect(xml).toContain('<comprobanteRetencion id="comprobante" version="1.0.0">');
    expect(tags(xml).slice(13)).toEqual(
      (
        'infoCompRetencion fechaEmision dirEstablecimiento obligadoContabilidad tipoIdentificacionSujetoRetenido ' +
        'razonSocialSujetoRetenido identificacionSujetoRetenido periodoFiscal impuestos impuesto codigo ' +
        'codigoRetencion baseImponible porcentajeRetener valorRetenido codDocSustento numDocSustento ' +
        'fechaEmisionDocSustento infoAdicional campoAdicional'
      ).split(' '),
    );
  });

  describe.skipIf(!hasShared).each(['2.0.0', '1.0.0'])('of version %s', (version) => {
    test(`is valid by ComprobanteRetencion_V${version}.xsd wherever the sandbox finds no fault`, () => {
      const validate = openXsd(`ComprobanteRetencion_V${version}.xsd`);
      const seen = { clean: 0, faulty: 0 };
      const holds = (body: unknown) => {
        if ('errors' in kind.read(body, today)) return;
        const document = read(body);
        const faulty = structureFaults(document).length > 0;
        seen[faulty ? 'faulty' : 'clean'] += 1;
        if (!faulty) validate(writeDocument(document));
      };
      const asked = bodies.map((body) => ({ ...body, version }));
      fc.assert(fc.property(asked, holds), { numRuns: 60 });
      expect(seen).toEqual({ clean: 60, faulty: 0 });
      fc.assert(
        fc.property(
          spoilt(bodies).map((body) => ({ ...body, version })),
          holds,
        ),
        { numRuns: 120 },
      );
      expect(seen.faulty).toBeGreaterThan(5);
    });
  });
});

describe('the RIDE of a retención', () => {
  const ride = async (change?: Change) => {
    const { send, settled, get } = await start();
    const { body } = await send('POST', route, retencion(change));
    await settled(body.claveacceso);
    const pages = await pdfPages((await get(`/api/comprobante/pdf/${body.claveacceso}`)).body);
    expect(pages).toHaveLength(1);
    return pages[0] ?? '';
  };
  const lacking = (page: string, labels: string[]) =>
    labels.flatMap((row) => row.split('|')).filter((label) => !page.includes(label));
  const both = [
    'R.U.C.: 1792146739001|COMPROBANTE DE RETENCIÓN|N° 001-001-000000041|NÚMERO DE AUTORIZACIÓN 2011202607',
    'Razón Social / Nombres y Apellidos: Proveedor de Prueba S.A.|Identificación: 1790016919001',
    'Fecha de Emisión: 20/11/2026',
    'Comprobante Número Fecha Emisión Ejercicio Fiscal Base Imponible para la Retención Impuesto',
    'FACTURA 002-003-000000456 19/11/2026 11/2026 100.00 RENTA 312 1.75 1.75',
    'FACTURA 002-003-000000456 19/11/2026 11/2026 15.00 IVA 1 30.00 4.50|TOTAL RETENIDO 6.25',
    'Información Adicional|Dirección Av. Prueba 9, Quito|Correo proveedor@example.com|Compra #77',
    'Comprobante de retención 001-001-000000041 · Clave de acceso|Página 1 de 1',
  ];

  test('carries what ficha técnica, anexo 2, names, and in version 2.0.0 the supplier’s document', async () => {
    const page = await ride();
    const document = [
      'Autorización del comprobante: 1911202601179001691900120020030000004561234567815',
      'Código de Sustento Tributario: 01|Registro Contable: 20/11/2026|Total sin Impuestos: 100.00|Importe Total: 115.00',
    ];
    expect(lacking(page, [...both, ...document])).toEqual([]);
  });

  test('in version 1.0.0 says no more of that document than its number and date', async () => {
    const page = await ride((b) => (b.version = '1.0.0'));
    expect(lacking(page, both)).toEqual([]);
    expect(page).not.toMatch(/Sustento Tributario|Importe Total/);
  });
});
