import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum, toAmount } from '../../../src/domain/money.ts';
import { type Bar, chartStyle, type Series, tones } from '../../../src/reports/charts/chart.ts';
import { horizontalBars, shareBar } from '../../../src/reports/charts/horizontal-bars.ts';
import { stackedBars } from '../../../src/reports/charts/stacked-bars.ts';

const series: Series[] = [
  { key: 'authorized', name: 'Autorizadas', tone: 'good' },
  { key: 'processing', name: 'En proceso', tone: 'wait' },
  { key: 'rejected', name: 'Rechazadas', tone: 'bad' },
];
const words = { data: 'Ver los datos', total: 'Total' };
const asked = { id: 'dias', title: 'Por día', description: 'Comprobantes por día.', category: 'Día', words };

const amount = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => toAmount(String(cents / 100)));
const bars = fc
  .array(fc.record({ authorized: amount, processing: amount, rejected: amount }), {
    minLength: 1,
    maxLength: 90,
  })
  .map((list): Bar[] => list.map((values, at) => ({ label: `día ${at}`, values })));

const numbers = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((hit) => Number(hit[1]));
const heights = (text: string, key: string) =>
  numbers(text, new RegExp(`data-series="${key}"[^>]* height="([^"]*)"`, 'g'));

describe('bars by day', () => {
  test('are as high as their figures, each part on the one below it', () => {
    fc.assert(
      fc.property(bars, (list) => {
        const text = stackedBars({ ...asked, series, bars: list }).text;
        const columns = text.split('<g>').slice(1);
        expect(columns).toHaveLength(list.length);
        const totals = list.map((bar) => Number(sum(Object.values(bar.values).map(String)).toFixed()));
        const highest = Math.max(...totals);
        const drawn = columns.map((column) =>
          numbers(column, /data-series[^>]* height="([^"]*)"/g).reduce((a, b) => a + b, 0),
        );
        const scale = Math.max(...drawn) / (highest || 1);
        for (const [at, total] of totals.entries())
          expect(Math.abs((drawn[at] ?? 0) - total * scale)).toBeLessThan(0.02);
        for (const column of columns) {
          const parts = [...column.matchAll(/data-series[^>]* y="([^"]*)"[^>]* height="([^"]*)"/g)];
          for (let at = 1; at < parts.length; at += 1) {
            const [above, below] = [parts[at], parts[at - 1]];
            expect(Number(above?.[1]) + Number(above?.[2])).toBeCloseTo(Number(below?.[1]), 2);
          }
        }
      }),
    );
  });

  test('stand beside a table that adds up to the cent', () => {
    fc.assert(
      fc.property(bars, (list) => {
        const text = stackedBars({ ...asked, series, bars: list, format: (value) => value.toFixed(2) }).text;
        const foot = /<tfoot>(.*)<\/tfoot>/.exec(text)?.[1] ?? '';
        const cells = [...foot.matchAll(/<td>([^<]*)<\/td>/g)].map((hit) => hit[1]);
        const each = series.map(({ key }) => sum(list.map(({ values }) => String(values[key]))));
        expect(cells).toEqual([...each, sum(each)].map((value) => value.toFixed(2)));
        expect(text.match(/<tbody>(.*)<\/tbody>/s)?.[1]?.match(/<tr>/g)).toHaveLength(list.length);
      }),
    );
  });

  test('of nothing are empty, not broken', () => {
    const text = stackedBars({ ...asked, series, bars: [{ label: 'hoy', values: {} }] }).text;
    expect(heights(text, 'authorized')).toEqual([]);
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    expect(stackedBars({ ...asked, series, bars: [] }).text).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('name at most ten of 90 days below, today among them', () => {
    const list = Array.from({ length: 90 }, (_, at) => ({
      label: `día ${at}`,
      short: `<${at}>`,
      values: { authorized: at },
    }));
    const labels = [
      ...stackedBars({ ...asked, series, bars: list }).text.matchAll(/class="chart-label[^>]*>([^<]*)</g),
    ];
    expect(labels.length).toBeLessThanOrEqual(10);
    expect(labels.at(-1)?.[1]).toBe('&lt;89&gt;');
  });
});

test('rows are as long as their figures, the longest over the whole width', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 20 }), (values) => {
      const rows = values.map((value, at) => ({ label: `fila ${at}`, value }));
      const text = horizontalBars({
        id: 'f',
        title: 'Motivos',
        category: 'Motivo',
        measure: 'Pedidos',
        rows,
      });
      const widths = numbers(text.text, /data-row="\d+" width="([^"]*)%"/g);
      const longest = Math.max(...values, 1);
      expect(widths).toHaveLength(values.length);
      for (const [at, value] of values.entries()) expect(widths[at]).toBeCloseTo((value / longest) * 100, 3);
    }),
  );
});

