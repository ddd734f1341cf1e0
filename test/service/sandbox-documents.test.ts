import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { EmissionAnswer } from '../../src/service/answers.ts';
import type { ServiceCalls } from '../../src/service/client.ts';
import type { OtherDocumentRequest } from '../../src/service/shapes/documents.ts';
import type { GuiaRemisionRequest } from '../../src/service/shapes/guia-remision.ts';
import type { RetencionRequest } from '../../src/service/shapes/retencion.ts';
import { factura, guiaRemision, retencion } from '../sandbox/support.ts';
import { clave, openClient } from './hostile.ts';
import { apiKey, expectKind, openSandbox } from './sandbox-installation.ts';

type Body = Parameters<typeof factura>[0];
const json = (change?: Body) => JSON.stringify(factura(change));
const guia = guiaRemision() as GuiaRemisionRequest;
const withheld = retencion() as RetencionRequest;
const others = [
  ['emitirLiquidacionCompra', '03'],
  ['emitirNotaDebito', '05'],
] as const;

describe('document types of a whole service', () => {
  test('04 Nota de credito: created and authorised, with its own total in the XML', async () => {
    const { calls, settled } = await openSandbox();
    const { pagos: _, ...body } = factura();
    const modified = {
      codigo_documento_sustento: 1,
      numero_documento_sustento: '001001000000122',
      fecha_documento_sustento: '2026/11/19',
      motivo: 'Devolución',
    };
    const credit = { ...body, documento_modificado: modified } as Parameters<
      typeof calls.emitirNotaCredito
    >[0];
    const { claveacceso } = expectKind(await calls.emitirNotaCredito(credit), 'created');
    expect(await settled(claveacceso)).toMatchObject({ state: 'authorized', tipo: '04' });
    const { facts } = expectKind(await calls.descargarXml(claveacceso), 'found');
    expect(facts).toMatchObject({ codDoc: '04', importeTotal: '47.98' });
  });

  test.each(others)('%s: created and authorised with a body that passes through', async (name, tipo) => {
    const { calls, settled } = await openSandbox();
    const { emisor } = factura();
    const body = { emisor, ambiente: 1, propio: { a: 1 } } as OtherDocumentRequest;
    const { claveacceso } = expectKind(await calls[name](body), 'created');
    expect(await settled(claveacceso)).toMatchObject({ state: 'authorized', tipo });
  });

  test.each<[string, string, (calls: ServiceCalls) => Promise<EmissionAnswer>, string]>([
    ['06 Guia de remision', '06', (calls) => calls.emitirGuiaRemision(guia), '<guiaRemision '],
    [
      '07 Comprobante de retencion',
      '07',
      (calls) => calls.emitirRetencion(withheld),
      '<comprobanteRetencion ',
    ],
  ])('%s: created and authorised, with XML and RIDE', async (_name, tipo, emit, root) => {
    const { calls, settled } = await openSandbox();
    const { claveacceso } = expectKind(await emit(calls), 'created');
    expect(await settled(claveacceso)).toMatchObject({ state: 'authorized', tipo });
    const xml = await text(expectKind(await calls.descargarXml(claveacceso, 'stream'), 'found').stream);
    expect(xml).toContain(root);
    expect(xml).toContain(`<claveAcceso>${claveacceso}</claveAcceso>`);
    // Its figures are no sale's: nothing reads them as if they were.
    expect(await calls.descargarXml(claveacceso)).toMatchObject({ kind: 'unknown' });
    const pdf = await text(expectKind(await calls.descargarPdf(claveacceso), 'found').stream);
    expect(pdf).toMatch(/^%PDF-/);
  });

  test('both sides may be given another path', async () => {
    const otherDocumentPaths = { '06': '/api/guiaremision/emision' };
    const { calls } = await openSandbox({ otherDocumentPaths }, { otherDocumentPaths });
    expectKind(await calls.emitirGuiaRemision(guia), 'created');
  });
});

describe('each API key only sees its own documents', () => {
  test('consult, XML, PDF and reprocess of a stranger are not-found', async () => {
    const accounts = [{ apiKey }, { apiKey: 'vecino' }];
    const { calls, sandbox, settled } = await openSandbox({ accounts });
    const { claveacceso } = expectKind(await calls.emitirFactura(json()), 'created');
    await settled(claveacceso);
    const neighbour = openClient(sandbox.url, { apiKey: 'vecino' }).calls;
    for (const [asking, key] of [
      [neighbour, claveacceso],
      [calls, clave],
    ] as const) {
      expect(await asking.consultarComprobante(key)).toEqual({ kind: 'not-found' });
      expect(await asking.descargarXml(key)).toEqual({ kind: 'not-found' });
      expect(await asking.descargarXml(key, 'stream')).toEqual({ kind: 'not-found' });
      expect(await asking.descargarPdf(key)).toEqual({ kind: 'not-found' });
      expect(await asking.reprocesarComprobante(key)).toEqual({ kind: 'not-found' });
    }
  });
});

describe('POST /api/comprobante/reprocesar of a whole service', () => {
  test.each(['reprocesarComprobante', 'reprocesarComprobanteHistorico'] as const)(
    '%s sends a document in error again; one that is authorised is refused',
    async (name) => {
      const { calls, sandbox, settled } = await openSandbox();
      sandbox.faults.add({
        outcome: { identificacion: '2459999997', resultado: 'error', codigo: 39, times: 1 },
      });
      const { claveacceso } = expectKind(await calls.emitirFactura(json()), 'created');
      expect(await settled(claveacceso)).toMatchObject({ state: 'error' });
      expect(await calls[name](claveacceso)).toMatchObject({
        kind: 'reprocessing',
        claveacceso,
        estado: 'En procesamiento',
        mensaje: expect.any(String),
      });
      expect(await settled(claveacceso)).toMatchObject({ state: 'authorized' });
      expect(await calls[name](claveacceso)).toMatchObject({ kind: 'refused', status: 409 });
    },
  );
});
