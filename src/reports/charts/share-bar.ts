import { scaleLinear } from 'd3-scale';
import { type Html, html } from '../../domain/html.ts';
import { type Decimal, decimal, sum } from '../../domain/money.ts';
import { type Figure, formatOf, legend, type Series, spoken } from './chart.ts';
import { toneFill, tonePatterns } from './tones.ts';

export interface ShareBar {
  /** Unique in its page. */
  id: string;
  title: string;
  description: string;
  parts: readonly (Series & { value: Figure })[];
  format?: (value: Decimal) => string;
  /** Between the units and the tenths of a share; a point unless given. */
  mark?: ',' | '.';
}

/** How a whole divides: one bar, and beneath it each part by name, with its figure and its share. */
export function shareBar(chart: ShareBar): Html {
  const { id, parts, title, mark = '.' } = chart;
  const text = formatOf(chart);
  const figures = parts.map(({ value }) => decimal(value));
  const whole = sum(figures);
  const place = scaleLinear()
    .domain([0, whole.isZero() ? 1 : whole.toNumber()])
    .range([0, 100]);
  const percent = (value: number) => `${Number(place(value).toFixed(4))}%`;
  const starts = figures.map((_, at) => sum(figures.slice(0, at)));
  const piece = (series: Series, at: number) => {
    const figure = figures[at] ?? decimal(0);
    if (figure.isZero()) return false;
    return html`<rect data-series="${series.key}" x="${percent((starts[at] ?? decimal(0)).toNumber())}" width="${percent(figure.toNumber())}" height="22" ${toneFill(id, series.tone)}/>`;
  };
  return html`<figure class="chart" id="${id}">
<figcaption>${title}</figcaption>
<svg class="chart-share" height="22" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-desc">${spoken(chart)}${tonePatterns(
    id,
    parts.map(({ tone }) => tone),
  )}<rect class="chart-track" width="100%" height="22"/>${parts.map(piece)}</svg>
${legend(
  id,
  parts.map((series, at) => ({ series, text: shareText(text, figures[at] ?? decimal(0), whole, mark) })),
)}
</figure>`;
}

/** "12 (8.3 %)"; more than nothing is never called 0 %, less than all never 100 %. */
function shareText(text: (value: Decimal) => string, figure: Decimal, whole: Decimal, mark: string): string {
  if (whole.isZero()) return text(figure);
  const exact = figure.times(100).div(whole);
  const rounded = exact.toDecimalPlaces(1);
  const shown =
    rounded.isZero() && !figure.isZero()
      ? '< 0.1'
      : rounded.equals(100) && !figure.equals(whole)
        ? '> 99.9'
        : rounded.toFixed();
  return `${text(figure)} (${shown.replace('.', mark)} %)`;
}

/** How far something has come. The label says it in words too. */
export function progressBar(bar: { id: string; label: string; done: number; of: number }): Html {
  const { id, label, done, of } = bar;
  return html`<p class="chart-progress"><label for="${id}">${label}</label><progress id="${id}" max="${Math.max(of, 1)}" value="${Math.min(done, Math.max(of, 1))}"></progress></p>`;
}