test('the parts of a whole cover it without gap or overlap', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 5 }), (values) => {
      const parts = values.map((value, at) => ({
        key: `p${at}`,
        name: `Parte ${at}`,
        tone: tones[at] ?? 'rest',
        value,
      }));
      const text = shareBar({ id: 's', title: 'Reparto', description: 'Cómo se reparte.', parts }).text;
      const spans = [...text.matchAll(/data-series[^>]* x="([^"]*)%" width="([^"]*)%"/g)];
      const covered = spans.reduce((end, [, x, width]) => {
        expect(Number(x)).toBeCloseTo(end, 2);
        return Number(x) + Number(width);
      }, 0);
      expect(covered).toBeCloseTo(sum(values).isZero() ? 0 : 100, 2);
    }),
  );
});

test('a part of less than all is never called 100 %, more than nothing never 0 %', () => {
  const parts = [
    { key: 'a', name: 'A', tone: 'good' as const, value: 999_999 },
    { key: 'b', name: 'B', tone: 'bad' as const, value: 1 },
  ];
  const text = shareBar({ id: 's', title: 'Reparto', description: 'Cómo se reparte.', parts }).text;
  expect(text).toContain('999999 (&gt; 99.9 %)');
  expect(text).toContain('1 (&lt; 0.1 %)');
});

describe('every chart', () => {
  const nasty = '"><script>alert(1)</script>';
  const every = [
    stackedBars({
      ...asked,
      id: 'uno',
      title: nasty,
      description: nasty,
      category: nasty,
      series: tones.map((tone) => ({ key: tone, name: nasty, tone })),
      bars: [{ label: nasty, values: Object.fromEntries(tones.map((tone) => [tone, 1])) }],
    }),
    horizontalBars({
      id: 'dos',
      title: nasty,
      category: nasty,
      measure: nasty,
      rows: tones.map((tone) => ({ label: nasty, value: 2, tone, href: nasty })),
    }),
    shareBar({
      id: 'tres',
      title: nasty,
      description: nasty,
      parts: tones.map((tone) => ({ key: tone, name: nasty, tone, value: 1 })),
    }),
  ].map(({ text }) => text);

  test.each(every)('escapes what it is given and styles nothing inline', (text) => {
    expect(text).not.toContain('<script>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/ style=|<style/);
  });

  test('fills with patterns it defines, and uses no id twice', () => {
    const text = every.join('');
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((hit) => hit[1]);
    const named = [...text.matchAll(/url\(#([^)]*)\)|aria-(?:labelledby|describedby)="([^"]*)"/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(ids).toEqual(expect.arrayContaining(named.map((hit) => hit[1] ?? hit[2])));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('uses only classes its stylesheet knows', () => {
    const used = every.flatMap((text) =>
      [...text.matchAll(/class="([^"]*)"/g)].flatMap((hit) => (hit[1] ?? '').split(' ')),
    );
    for (const name of new Set(used)) expect(chartStyle).toMatch(new RegExp(`\\.${name}\\b`));
  });
});
