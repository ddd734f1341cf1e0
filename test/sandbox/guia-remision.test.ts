import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structureFaults } from '../../sandbox/emulator/authority/structure.ts';
import { writeDocument } from '../../sandbox/emulator/authority/xml/document.ts';
import type { GuiaRemisionDocument } from '../../sandbox/emulator/emission/documents.ts';
import { type Contents, guiaRemision as kind } from '../../sandbox/emulator/emission/kinds.ts';
import { eventually } from '../support/eventually.ts';
import { pdfPages } from '../support/pdf-text.ts';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { spoilt } from './generated-bodies.ts';
import { guiaRemisionBodies as bodies } from './generated-guia-retencion.ts';
import { stored } from './stored.ts';
import { apiKey, factura, guiaRemision, listen, start, today } from './support.ts';

type Change = NonNullable<Parameters<typeof guiaRemision>[0]>;
const route = '/api/guia/emision';

/** Emits it and answers how it ends. */
async function ended(change?: Change, before: object[] = []) {
  const { send, emit, settled } = await start();
  for (const body of before) await settled((await emit(body)).body.claveacceso);
  const { body } = await send('POST', route, guiaRemision(change));
  expect(body).toMatchObject({ creado: true });
  return settled(body.claveacceso);
}

const read = (body: unknown): GuiaRemisionDocument => {
  const checked = kind.read(body, today);
  if ('errors' in checked) throw new Error(checked.errors.join('\n'));
  return stored(checked.body as Extract<Contents, { tipo: '06' }>) as GuiaRemisionDocument;
};

describe('a guía de remisión', () => {
  test('is created, authorised, consulted and told like any document, as type 06', async () => {
    const hook = await listen();
    const webhook = { url: hook.url, secret: 'secreto-de-prueba' };
    const { send, settled } = await start({ accounts: [{ apiKey, webhook }], allowLoopbackWebhooks: true });
    const { body, headers } = await send('POST', route, guiaRemision());
    expect(body).toMatchObject({
      creado: true,
      claveacceso: expect.stringMatching(/^2011202606179214673900110010010000000/),
      estado: 'En procesamiento',
      mensaje: expect.stringContaining('Guía de remisión 001-001-000000031'),
    });
    expect(headers.get('x-sandbox-inferred')).toBe('true');
    const state = { tipo_comprobante: '06', numero: '001-001-000000031', estado: 4, autorizado: true };
    expect(await settled(body.claveacceso)).toMatchObject({ success: true, ...state });
    await eventually(() => hook.received.length === 1, 'the event');
    expect(hook.received[0]?.body).toMatchObject({ evento: 'comprobante.autorizado', ...state });
  });

  test.each<[string, string | undefined, Change]>([
    ['without placa: the schema wants it', '35', (b) => delete b.transportista.placa],
    ['without motivo_traslado', '35', (b) => (b.traslado.motivo_traslado = '')],
    ['with a line break in a name', '35', (b) => (b.destinatario.razon_social = 'a\nb')],
    ['with seven decimals', '35', (b) => (b.items[0].cantidad = 1.0000001)],
    ['of a negative quantity', '35', (b) => (b.items[0].cantidad = -1)],
    ['from a day that does not exist', '67', (b) => (b.traslado.fecha_inicio_transporte = '2026/11/31')],
    ['that leaves before it is issued', '82', (b) => (b.traslado.fecha_inicio_transporte = '2026/11/19')],
    ['that arrives before it leaves', '82', (b) => (b.traslado.fecha_inicio_transporte = '2026/11/22')],
    ['to a RUC of ten digits', '69', (b) => Object.assign(b.destinatario, { tipo_identificacion: '04' })],
    ['to a magic buyer', '46', (b) => (b.destinatario.identificacion = '2459900466')],
    [
      'to consumidor final',
      undefined,
      (b) => Object.assign(b.destinatario, { tipo_identificacion: '07', identificacion: '9999999999999' }),
    ],
    ['that says only what is required and what the schema wants', undefined, onlyRequired],
  ])('%s ends with %s', async (_rule, code, change) => {
    expect((await ended(change)).errores?.[0].identificador).toBe(code);
  });

  test('warns with 68 of a document that nobody has authorised here', async () => {
    const { sandbox, send, emit, settled } = await start();
    await settled((await emit(factura())).body.claveacceso);
    const { body: known } = await send('POST', route, guiaRemision());
    await settled(known.claveacceso);
    const other: Change = (b) => {
      b.emisor.secuencial = '32';
      b.documento_sustento.numero_documento_sustento = '001001000000124';
    };
    const { body: unknown } = await send('POST', route, guiaRemision(other));
    await settled(unknown.claveacceso);
    const codes = sandbox.documents().map(({ advertencias }) => advertencias.map((one) => one.identificador));
    expect(codes.slice(1)).toEqual([['60'], ['60', '68']]);
  });
});

function onlyRequired(b: Parameters<Change>[0]): void {
  b.traslado = { direccion_destino: b.traslado.direccion_destino, motivo_traslado: 'Venta' };
  delete b.documento_sustento;
  delete b.informacion_adicional;
}

/** The names of a document's opening tags, in order. */
const tags = (xml: string) => [...new Set([...xml.matchAll(/<([A-Za-z]+)[ >/]/g)].map((match) => match[1]))];

