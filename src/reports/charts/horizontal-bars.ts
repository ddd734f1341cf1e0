import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { type Decimal, decimal, sum } from '../../domain/money.ts';
import { type Html, html } from '../../domain/text.ts';
import {
  type Figure,
  formatOf,
  legend,
  type Series,
  spoken,
  type Tone,
  toneFill,
  tonePatterns,
} from './chart.ts';

interface Row {
  label: string;
  value: Figure;
  /** Default `good`. */
  tone?: Tone;
  href?: string;
}

interface HorizontalBars {
  id: string;
  title: string;
  /** The heads of the two columns: what a row is, and what is counted. */
  category: string;
  measure: string;
  rows: readonly Row[];
  format?: (value: Decimal) => string;
}

/** A bar per reason, store or rate, in the order given: a table whose rows contain the bars, for few figures with long labels. */
export function horizontalBars(chart: HorizontalBars): Html {
  const { id, title, category, measure, rows } = chart;
  const text = formatOf(chart);
  const longest = max(rows, ({ value }) => decimal(value).toNumber()) ?? 0;
  const length = scaleLinear()
    .domain([0, longest > 0 ? longest : 1])
    .range([0, 100]);
  const bar = ({ value, tone = 'good' }: Row, at: number) => {
    const own = `${id}-${at}`;
    const width = Number(length(decimal(value).toNumber()).toFixed(4));
    return html`<svg class="chart-row" height="14" aria-hidden="true">${tonePatterns(own, [tone])}<rect class="chart-track" width="100%" height="14" rx="4"/><rect data-row="${at}" width="${width}%" height="14" rx="4" ${toneFill(own, tone)}/></svg>`;
  };
  return html`<figure class="chart" id="${id}">
<table class="chart-rows"><caption>${title}</caption>
<thead><tr><th scope="col">${category}</th><th scope="col">${measure}</th></tr></thead>
<tbody>${rows.map(
    (row, at) =>
      html`<tr><th scope="row">${row.href === undefined ? row.label : html`<a href="${row.href}">${row.label}</a>`}${bar(row, at)}</th><td>${text(decimal(row.value))}</td></tr>
`,
  )}</tbody></table>
</figure>`;
}

interface ShareBar {
  id: string;
  title: string;
  description: string;
  parts: readonly (Series & { value: Figure })[];
  format?: (value: Decimal) => string;
  /** The decimal mark of shares; default a point. */
  mark?: ',' | '.';
}

/** The parts of a whole: one bar, and below it each part with its figure and share. */
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

/** "12 (8.3 %)"; never 0 % for more than nothing, or 100 % for less than all. */
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
