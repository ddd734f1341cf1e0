import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

export interface LineChart {
  title: string;
  /** The unit, such as "seconds". */
  unit: string;
  /** Minutes of the day at which the first value begins, and how many each value covers. */
  from: number;
  step: number;
  lines: readonly { name: string; tone: Tone; values: readonly (number | null)[] }[];
  /** Marked events. */
  spans?: readonly { name: string; from: number; to: number }[];
  isLog?: boolean;
}

export type Tone = 'a' | 'b' | 'c' | 'd';

const size = { width: 860, height: 300, left: 58, right: 12, top: 58, bottom: 26 };

/** A standalone SVG for light and dark pages. */
export function lineChart(chart: LineChart): string {
  const { lines, spans = [], from, step, isLog = false } = chart;
  const known = lines.flatMap(({ values }) => values).filter((value) => value !== null);
  const positive = known.filter((value) => value > 0);
  const most = Math.max(1, ...known);
  const count = Math.max(...lines.map(({ values }) => values.length));
  const x = scaleLinear([from, from + count * step], [size.left, size.width - size.right]);
  const range = [size.height - size.bottom, size.top];
  const least = Math.max(Math.min(...positive), 0.1);
  const y = isLog ? scaleLog([least, most], range).nice() : scaleLinear([0, most], range).nice(4);
  const round = (value: number) => Number(value.toFixed(1));
  const path = line<number | null>()
    .defined((value) => value !== null && (!isLog || value > 0))
    .x((_, n) => round(x(from + (n + 0.5) * step)))
    .y((value) => round(y(value ?? 0)));
  const ticks = isLog ? y.ticks().filter((tick) => /^[1]0*$|^0\.0*1$/.test(String(tick))) : y.ticks(4);
  const hours = Array.from({ length: Math.floor((count * step) / 120) + 1 }, (_, n) => from + n * 120);
  const label = (minute: number) => `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:00`;
  const bottom = size.height - size.bottom;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${chart.title}">`,
    `<style>text{font:12px system-ui,sans-serif;fill:#51605b}.t{font-weight:600;fill:#1d2926}.g{stroke:#dbe2df}.s{fill:#c03a47;opacity:.1}path{fill:none;stroke-width:1.7}.a{stroke:#2c8a76}.b{stroke:#5580c4}.c{stroke:#b07a1a}.d{stroke:#c03a47}@media(prefers-color-scheme:dark){text{fill:#a2b1ac}.t{fill:#e6edea}.g{stroke:#34403d}.a{stroke:#4bb59d}.b{stroke:#7ba4e6}.c{stroke:#dfa94a}.d{stroke:#f08088}}</style>`,
    `<text class="t" x="${size.left}" y="16">${chart.title}</text>`,
    ...lines.map(({ name, tone }, n) => {
      const at = size.left + n * 230;
      return `<path class="${tone}" d="M${at} 34h22"/><text x="${at + 28}" y="38">${name}</text>`;
    }),
    ...spans.map(
      ({ name, from: begins, to }) =>
        `<rect class="s" x="${round(x(begins))}" y="${size.top}" width="${round(x(to) - x(begins))}" height="${bottom - size.top}"><title>${name}</title></rect><text x="${round(x(begins) + 3)}" y="${size.top + 12}">${name}</text>`,
    ),
    ...ticks.map(
      (tick) =>
        `<path class="g" d="M${size.left} ${round(y(tick))}H${size.width - size.right}"/><text x="${size.left - 6}" y="${round(y(tick) + 4)}" text-anchor="end">${tick >= 1_000 ? `${tick / 1_000}k` : tick}</text>`,
    ),
    `<text x="4" y="${size.top - 8}">${chart.unit}</text>`,
    ...hours.map(
      (minute) =>
        `<text x="${round(x(minute))}" y="${size.height - 8}" text-anchor="middle">${label(minute)}</text>`,
    ),
    ...lines.map(({ tone, values }) => `<path class="${tone}" d="${path(values)}"/>`),
    '</svg>',
    '',
  ].join('\n');
}
