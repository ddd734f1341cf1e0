import { type Html, html, type Piece } from '../../domain/html.ts';
import { type Amount, type Decimal, decimal, sum } from '../../domain/money.ts';
import { type Tone, toneFill, tonePatterns } from './tones.ts';

/** A figure of a chart: a count, or a decimal text such as "12.50" (kept exact in sums and tables). */
export type Figure = number | Amount;

/** One kind of thing a chart counts. */
export interface Series {
  /** Names its figures within a bar. */
  key: string;
  /** As the reader knows it. */
  name: string;
  tone: Tone;
}

/** One bar, or one row of the table. */
export interface Bar {
  /** In full, for the table and for who points at the bar. */
  label: string;
  /** Below the bar; the label unless given. */
  short?: string;
  /** By the key of a series; what is missing is zero. */
  values: Readonly<Record<string, Figure>>;
}

/** The words a chart needs beside its data, in the language of its page. */
export interface ChartWords {
  /** Opens the table: "Ver los datos en una tabla". */
  data: string;
  total: string;
}

export interface Chart {
  /** Unique in its page. */
  id: string;
  title: string;
  /** What the chart shows in one sentence, read out before the table. */
  description: string;
  /** What a bar is: "Día". */
  category: string;
  series: readonly Series[];
  bars: readonly Bar[];
  /** How a figure is written, such as "USD 12,50"; plain digits unless given. */
  format?: (value: Decimal) => string;
  words: ChartWords;
}

/** The figure of a series in a bar, exactly. */
export const figureOf = ({ values }: Bar, { key }: Series): Decimal => decimal(values[key] ?? 0);

/** All of a series. */
export const totalOf = (bars: readonly Bar[], series: Series): Decimal =>
  sum(bars.map((bar) => figureOf(bar, series)));

/** All of a bar. */
export const heightOf = (bar: Bar, series: readonly Series[]): Decimal =>
  sum(series.map((one) => figureOf(bar, one)));

export const formatOf = ({ format }: Pick<Chart, 'format'>): ((value: Decimal) => string) =>
  format ?? ((value) => value.toFixed());

/** The drawing between its heading and its data: whoever cannot see it reads the table. */
export function figure(chart: Chart, drawing: Piece): Html {
  return html`<figure class="chart" id="${chart.id}">
<figcaption>${chart.title}</figcaption>
${drawing}
${dataTable(chart)}
</figure>`;
}

/** What an SVG says of itself, after its opening tag. */
export const spoken = ({ id, title, description }: Pick<Chart, 'id' | 'title' | 'description'>): Html =>
  html`<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>`;

/** The names of the series with their totals, each beside its colour and pattern. */
export function legend(id: string, entries: readonly { series: Series; text: string }[]): Html {
  const shown = entries.map(
    ({ series: { name, tone }, text }, at) =>
      html`<li><svg class="chart-swatch" width="14" height="14" aria-hidden="true">${tonePatterns(`${id}-l${at}`, [tone])}<rect width="14" height="14" rx="3" ${toneFill(`${id}-l${at}`, tone)}/></svg>
<span>${name}</span> <strong>${text}</strong></li>`,
  );
  return html`<ul class="chart-legend">${shown}</ul>`;
}

function dataTable(chart: Chart): Html {
  const { series, bars, category, words } = chart;
  const text = formatOf(chart);
  const several = series.length > 1;
  const cell = (value: Decimal) => html`<td>${text(value)}</td>`;
  const all = sum(bars.map((bar) => heightOf(bar, series)));
  return html`<details class="chart-data"><summary>${words.data}</summary>
<div class="chart-scroll" role="region" tabindex="0" aria-label="${chart.title}"><table>
<thead><tr><th scope="col">${category}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}${several && html`<th scope="col">${words.total}</th>`}</tr></thead>
<tbody>${bars.map(
    (bar) =>
      html`<tr><th scope="row">${bar.label}</th>${series.map((one) => cell(figureOf(bar, one)))}${several && cell(heightOf(bar, series))}</tr>
`,
  )}</tbody>
<tfoot><tr><th scope="row">${words.total}</th>${series.map((one) => cell(totalOf(bars, one)))}${several && cell(all)}</tr></tfoot>
</table></div></details>`;
}
