import { describe, expect, it } from 'vitest';
import { identificationTable, ivaTable, paymentForms } from '../../mappers/index.ts';
import { aroundDay, decreedDays, decreeOn } from '../../mappers/tables/decreed-days.ts';
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

  it.each([
    ['17, IVA', ivaTable],
    ['decreed days', decreedDays],
  ])('%s: every row says until when, and when it was last compared with its source', (_, rows) => {
    for (const row of rows) {
      expect([row, row.until === null || day.test(row.until)]).toEqual([row, true]);
      expect([row, row.since === null || row.until === null || row.since <= row.until]).toEqual([row, true]);
      expect([row, day.test(row.checkedOn)]).toEqual([row, true]);
    }
  });

  it('decreed days follow one another, at most 12 in a year', () => {
    const days = decreedDays.map(({ since, until }) => ({
      since,
      until,
      many: 1 + (Date.parse(until) - Date.parse(since)) / 86_400_000,
    }));
    for (const [at, { since }] of days.entries()) expect(since > (days[at - 1]?.until ?? '')).toBe(true);
    for (const [, own] of Map.groupBy(days, ({ since }) => since.slice(0, 4)))
      expect(own.reduce((all, { many }) => all + many, 0)).toBeLessThanOrEqual(12);
  });

  it.each([
    ['2025-12-31', undefined, undefined, 'Decreto 271'],
    ['2026-01-01', 'Decreto 271', undefined, 'Decreto 304'],
    ['2026-01-04', 'Decreto 271', undefined, 'Decreto 304'],
    ['2026-01-05', undefined, 'Decreto 271', 'Decreto 304'],
    ['2026-02-14', 'Decreto 304', 'Decreto 271', undefined],
    ['2026-02-17', 'Decreto 304', 'Decreto 271', undefined],
    ['2026-02-18', undefined, 'Decreto 304', undefined],
  ])('%s: decreed by %s, after %s, before %s', (today, decree, last, next) => {
    expect(decreeOn(today)?.decree).toBe(decree);
    expect([aroundDay(today).last?.decree, aroundDay(today).next?.decree]).toEqual([last, next]);
  });

  it('17, IVA: a stated rate chooses 0 and 15 alone', () => {
    expect(ivaTable.filter(({ byRate }) => byRate).map(({ code, rate }) => [code, rate])).toEqual([
      [0, '0'],
      [4, '15'],
    ]);
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
