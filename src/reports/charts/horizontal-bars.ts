import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { type Html, html } from '../../domain/html.ts';
import type { Decimal } from '../../domain/money.ts';
import { decimal } from '../../domain/money.ts';
import { type Figure, formatOf } from './chart.ts';
import { type Tone, toneFill, tonePatterns } from './tones.ts';

export interface Row {
  label: string;
  value: Figure;
  /** `good` unless given. */
  tone?: Tone;
  /** Where more of it is to be seen. */
  href?: string;
}

export interface HorizontalBars {
  /** Unique in its page. */
  id: string;
  title: string;
  /** The heads of the two columns: what a row is, and what is counted. */
  category: string;
  measure: string;
  rows: readonly Row[];
  format?: (value: Decimal) => string;
}

/**
 * A bar per reason, store or rate, in the order given. Labels may be long, and the figures are few: so the table is
 * the chart, each row with its bar, and there is nothing a reader could miss by not seeing it.
 */
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
