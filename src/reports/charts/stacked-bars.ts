import { max } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { decimal } from '../../domain/money.ts';
import { type Html, html } from '../../domain/text.ts';
import {
  type Bar,
  type Chart,
  figure,
  figureOf,
  formatOf,
  heightOf,
  legend,
  spoken,
  toneFill,
  tonePatterns,
  totalOf,
} from './chart.ts';

/** Pixels: the height of the bars, and the space above and below them. */
const plot = { height: 180, above: 10, below: 24 };

/**
 * A stacked bar per day or week, without negative figures. Horizontal measures are percentages, so that the drawing fills
 * its place and the letters keep their size.
 */
export function stackedBars(chart: Chart): Html {
  const { id, bars, series } = chart;
  const text = formatOf(chart);
  const highest = max(bars, (bar) => heightOf(bar, series).toNumber()) ?? 0;
  const y = scaleLinear()
    .domain([0, highest > 0 ? highest : 1])
    .nice(4)
    .range([plot.above + plot.height, plot.above]);
  const x = scaleBand<number>()
    .domain(bars.map((_, at) => at))
    .range([0, 100])
    .padding(bars.length > 45 ? 0.18 : 0.28);
  const layers = stack<unknown, Bar, (typeof series)[number]>()
    .keys([...series])
    .value((bar, one) => figureOf(bar, one).toNumber())([...bars]);
  const shown = (at: number) => layers.map((layer) => ({ one: layer.key, span: layer[at] ?? [0, 0] }));
  const percent = (value: number) => `${Number(value.toFixed(4))}%`;
  const pixels = (value: number) => Number(value.toFixed(3));

  const column = (bar: Bar, at: number) => html`<g><title>${tooltip(chart, bar)}</title>
<rect class="chart-reach" x="${percent(x(at) ?? 0)}" y="${plot.above}" width="${percent(x.bandwidth())}" height="${plot.height}"/>
${shown(at).map(({ one, span: [from, to] }) => to > from && html`<rect data-series="${one.key}" x="${percent(x(at) ?? 0)}" y="${pixels(y(to))}" width="${percent(x.bandwidth())}" height="${pixels(y(from) - y(to))}" ${toneFill(id, one.tone)}/>`)}</g>
`;
  const ticks = y.ticks(4).filter((tick) => tick === 0 || Number.isInteger(tick) || highest < 4);
  const size = html`height="${plot.above + plot.height + plot.below}"`;
  return figure(
    chart,
    html`${legend(
      id,
      series.map((one) => ({ series: one, text: text(totalOf(bars, one)) })),
    )}
<div class="chart-plot"><svg class="chart-axis" width="52" ${size} aria-hidden="true">${ticks.map((tick) => html`<text x="46" y="${pixels(y(tick) + 4)}">${axisText(tick)}</text>`)}</svg>
<svg class="chart-bars" ${size} role="img" aria-labelledby="${id}-title" aria-describedby="${id}-desc">${spoken(chart)}${tonePatterns(
      id,
      series.map(({ tone }) => tone),
    )}
${ticks.map((tick) => html`<line class="chart-grid" x1="0" x2="100%" y1="${pixels(y(tick))}" y2="${pixels(y(tick))}"/>`)}
${bars.map(column)}${bars.map((bar, at) => label(bar, at, bars.length, percent((x(at) ?? 0) + x.bandwidth() / 2)))}</svg></div>`,
  );
}

/** The label of a bar, or of every n-th counted from the last (today): ten on a wide screen, fewer on a telephone. */
function label(bar: Bar, at: number, count: number, x: string): Html | false {
  const fromLast = count - 1 - at;
  const step = Math.max(1, Math.ceil(count / 10));
  if (fromLast % step !== 0) return false;
  const isDense = count > 14;
  const anchor = fromLast === 0 && isDense ? 'end' : 'middle';
  const place = anchor === 'end' ? '100%' : x;
  const minor = count > 5 && (fromLast / step) % (isDense ? 3 : 2) !== 0;
  return html`<text class="chart-label${minor && ' chart-minor'}" x="${place}" y="${plot.above + plot.height + 17}" text-anchor="${anchor}">${bar.short ?? bar.label}</text>`;
}

function tooltip(chart: Chart, bar: Bar): string {
  const text = formatOf(chart);
  const parts = chart.series
    .map((one) => ({ one, value: figureOf(bar, one) }))
    .filter(({ value }) => !value.isZero())
    .map(({ one, value }) => `${one.name}: ${text(value)}`);
  return [bar.label, ...(parts.length > 0 ? parts : [text(decimal(0))])].join('\n');
}

/** "1.5k" for 1500; the table has the exact figures. */
function axisText(value: number): string {
  const [by, letter] = value >= 1e6 ? [1e6, 'M'] : value >= 1000 ? [1000, 'k'] : [1, ''];
  return `${Number((value / by).toFixed(2))}${letter}`;
}
