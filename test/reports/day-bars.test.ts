import { describe, expect, test } from 'vitest';
import { dayBars } from '../../src/reports/day-bars.ts';

const bars = (days: [facturas: string, notasCredito: string][]) =>
  dayBars({
    id: 'montos',
    title: 'Montos por día',
    category: 'Día',
    days: days.map(([facturas, notasCredito], at) => ({
      label: `día ${at + 1} <b>`,
      short: `${at + 1}/11`,
      facturas,
      notasCredito,
    })),
    format: (value) => value.toFixed(2),
  }).text;

const rects = (html: string, kind: 'up' | 'down') =>
  [...html.matchAll(new RegExp(`class="bar-${kind}"[^>]*? y="([\\d.]+)" height="([\\d.]+)"`, 'g'))].map(
    ([, y, height]) => [Number(y), Number(height)],
  );

describe('a bar for each day', () => {
  const html = bars([
    ['100.00', '0.00'],
    ['50.00', '50.00'],
    ['0.00', '0.00'],
  ]);

  test('facturas stand above the line and notas de crédito below it, on one scale of 180 pixels', () => {
    expect(rects(html, 'up')).toEqual([
      [0, 120],
      [60, 60],
    ]);
    expect(rects(html, 'down')).toEqual([[120, 60]]);
    expect(html).toContain('y1="120" y2="120"');
  });

  test('the totals are exact, in words, for screen readers and in the table', () => {
    const cents = bars(Array.from({ length: 30 }, () => ['0.10', '0.20']));
    expect(cents).toContain(
      'Facturas: <strong>3.00</strong> · Notas de crédito, bajo la línea: <strong>6.00<',
    );
    expect(cents).toContain('aria-label="Montos por día. Facturas: 3.00. Notas de crédito: 6.00."');
    expect(cents).toContain('<tfoot><tr><th scope="row">Total</th><td>3.00</td><td>6.00</td></tr></tfoot>');
  });

  test('a label is text, and days without documents draw no bar', () => {
    expect(html).toContain('día 1 &lt;b&gt;');
    expect(html).not.toContain('<b>');
    expect(rects(bars([['0.00', '0.00']]), 'up')).toEqual([]);
    expect(bars([])).not.toMatch(/NaN|undefined|Infinity/);
  });
});
