import { describe, expect, it } from 'vitest';
import { identificationTable, ivaTable, paymentForms } from '../../mappers/index.ts';
import { hasShared, readShared } from '../support/shared.ts';

const day = /^\d{4}-\d{2}-\d{2}$/;

describe('the SRI’s tables', () => {
  it.each([
    ['6, identifications', Object.values(identificationTable)],
    ['17, IVA', ivaTable],
  ])('%s: every row says since when, where a day is known, and by which source', (_, rows) => {
    for (const { code, name, since, source } of rows) {
      expect([code, since === null || day.test(since)]).toEqual([code, true]);
      expect([code, name.length > 1, source.length > 10]).toEqual([code, true, true]);
    }
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
  });

  it('24, forms of payment: every row says since when', () => {
    for (const { since } of Object.values(paymentForms)) expect(since).toMatch(day);
  });
});

describe.skipIf(!hasShared)('the catalogue of the SRI', () => {
  const catalogue = hasShared ? JSON.parse(readShared('data/sri/catalogs.json')) : {};

  it('has just the codes of ours', () => {
    const identifications = Object.values(identificationTable).map(({ code }) => code);
    expect(identifications.toSorted()).toEqual(Object.keys(catalogue.tipo_identificacion).toSorted());
    const rates = ivaTable.map(({ code, rate }) => [String(code), Number(rate)]);
    expect(rates).toEqual(
      Object.entries<{ pct: number }>(catalogue.iva_tabla17).map(([code, { pct }]) => [code, pct]),
    );
    const forms = Object.entries(paymentForms).map(([codigo, { since }]) => [codigo, since]);
    expect(forms.toSorted()).toEqual(
      catalogue.formas_pago_tabla24.map((row: { codigo: string; desde: string }) => [row.codigo, row.desde]),
    );
  });
});
