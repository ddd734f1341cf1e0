import { getDocumentProxy, getMeta } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { PricedDocument } from '../../sandbox/emulator/emission/documents.ts';
import { printable } from '../../sandbox/emulator/ride/page.ts';
import { totalRows } from '../../sandbox/emulator/ride/totals.ts';
import { pdfPages } from '../support/pdf-text.ts';
import { apiKey, factura, notaCredito, start } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

async function ride(body: unknown, path = '/api/factura/emision', options = {}): Promise<Buffer> {
  const { send, settled, get } = await start(options);
  const { body: emitted } = await send('POST', path, body);
  expect(await settled(emitted.claveacceso)).toMatchObject({ autorizado: true });
  const answer = await get(`/api/comprobante/pdf/${emitted.claveacceso}`);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('x-sandbox-inferred')).toBe('true');
  return answer.body;
}
const credit = '/api/credito/emision';

async function stored(body: unknown, path = '/api/factura/emision'): Promise<PricedDocument> {
  const { send, sandbox } = await start();
  await send('POST', path, body);
  return sandbox.documents()[0] as PricedDocument;
}

/** Which of the labels, written in rows and parted by `|`, the page lacks. */
const lacking = (page: string | undefined, rows: string[]) =>
  rows.flatMap((row) => row.split('|')).filter((label) => !page?.includes(label));

