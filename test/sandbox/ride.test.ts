import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { PricedDocument } from '../../src/sandbox/emission/documents.ts';
import { printable } from '../../src/sandbox/ride/page.ts';
import { totalRows } from '../../src/sandbox/ride/totals.ts';
import { apiKey, factura, start } from './support.ts';

async function ride(change?: Parameters<typeof factura>[0], options = {}): Promise<Buffer> {
  const { emit, settled, get } = await start(options);
  const { body } = await emit(factura(change));
  await settled(body.claveacceso);
  const answer = await get(`/api/comprobante/pdf/${body.claveacceso}`);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('x-sandbox-inferred')).toBe('true');
  return answer.body;
}

async function stored(body: unknown): Promise<PricedDocument> {
  const { emit, sandbox } = await start();
  await emit(body);
  return sandbox.documents()[0] as PricedDocument;
}

const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

describe('the RIDE', () => {
  test('is a PDF of one page for a few lines', async () => {
    const pdf = await ride();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pages(pdf)).toBe(1);
  });

  test('takes as many pages as its lines need', async () => {
    const many = (b: ReturnType<typeof factura>) => {
      b.items = Array.from({ length: 100 }, () => b.items[1]);
      delete b.pagos;
    };
    expect(pages(await ride(many))).toBe(3);
  });

  test('shows every total the authority’s format names, in its order', async () => {
    expect(totalRows(await stored(factura()))).toEqual([
      ['SUBTOTAL 15%', '37.81'],
      ['SUBTOTAL 0%', '4.50'],
      ['SUBTOTAL NO OBJETO DE IVA', '0.00'],
      ['SUBTOTAL EXENTO DE IVA', '0.00'],
      ['SUBTOTAL SIN IMPUESTOS', '42.31'],
      ['TOTAL DESCUENTO', '0.50'],
      ['ICE', '0.00'],
      ['IVA 15%', '5.67'],
      ['IRBPNR', '0.00'],
      ['PROPINA', '0.00'],
      ['VALOR TOTAL', '47.98'],
    ]);
  });

  test('writes what its fonts lack as "?", never as another letter', () => {
    expect(printable('Ñandú “café”\n🌿 Łódź €')).toBe('Ñandú “café” ? ?ód? €');
  });

  const hasPdftotext = spawnSync('pdftotext', ['-v']).status === 0;
  if (!hasPdftotext)
    console.log('Skipping the RIDE text test: pdftotext is not here (Debian package poppler-utils).');

  test.skipIf(!hasPdftotext)('carries every label and figure of ficha técnica, anexo 2', async () => {
    const everything = (b: ReturnType<typeof factura>) => {
      Object.assign(b.emisor, { contribuyente_especial: '826', regimen_rimpe: true });
      b.guiaremision = '001-001-000000009';
      b.pagos = [{ tipo: 20, total: 47.98, plazo: 30, tiempo: 'días' }];
    };
    const pdf = await ride(everything, { accounts: [{ apiKey, providerApproved: true }] });
    const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
    const text = stdout.replace(/\s+/g, ' ');
    const expected = [
      'R.U.C.: 1792146739001|FACTURA|N° 001-001-000000123|NÚMERO DE AUTORIZACIÓN|FECHA Y HORA DE AUTORIZACIÓN',
      '20/11/2026 10:00:00|AMBIENTE: PRUEBAS|EMISIÓN: NORMAL|CLAVE DE ACCESO|EMISOR DE PRUEBA S.A.|Tienda de Prueba',
      'Dir. Matriz: Av. Prueba 123, Quito|Dir. Sucursal: Av. Prueba 123, Quito|Contribuyente Especial Nro.: 826',
      'OBLIGADO A LLEVAR CONTABILIDAD: SI|CONTRIBUYENTE RÉGIMEN RIMPE',
      'Razón Social / Nombres y Apellidos: María José Peñafiel|Identificación: 2459999997|Fecha de Emisión: 20/11/2026',
      'Guía: 001-001-000000009|Dirección: Calle de Prueba 1|Cod. Principal|Cod. Auxiliar|Cantidad|Descripción',
      'Precio Unitario|Descuento|Precio Total|SKU-A|17.382609|VALOR TOTAL 47.98|Información Adicional|Pedido',
      'RUC Proveedor|Forma de Pago|Valor|Plazo|Tiempo|20 - OTROS CON UTILIZACIÓN DEL SISTEMA|30 días',
    ].flatMap((row) => row.split('|'));
    expect(expected.filter((label) => !text.includes(label))).toEqual([]);
  });
});
