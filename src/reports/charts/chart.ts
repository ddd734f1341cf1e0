import { type Amount, type Decimal, decimal, sum } from '../../domain/money.ts';
import { type Html, html, type Piece } from '../../domain/text.ts';

/** A count, or a decimal text such as "12.50", exact in sums and tables. */
export type Figure = number | Amount;

export interface Series {
  /** Its key in `Bar.values`. */
  key: string;
  name: string;
  tone: Tone;
}

export interface Bar {
  /** For the table and the tooltip. */
  label: string;
  /** Below the bar; default: the label. */
  short?: string;
  /** By the key of a series; default 0. */
  values: Readonly<Record<string, Figure>>;
}

export interface Chart {
  /** Unique in its page. */
  id: string;
  title: string;
  /** What the chart shows, in one sentence for screen readers. */
  description: string;
  /** What a bar is: "Día". */
  category: string;
  series: readonly Series[];
  bars: readonly Bar[];
  /** Writes a figure, such as "USD 12,50"; default: plain digits. */
  format?: (value: Decimal) => string;
  /** `data` opens the table: "Ver los datos en una tabla". */
  words: { data: string; total: string };
}

export const figureOf = ({ values }: Bar, { key }: Series): Decimal => decimal(values[key] ?? 0);

export const totalOf = (bars: readonly Bar[], series: Series): Decimal =>
  sum(bars.map((bar) => figureOf(bar, series)));

export const heightOf = (bar: Bar, series: readonly Series[]): Decimal =>
  sum(series.map((one) => figureOf(bar, one)));

export const formatOf = ({ format }: Pick<Chart, 'format'>): ((value: Decimal) => string) =>
  format ?? ((value) => value.toFixed());

/** A drawing with its heading and, for those who cannot see it, its data as a table. */
export function figure(chart: Chart, drawing: Piece): Html {
  return html`<figure class="chart" id="${chart.id}">
<figcaption>${chart.title}</figcaption>
${drawing}
${dataTable(chart)}
</figure>`;
}

/** The title and description of an SVG, after its opening tag. */
export const spoken = ({ id, title, description }: Pick<Chart, 'id' | 'title' | 'description'>): Html =>
  html`<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>`;

/** The series with their totals, colours and patterns. */
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

/**
 * The styles of charts, for a stylesheet of their page. The page must set `color-scheme` and may set `--soft` and `--line`.
 * Contrast is at least 3:1.
 */
export const chartStyle = `
.chart { --tone-good: light-dark(#2c8a76, #4bb59d); --tone-wait: light-dark(#5580c4, #7ba4e6); --tone-odd: light-dark(#b07a1a, #dfa94a);
  --tone-bad: light-dark(#c03a47, #f08088); --tone-rest: light-dark(#7f8c88, #8b9894);
  --chart-mark: light-dark(#ffffffb0, #0e1312a0); --chart-soft: var(--soft, light-dark(#51605b, #a2b1ac)); --chart-line: var(--line, light-dark(#dbe2df, #34403d));
  margin: 0 0 1.5rem; min-width: 0; }
.chart figcaption, .chart caption { text-align: left; font-weight: 600; margin: 0 0 .5rem; padding: 0; }
.tone-good { fill: var(--tone-good); } .tone-wait { fill: var(--tone-wait); } .tone-odd { fill: var(--tone-odd); }
.tone-bad { fill: var(--tone-bad); } .tone-rest { fill: var(--tone-rest); }
.chart-mark { stroke: var(--chart-mark); stroke-width: 1.6; fill: none; } .chart-dot { fill: var(--chart-mark); }
.chart-track { fill: var(--chart-line); opacity: .55; }
.chart-reach { fill: transparent; } .chart g:hover > .chart-reach { fill: var(--chart-line); opacity: .6; }
.chart-plot { display: flex; } .chart-axis { flex: none; } .chart-bars { flex: 1 1 0; min-width: 0; width: 100%; overflow: visible; }
.chart-axis text { text-anchor: end; } .chart-axis text, .chart-label { fill: var(--chart-soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.chart-grid { stroke: var(--chart-line); stroke-width: 1; shape-rendering: crispEdges; }
.chart-legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: 0 0 .6rem; padding: 0; font-size: .92rem; }
.chart-legend li { display: inline-flex; align-items: center; gap: .4rem; } .chart-legend strong { font-variant-numeric: tabular-nums; }
.chart-swatch { flex: none; } .chart-share { display: block; width: 100%; border-radius: 6px; margin: 0 0 .6rem; } .chart-row { display: block; width: 100%; margin-top: .25rem; }
.chart-rows { width: 100%; border-collapse: collapse; } .chart-rows thead th { font-weight: 400; font-size: .85rem; color: var(--chart-soft); }
.chart-rows th { text-align: left; font-weight: 400; padding: .35rem 0; } .chart-rows td, .chart-rows thead th + th { text-align: right; padding: .35rem 0 .35rem 1.2rem; white-space: nowrap; }
.chart-rows td { width: 1%; font-weight: 600; font-variant-numeric: tabular-nums; vertical-align: bottom; }
.chart-data { margin-top: .35rem; font-size: .92rem; } .chart-data summary { cursor: pointer; color: var(--chart-soft); padding: .35rem 0; width: fit-content; }
.chart-scroll { overflow: auto; max-height: 24rem; } .chart-data table { border-collapse: collapse; }
.chart-data th, .chart-data td { padding: .2rem .9rem .2rem 0; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; font-weight: 400; }
.chart-data thead th { border-bottom: 1px solid var(--chart-line); vertical-align: bottom; } .chart-data th:first-child { text-align: left; }
.chart-data tfoot th, .chart-data tfoot td { border-top: 1px solid var(--chart-line); font-weight: 600; }
@media (max-width: 40rem) { .chart-minor { display: none; } }
@media (forced-colors: active) { .chart rect { stroke: CanvasText; stroke-width: .5; } .chart-reach { stroke: none; } }
@media print { .chart-data > summary { display: none; } }
`;

/** The meaning of a colour. Each has its own pattern, for colour-blind readers and for print. */
export type Tone = 'good' | 'wait' | 'odd' | 'bad' | 'rest';
export const tones: readonly Tone[] = ['good', 'wait', 'odd', 'bad', 'rest'];

/** The pattern over each colour; `good` is plain. */
const marks: Readonly<Record<Tone, { size: number; turn: number; mark: Html } | null>> = {
  good: null,
  wait: { size: 6, turn: 45, mark: html`<path class="chart-mark" d="M0 0V6"/>` },
  odd: { size: 6, turn: 0, mark: html`<circle class="chart-dot" cx="3" cy="3" r="1.4"/>` },
  bad: { size: 5, turn: 45, mark: html`<path class="chart-mark" d="M0 0V5M0 0H5"/>` },
  rest: { size: 5, turn: 0, mark: html`<path class="chart-mark" d="M0 1H5"/>` },
};

/** The patterns of an SVG that uses `toneFill` with the same id; SVGs do not share patterns. */
export function tonePatterns(id: string, used: readonly Tone[]): Html | false {
  const drawn = [...new Set(used)].flatMap((tone) => {
    const pattern = marks[tone];
    if (pattern === null) return [];
    const { size, turn, mark } = pattern;
    return html`<pattern id="${id}-${tone}" width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><rect class="tone-${tone}" width="${size}" height="${size}"/>${mark}</pattern>`;
  });
  return drawn.length > 0 && html`<defs>${drawn}</defs>`;
}

export const toneFill = (id: string, tone: Tone): Html =>
  marks[tone] === null ? html`class="tone-${tone}"` : html`fill="url(#${id}-${tone})"`;