describe('the totals of the RIDE', () => {
  test('are all that the authority’s format names, in its order', async () => {
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

  test('of a nota de crédito have no tip', async () => {
    const rows = totalRows(await stored(notaCredito(), credit));
    expect(rows.map(([label]) => label)).not.toContain('PROPINA');
    expect(rows.at(-1)).toEqual(['VALOR TOTAL', '19.99']);
  });

  test('name every rate there is, tourism by its own name, and sum ICE and IRBPNR', async () => {
    const mixed: Change = (b) => {
      const line = { ...b.items[0], cantidad: 1, precio_unitario: 10 };
      b.items = [
        ...[5, 8, 6, 7].map((code) => ({ ...line, tipo_iva: code })),
        { ...line, tipo_ice: 3610, tipo_irbpnr: 5001 },
      ];
      b.totales = [{ codigo: '3', codigo_porcentaje: '3610', tarifa: 20 }];
      delete b.pagos;
    };
    expect(totalRows(await stored(factura(mixed)))).toEqual([
      ['SUBTOTAL 5%', '10.00'],
      ['SUBTOTAL TARIFA ESPECIAL 8%', '10.00'],
      ['SUBTOTAL 15%', '12.00'],
      ['SUBTOTAL 0%', '0.00'],
      ['SUBTOTAL NO OBJETO DE IVA', '10.00'],
      ['SUBTOTAL EXENTO DE IVA', '10.00'],
      ['SUBTOTAL SIN IMPUESTOS', '50.00'],
      ['TOTAL DESCUENTO', '0.00'],
      ['ICE', '2.00'],
      ['IVA 5%', '0.50'],
      ['IVA TARIFA ESPECIAL 8%', '0.80'],
      ['IVA 15%', '1.80'],
      ['IRBPNR', '0.02'],
      ['PROPINA', '0.00'],
      ['VALOR TOTAL', '55.12'],
    ]);
  });
});

test('what the fonts lack is written as "?", never as another letter', () => {
  expect(printable('Ñandú “café”\n🌿 Łódź €')).toBe('Ñandú “café” ? ?ód? €');
});

describe('the RIDE carries every label and figure of ficha técnica, anexo 2', () => {
  test('of a factura', async () => {
    const everything: Change = (b) => {
      Object.assign(b.emisor, {
        contribuyente_especial: '826',
        regimen_rimpe: true,
        agente_retencion: true,
        numero_resolucion: '1',
        calificacion_artesanal: '4321',
      });
      Object.assign(b, { guiaremision: '001-001-000000009', placa: 'PBA-1234' });
      b.items[0].codigo_auxiliar = 'AUX-9';
      b.items[0].detalles_adicionales = [{ nombre: 'Talla', detalle: 'M' }];
      b.comprador.telefono = '02 222 2222';
      b.pagos = [{ tipo: 20, total: 47.98, plazo: 30, tiempo: 'días' }];
    };
    const pdf = await ride(factura(everything), undefined, {
      accounts: [{ apiKey, providerApproved: true }],
    });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const pages = await pdfPages(pdf);
    expect(pages).toHaveLength(1);
    expect(
      lacking(pages[0], [
        'R.U.C.: 1792146739001|FACTURA|N° 001-001-000000123|NÚMERO DE AUTORIZACIÓN 2011202601|CLAVE DE ACCESO 2011202601',
        'FECHA Y HORA DE AUTORIZACIÓN 20/11/2026 10:00:00|AMBIENTE: PRUEBAS|EMISIÓN: NORMAL|SIN VALIDEZ TRIBUTARIA',
        'Tienda de Prueba|EMISOR DE PRUEBA S.A.|Dir. Matriz: Av. Prueba 123, Quito|Dir. Sucursal: Av. Prueba 123, Quito',
        'Contribuyente Especial Nro.: 826|OBLIGADO A LLEVAR CONTABILIDAD: SI|CONTRIBUYENTE RÉGIMEN RIMPE',
        'Agente de Retención Resolución No.: 1|Calificación Artesanal No.: 4321',
        'Razón Social / Nombres y Apellidos: María José Peñafiel|Identificación: 2459999997',
        'Fecha de Emisión: 20/11/2026|Guía: 001-001-000000009|Dirección: Calle de Prueba 1|Placa: PBA-1234',
        'Cod. Principal Cod. Auxiliar Cantidad Descripción Precio Unitario Descuento Precio Total',
        'SKU-A AUX-9 2.00 Camiseta Talla: M 17.382609 0.00 34.77|SKU-B 1.00 Libro 5.00 0.50 4.50',
        'SUBTOTAL 15% 37.81|SUBTOTAL 0% 4.50|SUBTOTAL NO OBJETO DE IVA 0.00|SUBTOTAL EXENTO DE IVA 0.00',
        'SUBTOTAL SIN IMPUESTOS 42.31|TOTAL DESCUENTO 0.50|ICE 0.00|IVA 15% 5.67|IRBPNR 0.00|PROPINA 0.00|VALOR TOTAL 47.98',
        'Información Adicional|Teléfono 02 222 2222|Correo comprador@example.com|Pedido #1001|RUC Proveedor 1790016919001',
        'Forma de Pago Valor Plazo Tiempo|20 - OTROS CON UTILIZACIÓN DEL SISTEMA FINANCIERO 47.98 30 días',
        'Factura 001-001-000000123 · Clave de acceso|Página 1 de 1',
      ]),
    ).toEqual([]);
  });

  test('of a nota de crédito', async () => {
    const pdf = await ride(
      notaCredito((b) => {
        b.documento_modificado.fecha_documento_sustento = '2026/10/31';
        b.informacion_adicional = [{ nombre: 'Pedido', detalle: '#1001' }];
      }),
      credit,
    );
    const [page] = await pdfPages(pdf);
    expect(
      lacking(page, [
        'R.U.C.: 1792146739001|NOTA DE CRÉDITO|N° 001-001-000000007|NÚMERO DE AUTORIZACIÓN 2011202604',
        'FECHA Y HORA DE AUTORIZACIÓN 20/11/2026 10:00:00|AMBIENTE: PRUEBAS|EMISIÓN: NORMAL|CLAVE DE ACCESO 2011202604',
        'EMISOR DE PRUEBA S.A.|Dir. Matriz: Av. Prueba 123, Quito|OBLIGADO A LLEVAR CONTABILIDAD: SI',
        'Razón Social / Nombres y Apellidos: María José Peñafiel|Identificación: 2459999997|Fecha de Emisión: 20/11/2026',
        'Comprobante que se modifica: FACTURA 001-001-000000123|Fecha Emisión (Comprobante a modificar): 31/10/2026',
        'Razón de Modificación: Devolución parcial del pedido #1001',
        'Cod. Principal Cod. Auxiliar Cantidad Descripción Precio Unitario Descuento Precio Total',
        'SKU-A 1.00 Camiseta 17.382609 0.00 17.38|SUBTOTAL 15% 17.38|SUBTOTAL SIN IMPUESTOS 17.38|TOTAL DESCUENTO 0.00',
        'ICE 0.00|IVA 15% 2.61|IRBPNR 0.00|VALOR TOTAL 19.99|Información Adicional|Pedido #1001',
        'Nota de crédito 001-001-000000007 · Clave de acceso|Página 1 de 1',
      ]),
    ).toEqual([]);
    // What belongs to a factura alone.
    for (const label of ['Guía', 'Forma de Pago', 'PROPINA', 'Dirección:', 'Factura 0']) {
      expect(page).not.toContain(label);
    }
  });

  test('of a production document without the mark of a test', async () => {
    const account = { apiKey, providerApproved: true };
    const pdf = await ride(
      factura((b) => (b.ambiente = 2)),
      undefined,
      { accounts: [account] },
    );
    const [page] = await pdfPages(pdf);
    expect(page).toContain('AMBIENTE: PRODUCCIÓN');
    expect(page).not.toContain('SIN VALIDEZ TRIBUTARIA');
  });
});

test.each([
  ['Factura 001-001-000000123', factura(), undefined],
  ['Nota de crédito 001-001-000000007', notaCredito(), credit],
])('the file says what it is: %s, by its trade name, in Spanish', async (title, body, path) => {
  const pdf = await ride(body, path);
  const { info } = await getMeta(await getDocumentProxy(new Uint8Array(pdf)));
  expect(info).toMatchObject({ Title: title, Author: 'Tienda de Prueba', Language: 'es-EC' });
});
