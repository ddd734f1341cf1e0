import { getDocumentProxy, getMeta } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { WrittenDocument } from '../../sandbox/emulator/emission/documents.ts';
import { printable } from '../../sandbox/emulator/ride/page.ts';
import { drawRide } from '../../sandbox/emulator/ride/ride.ts';
import { totalRows } from '../../sandbox/emulator/ride/totals.ts';
import { pdfPages } from '../support/pdf-text.ts';
import { written } from './stored.ts';
import { factura, guiaRemision, notaCredito, retencion } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

/** The RIDE of a document authorised at noon. */
const ride = (document: WrittenDocument): Promise<Buffer> =>
  drawRide({ ...document, fechaAutorizacion: '2026-11-20T10:00:00-05:00' });
/** The pages of the RIDE, of which there is one. */
async function onePage(document: WrittenDocument): Promise<string> {
  const pages = await pdfPages(await ride(document));
  expect(pages).toHaveLength(1);
  return pages[0] ?? '';
}

/** Which of the labels, written in rows and parted by `|`, the page lacks. */
const lacking = (page: string | undefined, rows: string[]) =>
  rows.flatMap((row) => row.split('|')).filter((label) => !page?.includes(label));

describe('the totals of the RIDE', () => {
  test('name every rate there is, tourism by its own name, and sum ICE and IRBPNR', () => {
    const mixed: Change = (b) => {
      const line = { ...b.items[0], cantidad: 1, precio_unitario: 10 };
      b.items = [
        ...[5, 8, 6, 7].map((code) => ({ ...line, tipo_iva: code })),
        { ...line, tipo_ice: 3610, tipo_irbpnr: 5001 },
      ];
      b.totales = [{ codigo: '3', codigo_porcentaje: '3610', tarifa: 20 }];
      delete b.pagos;
    };
    expect(totalRows(written('01', factura(mixed)))).toEqual([
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
    expect(
      lacking(await onePage(written('01', factura(everything))), [
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
    const body = notaCredito((b) => {
      b.documento_modificado.fecha_documento_sustento = '2026/10/31';
      b.informacion_adicional = [{ nombre: 'Pedido', detalle: '#1001' }];
    });
    const page = await onePage(written('04', body));
    expect(
      lacking(page, [
        'R.U.C.: 1792146739001|NOTA DE CRÉDITO|N° 001-001-000000123|NÚMERO DE AUTORIZACIÓN 2011202604',
        'FECHA Y HORA DE AUTORIZACIÓN 20/11/2026 10:00:00|AMBIENTE: PRUEBAS|EMISIÓN: NORMAL|CLAVE DE ACCESO 2011202604',
        'EMISOR DE PRUEBA S.A.|Dir. Matriz: Av. Prueba 123, Quito|OBLIGADO A LLEVAR CONTABILIDAD: SI',
        'Razón Social / Nombres y Apellidos: María José Peñafiel|Identificación: 2459999997|Fecha de Emisión: 20/11/2026',
        'Comprobante que se modifica: FACTURA 001-001-000000123|Fecha Emisión (Comprobante a modificar): 31/10/2026',
        'Razón de Modificación: Devolución parcial del pedido #1001',
        'Cod. Principal Cod. Auxiliar Cantidad Descripción Precio Unitario Descuento Precio Total',
        'SKU-A 1.00 Camiseta 17.382609 0.00 17.38|SUBTOTAL 15% 17.38|SUBTOTAL SIN IMPUESTOS 17.38|TOTAL DESCUENTO 0.00',
        'ICE 0.00|IVA 15% 2.61|IRBPNR 0.00|VALOR TOTAL 19.99|Información Adicional|Pedido #1001',
        'Nota de crédito 001-001-000000123 · Clave de acceso|Página 1 de 1',
      ]),
    ).toEqual([]);
    // What belongs to a factura alone.
    for (const label of ['Guía', 'Forma de Pago', 'PROPINA', 'Dirección:', 'Factura 0']) {
      expect(page).not.toContain(label);
    }
  });

  test('of a guía de remisión, and how to reach whoever gets the goods', async () => {
    const body = guiaRemision((b) => {
      Object.assign(b.emisor, { contribuyente_especial: '826', contribuyente_rimpe: 'SI' });
      b.traslado.codigo_establecimiento_destino = 2;
      b.documento_sustento.documento_aduanero = '028-2026-40-01234567';
      b.items[0].codigo_auxiliar = 'AUX-9';
      b.items[0].detalles_adicionales = [{ nombre: 'Talla', detalle: 'M' }];
      b.destinatario.telefono = '02 222 2222';
    });
    const page = await onePage(written('06', body));
    const labels = [
      'R.U.C.: 1792146739001|GUÍA DE REMISIÓN|N° 001-001-000000123|NÚMERO DE AUTORIZACIÓN 2011202606',
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
      'Pedido #1001|Guía de remisión 001-001-000000123 · Clave de acceso|Página 1 de 1',
    ];
    expect(lacking(page, labels)).toEqual([]);
    expect(page).not.toMatch(/VALOR TOTAL|Precio Unitario|Forma de Pago/);
  });

  const both = [
    'R.U.C.: 1792146739001|COMPROBANTE DE RETENCIÓN|N° 001-001-000000123|NÚMERO DE AUTORIZACIÓN 2011202607',
    'Razón Social / Nombres y Apellidos: Proveedor de Prueba S.A.|Identificación: 1790016919001',
    'Fecha de Emisión: 20/11/2026',
    'Comprobante Número Fecha Emisión Ejercicio Fiscal Base Imponible para la Retención Impuesto',
    'FACTURA 002-003-000000456 19/11/2026 11/2026 100.00 RENTA 312 1.75 1.75',
    'FACTURA 002-003-000000456 19/11/2026 11/2026 15.00 IVA 1 30.00 4.50|TOTAL RETENIDO 6.25',
    'Información Adicional|Dirección Av. Prueba 9, Quito|Correo proveedor@example.com|Compra #77',
    'Comprobante de retención 001-001-000000123 · Clave de acceso|Página 1 de 1',
  ];

  test('of a retención, in version 2.0.0 with the supplier’s document', async () => {
    const document = [
      'Autorización del comprobante: 1911202601179001691900120020030000004561234567815',
      'Código de Sustento Tributario: 01|Registro Contable: 20/11/2026|Total sin Impuestos: 100.00|Importe Total: 115.00',
    ];
    expect(lacking(await onePage(written('07', retencion())), [...both, ...document])).toEqual([]);
  });

  test('of a production document without the mark of a test', async () => {
    const page = await onePage(
      written(
        '01',
        factura((b) => (b.ambiente = 2)),
      ),
    );
    expect(page).toContain('AMBIENTE: PRODUCCIÓN');
    expect(page).not.toContain('SIN VALIDEZ TRIBUTARIA');
  });
});

test.each([
  ['Factura', written('01', factura())],
  ['Nota de crédito', written('04', notaCredito())],
] as const)('the file says what it is: a %s, by its trade name, in Spanish', async (title, document) => {
  const { info } = await getMeta(await getDocumentProxy(new Uint8Array(await ride(document))));
  expect(info).toMatchObject({
    Title: `${title} 001-001-000000123`,
    Author: 'Tienda de Prueba',
    Language: 'es-EC',
  });
});
