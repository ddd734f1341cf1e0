import { describe, expect, it } from 'vitest';
import { identificationTable, ivaTable, paymentForms } from '../../mappers/index.ts';
import { aroundDay, decreedDays, decreeOn } from '../../mappers/tables/holidays.ts';
import { documentTypes, type LawTable, lawOn, lawTables, staleTables } from '../../mappers/tables/law.ts';
import { finalConsumerLimits } from '../../mappers/tables/limits.ts';
import { generalIva } from '../../mappers/tables/taxes.ts';
import { policySchema } from '../../src/config/schema-store.ts';
import { documentCodes } from '../../src/domain/document.ts';
import { hasShared, readShared } from '../support/shared.ts';

const day = /^\d{4}-\d{2}-\d{2}$/;
const rowOf = (id: string, code: string, on: string) =>
  lawOn(on)
    .inForce.find((table) => table.id === id)
    ?.rows.filter((row) => row.code === code)
    .map(({ message }) => message);

describe('the tables of the law', () => {
  it.each(lawTables.map((table) => [table.title, table] as const))(
    '%s: every row says since and until when, by which source, and when it was checked',
    (_, { rows }) => {
      expect(rows.length).toBeGreaterThan(0);
      for (const { code, message, since, until, source, checkedOn } of rows) {
        const days = [since, until].every((one) => one === null || day.test(one));
        expect([code, days, checkedOn]).toEqual([code, true, expect.stringMatching(day)]);
        expect([code, message.length > 1, source.length > 10]).toEqual([code, true, true]);
        if (since && until) expect(since <= until, `${code} ${since} ${until}`).toBe(true);
        if (/[Ff]icha técnica/.test(source)) expect(source, code).toMatch(/2\.3\d/);
      }
    },
  );

  it.each([
    ['limites', 'consumidor final', '2022-10-30', /USD 200\.00/],
    ['limites', 'consumidor final', '2022-10-31', /USD 50\.00/],
    ['limites', 'bancarización', '2023-12-19', /USD 1000\.00/],
    ['limites', 'bancarización', '2023-12-20', /USD 500\.00/],
    ['anulacion', 'anulación', '2025-07-31', /día 10 /],
    ['anulacion', 'anulación', '2026-11-20', /día 7 /],
    ['iva', '4', '2024-04-01', /15 %/],
    ['iva', '8', '2026-01-04', /8 %, solo prestadores de servicios turísticos/],
    ['feriados', '2027-02-08', '2027-02-08', /Carnaval/],
  ])('%s, %s on %s has one row, which says %s', (id, code, on, message) => {
    expect(rowOf(id, code, on)).toEqual([expect.stringMatching(message)]);
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

  it.each([
    ['15 % before April of 2024', '4', '2024-03-31'],
    ['12 % after March', '2', '2024-04-01'],
    ['8 % on a day no decree names', '8', '2026-11-20'],
    ['13 %, which the decree of the first day made 15', '10', '2026-11-20'],
    ['13 % on that day', '10', '2024-04-01'],
  ])('what is not in force is not told: %s', (_, code, on) => {
    expect(rowOf('iva', code, on)).toEqual([]);
  });

  it.each([
    ['2017-05-31', 3],
    ['2024-03-31', 2],
    ['2024-04-01', 4],
    ['2026-02-16', 4],
  ] as const)('the general rate of %s has code %i', (on, code) => {
    expect(generalIva(on)).toBe(code);
  });

  it('no source is named as read that only others told of: the current ficha técnica, decrees and resolutions', () => {
    const sources = lawTables.flatMap(({ rows }) => rows.map(({ source }) => source));
    expect(
      sources.filter((source) => /2\.34|Decreto|Resoluci/.test(source) && !/secundaria/.test(source)),
    ).toEqual([]);
  });

  it('tells what changes next in the order of its days: a row that ends, one that begins, a day by itself', () => {
    const dates = { source: 'Decreto 1, artículo 1', checkedOn: '2026-11-20' };
    const table: LawTable = {
      id: 'x',
      title: 'X',
      rows: [
        { code: 'new', message: 'new', since: '2027-01-01', until: null, ...dates },
        { code: 'old', message: 'old', since: null, until: '2026-12-31', ...dates },
        { code: 'day', message: 'day', since: '2026-12-25', until: '2026-12-25', ...dates },
        { code: 'past', message: 'past', since: '2020-01-01', until: '2020-12-31', ...dates },
        { code: 'always', message: 'always', since: null, until: null, ...dates },
      ],
    };
    const { inForce, next } = lawOn('2026-12-01', [table]);
    expect(inForce[0]?.rows.map(({ code }) => code)).toEqual(['old', 'always']);
    expect(next.map(({ at, what, row }) => [at, what, row.code])).toEqual([
      ['2026-12-25', 'only', 'day'],
      ['2027-01-01', 'begins', 'new'],
      ['2027-01-01', 'ends', 'old'],
    ]);
    expect(lawOn('2027-01-01', [table]).next).toEqual([]);
  });

  it('a table is stale a year after its oldest check', () => {
    expect(staleTables('2027-11-20')).toEqual([]);
    expect(staleTables('2027-11-21').length).toBe(lawTables.length);
  });

  it('what other modules know by heart stands in the tables', () => {
    expect(documentTypes.filter(({ ours }) => ours).map(({ code }) => code)).toEqual(
      Object.values(documentCodes).toSorted(),
    );
    const { finalConsumer } = policySchema.parse({});
    expect(finalConsumer.limit).toBe(finalConsumerLimits.find(({ until }) => until === null)?.limit);
  });
});

describe.skipIf(!hasShared)('the catalogue of the SRI', () => {
  const catalogue = hasShared ? JSON.parse(readShared('data/sri/catalogs.json')) : {};

  it('has just the codes of ours', () => {
    const identifications = Object.values(identificationTable).map(({ code }) => code);
    expect(identifications.toSorted()).toEqual(Object.keys(catalogue.tipo_identificacion).toSorted());
    expect(documentTypes.map(({ code }) => code)).toEqual(
      Object.keys(catalogue.tipos_comprobante).toSorted(),
    );
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
