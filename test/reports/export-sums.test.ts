import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ivaTable } from '../../mappers/index.ts';
import type { Document } from '../../src/domain/document.ts';
import { decimal, sum, toAmount } from '../../src/domain/money.ts';
import {
  documentColumns,
  documentRow,
  excel,
  openIvaSummary,
  plain,
  summaryColumns,
} from '../../src/reports/export/tables.ts';
import type { AuthorizedXml } from '../../src/service/authorized-xml.ts';

/** The tables add up: rows, summary and documents tell the same money, in both styles, for any month. */
const amount = fc.integer({ min: 0, max: 99_999_999 }).map((cents) => decimal(cents).div(100).toFixed(2));
const tax = fc.record({
  codigo: fc.constant('2'),
  codigoPorcentaje: fc.constantFrom(...ivaTable.map(({ code }) => String(code))),
  tarifa: fc.constant(null),
  baseImponible: amount,
  valor: amount,
});
const xml = fc
  .record({
    taxes: fc.uniqueArray(tax, { selector: ({ codigoPorcentaje }) => codigoPorcentaje, maxLength: 4 }),
    name: fc.string(),
  })
  .map(
    ({ taxes, name }) =>
      ({
        claveAcceso: '1'.repeat(49),
        ruc: '1790012345001',
        ambiente: '1',
        fechaEmision: '2026-11-20',
        identificacionComprador: '0102030405',
        razonSocialComprador: name,
        importeTotal: toAmount(sum(taxes.flatMap(({ baseImponible, valor }) => [baseImponible, valor]))),
        totalImpuestos: taxes,
        pagos: [],
        documentoModificado: null,
      }) as unknown as AuthorizedXml,
  );
const document = { storeId: 'tienda', orderName: '#1', secuencial: null } as unknown as Document;

it.each([
  ['excel', excel],
  ['plain', plain],
])('in the style %s', (_name, style) => {
  const kinds = fc.constantFrom('factura' as const, 'nota-credito' as const);
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, xml), { maxLength: 12 }), (month) => {
      const summary = openIvaSummary();
      for (const [kind, one] of month) summary.add(kind, one);
      const read = (columns: readonly string[], rows: string[][]) =>
        parse(stringify([[...columns], ...rows], { delimiter: style.delimiter, bom: style.bom }), {
          bom: true,
          columns: true,
          delimiter: style.delimiter,
        }) as Record<string, string>[];
      const number = (text: string | undefined) => decimal((text ?? '0').replace(',', '.'));
      const total = (rows: Record<string, string>[], column: string) =>
        toAmount(sum(rows.map((row) => number(row[column]))));
      const taxes = read(summaryColumns, summary.rows(style));
      const rowsOf = (kind: string) =>
        read(
          documentColumns,
          month.filter(([of]) => of === kind).map(([, one]) => documentRow({ document, xml: one }, style)),
        );
      const [facturas, credits] = [rowsOf('factura'), rowsOf('nota-credito')];
      for (const { name, rate } of ivaTable) {
        const row = taxes.filter(({ Impuesto }) => Impuesto === name);
        expect(total(row, 'Base en facturas')).toBe(total(facturas, `Base ${name}`));
        expect(total(row, 'Base en notas de crédito')).toBe(total(credits, `Base ${name}`));
        if (rate !== '0') expect(total(row, 'Valor en facturas')).toBe(total(facturas, `Valor ${name}`));
      }
      const money = (rows: Record<string, string>[]) => total(rows, 'Total');
      const net = decimal(money(facturas)).minus(money(credits));
      expect(
        toAmount(sum(taxes.flatMap((row) => [number(row['Base neta']), number(row['Valor neto'])]))),
      ).toBe(toAmount(net));
      // No name begins a formula: it stands behind a quote, and every other one as it is.
      const written = ({ razonSocialComprador: name }: AuthorizedXml) =>
        name?.replace(/^[=+\-@\t\r＝＋－＠]/, "'$&");
      expect(facturas.map(({ Comprador }) => Comprador)).toEqual(
        month.filter(([of]) => of === 'factura').map(([, one]) => written(one)),
      );
    }),
    { numRuns: 60 },
  );
});