describe('the XML of a guía de remisión', () => {
  test('has the elements of version 1.1.0 in the order of its schema', () => {
    const xml = writeDocument(read(guiaRemision(everything)));
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><guiaRemision id="comprobante" version="1.1.0">/,
    );
    expect(tags(xml)).toEqual(
      (
        'guiaRemision infoTributaria ambiente tipoEmision razonSocial nombreComercial ruc claveAcceso codDoc estab ' +
        'ptoEmi secuencial dirMatriz contribuyenteRimpe infoGuiaRemision dirEstablecimiento dirPartida ' +
        'razonSocialTransportista tipoIdentificacionTransportista rucTransportista obligadoContabilidad ' +
        'contribuyenteEspecial fechaIniTransporte fechaFinTransporte placa destinatarios destinatario ' +
        'identificacionDestinatario razonSocialDestinatario dirDestinatario motivoTraslado docAduaneroUnico ' +
        'codEstabDestino ruta codDocSustento numDocSustento numAutDocSustento fechaEmisionDocSustento detalles ' +
        'detalle codigoInterno codigoAdicional descripcion cantidad detallesAdicionales detAdicional infoAdicional ' +
        'campoAdicional'
      ).split(' '),
    );
    expect(xml).toContain('<contribuyenteRimpe>CONTRIBUYENTE RÉGIMEN RIMPE</contribuyenteRimpe>');
    expect(xml).toContain('<codEstabDestino>002</codEstabDestino>');
    expect(xml).toContain('<numDocSustento>001-001-000000123</numDocSustento>');
  });

  test('leaves the establishment on the day of issue where the body does not say', () => {
    const xml = writeDocument(read(guiaRemision(onlyRequired)));
    expect(xml).toContain('<dirPartida>Av. Prueba 123, Quito</dirPartida>');
    expect(xml).toContain(
      '<fechaIniTransporte>20/11/2026</fechaIniTransporte><fechaFinTransporte>20/11/2026</fechaFinTransporte>',
    );
  });

  test.skipIf(!hasShared)('is valid by GuiaRemision_V1.1.0.xsd wherever the sandbox finds no fault', () => {
    const validate = openXsd('GuiaRemision_V1.1.0.xsd');
    const seen = { clean: 0, faulty: 0 };
    const holds = (body: unknown) => {
      if ('errors' in kind.read(body, today)) return;
      const document = read(body);
      const faulty = structureFaults(document).length > 0;
      seen[faulty ? 'faulty' : 'clean'] += 1;
      if (!faulty) validate(writeDocument(document));
    };
    fc.assert(fc.property(bodies, holds), { numRuns: 60 });
    expect(seen).toEqual({ clean: 60, faulty: 0 });
    fc.assert(fc.property(spoilt(bodies), holds), { numRuns: 120 });
    expect(seen.faulty).toBeGreaterThan(5);
    validate(writeDocument(read(guiaRemision(everything))));
  });
});

function everything(b: Parameters<Change>[0]): void {
  Object.assign(b.emisor, { contribuyente_especial: '826', contribuyente_rimpe: 'SI' });
  b.traslado.codigo_establecimiento_destino = 2;
  b.documento_sustento.documento_aduanero = '028-2026-40-01234567';
  Object.assign(b.items[0], {
    codigo_auxiliar: 'AUX-9',
    unidad_medida: 1,
    detalles_adicionales: [{ nombre: 'Talla', detalle: 'M' }],
  });
  b.destinatario.telefono = '02 222 2222';
}

describe('the RIDE of a guía de remisión', () => {
  test('carries what ficha técnica, anexo 2, names, and how to reach whoever gets the goods', async () => {
    const { send, settled, get } = await start();
    const { body } = await send('POST', route, guiaRemision(everything));
    await settled(body.claveacceso);
    const pages = await pdfPages((await get(`/api/comprobante/pdf/${body.claveacceso}`)).body);
    expect(pages).toHaveLength(1);
    const labels = [
      'R.U.C.: 1792146739001|GUÍA DE REMISIÓN|N° 001-001-000000031|NÚMERO DE AUTORIZACIÓN 2011202606',
      'AMBIENTE: PRUEBAS|Dir. Matriz: Av. Prueba 123, Quito|OBLIGADO A LLEVAR CONTABILIDAD: SI|RÉGIMEN RIMPE',
      'Razón Social / Nombres y Apellidos (Transportista): Transportes de Prueba S.A.|Identificación: 1790016919001',
      'Punto de Partida: Bodega Norte, Quito|Placa: PBA-1234',
      'Fecha inicio Transporte: 20/11/2026|Fecha fin Transporte: 21/11/2026',
      'Comprobante de Venta: FACTURA 001-001-000000123|Fecha de Emisión: 20/11/2026',
      'Número de Autorización: 2011202601179214673900110010010000001231234567814',
      'Documento Aduanero: 028-2026-40-01234567|Motivo Traslado: Venta',
      'Razón Social / Nombres y Apellidos (Destinatario): María José Peñafiel|Identificación: 2459999997',
      'Destino (Punto de llegada): Calle de Prueba 1, Cuenca|Código Establecimiento Destino: 002',
      'Ruta: Quito - Ambato - Cuenca|Cantidad Descripción Código Principal Código Auxiliar',
      '2.00 Camiseta Talla: M SKU-A AUX-9|Información Adicional|Dirección Calle de Prueba 1|Teléfono 02 222 2222',
      'Pedido #1001|Guía de remisión 001-001-000000031 · Clave de acceso|Página 1 de 1',
    ];
    const all = labels.flatMap((row) => row.split('|'));
    expect(all.filter((label) => !pages[0]?.includes(label))).toEqual([]);
    expect(pages[0]).not.toMatch(/VALOR TOTAL|Precio Unitario|Forma de Pago/);
  });
});
