import type { StructuredTextItem } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { WrittenDocument } from '../../sandbox/emulator/emission/documents.ts';
import { drawRide } from '../../sandbox/emulator/ride/ride.ts';
import { pdfPages, pdfPieces } from '../support/pdf-text.ts';
import { written } from './stored.ts';
import { factura, guiaRemision, notaCredito, retencion } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

type Written = WrittenDocument['tipo'];

/** In ambiente 2, where no mark of a test lies across the page. */
const drawn = (body: Record<string, unknown>, tipo: Written = '01'): Promise<Buffer> =>
  drawRide(written(tipo, { ...body, ambiente: 2 }) as WrittenDocument);

const lines =
  (count: number): Change =>
  (b) => {
    const line = b.items[0];
    b.items = Array.from({ length: count }, (_, i) => ({
      ...line,
      descripcion: `Línea ${i + 1}.${i % 7 === 0 ? ' Con una descripción que ocupa más de un renglón'.repeat(2) : ''}`,
    }));
    b.pagos = [{ tipo: 20, total: 1 }];
  };

const totalLabels = ['SUBTOTAL 15%', 'SUBTOTAL SIN IMPUESTOS', 'IVA 15%', 'PROPINA', 'VALOR TOTAL'];

describe('a factura of 300 lines', () => {
  test('shows every line once and in order, heads and numbers each page, and keeps its totals together', async () => {
    const pages = await pdfPages(await drawn(factura(lines(300))));
    expect(pages.length).toBeGreaterThan(5);
    const shown = pages.flatMap((page) =>
      [...page.matchAll(/Línea (\d+)\./g)].map((match) => Number(match[1])),
    );
    expect(shown).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    pages.forEach((page, index) => {
      expect(page.endsWith(`Página ${index + 1} de ${pages.length}`)).toBe(true);
      expect(page).toContain('Factura 001-001-000000123 · Clave de acceso');
      if (/Línea \d/.test(page)) expect(page.match(/Cod\. Principal/g)).toHaveLength(1);
    });
    expect(totalLabels.map((label) => pages.findIndex((page) => page.includes(label)))).toEqual(
      totalLabels.map(() => pages.length - 1),
    );
  });
});

test('the totals are never split: they move to the next page whole', async () => {
  const splits: number[] = [];
  let moved = 0;
  // With 15 lines all is on one page, with 25 a line goes with them.
  for (const count of [15, 16, 18, 21, 24, 25]) {
    const pages = await pdfPages(await drawn(factura(lines(count))));
    const places = new Set(totalLabels.map((label) => pages.findIndex((page) => page.includes(label))));
    if (places.size > 1) splits.push(count);
    if (pages.length > 1 && !pages[1]?.includes('Línea')) moved += 1;
  }
  expect(splits).toEqual([]);
  expect(moved).toBeGreaterThan(0);
});

const sentence = 'Comercializadora Ñandú & Hermanos de la Sierra Centro “El Buen Precio” '
  .repeat(9)
  .slice(0, 300);
const filled =
  (text: string): Change =>
  (b) => {
    Object.assign(b.emisor, {
      nombre_comercial: text,
      razon_social: text,
      direccion_matriz: text,
      direccion_establecimiento: text,
      contribuyente_especial: '5368',
      calificacion_artesanal: text.slice(0, 50),
      agente_retencion: true,
      numero_resolucion: '12345678',
      regimen_rimpe_popular: true,
    });
    Object.assign(b.comprador, {
      razon_social: text,
      direccion: text,
      telefono: text,
      celular: text,
      correo: text,
      identificacion: text.slice(0, 20),
      tipo_identificacion: '06',
    });
    Object.assign(b.items[0], {
      descripcion: text,
      codigo_principal: text.slice(0, 25),
      codigo_auxiliar: text.slice(0, 25),
      cantidad: 123456.123456,
      precio_unitario: 98765.123456,
      detalles_adicionales: Array(3).fill({ nombre: text, detalle: text }),
    });
    b.informacion_adicional = Array(14).fill({ nombre: text, detalle: text });
    if (b.documento_modificado) b.documento_modificado.motivo = text;
    else b.pagos = [{ tipo: 20, total: 99_999_999_999.99, plazo: 365_000, tiempo: text.slice(0, 10) }];
  };

const edge = { left: 29, right: 566, bottom: 42, top: 815 };
const footer = (piece: StructuredTextItem) =>
  /^(Página|Factura|Nota de crédito|Guía de remisión|Comprobante de retención) .*\d$/.test(piece.str);
const outside = ({ x, y, width, fontSize }: StructuredTextItem) =>
  x < edge.left || x + width > edge.right || y < edge.bottom || y + fontSize > edge.top;
/** Capital letters are 0.72 of the size high; a point of touching is no overlap. */
const overlap = (a: StructuredTextItem, b: StructuredTextItem) =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1 &&
  Math.min(a.y + a.fontSize * 0.72, b.y + b.fontSize * 0.72) - Math.max(a.y, b.y) > 1;

describe('nothing lies outside the page or on something else', () => {
  test.each([
    ['a factura', factura(), undefined],
    ['a nota de crédito', notaCredito(), '04'],
    ['300 lines', factura(lines(300)), undefined],
    ['300 characters in every field', factura(filled(sentence)), undefined],
    ['300 of the widest letter in every field', factura(filled('W'.repeat(300))), undefined],
    ['300 characters in every field of a nota de crédito', notaCredito(filled(sentence)), '04'],
    ['300 of the widest letter there', notaCredito(filled('W'.repeat(300))), '04'],
    ['a guía de remisión', guiaRemision(), '06'],
    ['a retención', retencion(), '07'],
  ] as const)('with %s', async (_rule, body, tipo) => {
    const pages = await pdfPieces(await drawn(body, tipo));
    for (const page of pages) {
      const pieces = page.filter((piece) => !footer(piece));
      expect(page.length - pieces.length).toBe(2);
      expect(pieces.filter(outside).map(({ str }) => str)).toEqual([]);
      const pairs = pieces.flatMap((a, i) =>
        pieces
          .slice(i + 1)
          .filter((b) => overlap(a, b))
          .map((b) => [a.str, b.str]),
      );
      expect(pairs).toEqual([]);
    }
  });

  test('an amount never breaks: long ones are written smaller', async () => {
    const text = (await pdfPages(await drawn(factura(filled(sentence))))).join(' ');
    for (const amount of [
      '123456.123456',
      '98765.123456',
      '12193159274.53',
      '99999999999.99',
      '14022133173.71',
    ]) {
      expect(text).toContain(amount);
    }
  });
});
