import { type Amount, type Decimal, decimal, sum } from '../domain/money.ts';
import { type Html, html } from '../domain/text.ts';

export interface DayBar {
  label: string;
  short: string;
  facturas: number | Amount;
  notasCredito: number | Amount;
}

interface DayBars {
  id: string;
  title: string;
  category: string;
  days: readonly DayBar[];
  format: (value: Decimal) => string;
}

const plot = { height: 180, below: 24 };

export function dayBars({ id, title, category, days, format }: DayBars): Html {
  const facturas = days.map((day) => decimal(day.facturas));
  const notas = days.map((day) => decimal(day.notasCredito));
  const [sold, credited] = [format(sum(facturas)), format(sum(notas))];
  const highest = Math.max(0, ...facturas.map(Number));
  const lowest = Math.max(0, ...notas.map(Number));
  const pixels = (value: Decimal) =>
    Number(((Number(value) / (highest + lowest || 1)) * plot.height).toFixed(2));
  const zero = pixels(decimal(highest));
  const width = 100 / Math.max(1, days.length);
  const percent = (value: number) => `${Number(value.toFixed(3))}%`;
  const bar = (day: DayBar, at: number) => {
    const [up, down] = [pixels(facturas[at] ?? decimal(0)), pixels(notas[at] ?? decimal(0))];
    const place = html`x="${percent((at + 0.14) * width)}" width="${percent(0.72 * width)}"`;
    return html`<g><title>${`${day.label}\nFacturas: ${format(decimal(day.facturas))}\nNotas de crédito: ${format(decimal(day.notasCredito))}`}</title>
<rect class="bar-reach" ${place} y="0" height="${plot.height}"/>${up > 0 && html`<rect class="bar-up" ${place} y="${zero - up}" height="${up}"/>`}${down > 0 && html`<rect class="bar-down" ${place} y="${zero}" height="${down}"/>`}</g>
`;
  };
  const label = (at: number, anchor: string, x: string) =>
    html`<text x="${x}" y="${plot.height + 17}" text-anchor="${anchor}">${days[at]?.short}</text>`;
  return html`<figure class="bars" id="${id}"><figcaption>${title}</figcaption>
<p>Facturas: <strong>${sold}</strong> · Notas de crédito, bajo la línea: <strong>${credited}</strong></p>
<svg height="${plot.height + plot.below}" role="img" aria-label="${`${title}. Facturas: ${sold}. Notas de crédito: ${credited}.`}">${days.map(bar)}<line x1="0" x2="100%" y1="${zero}" y2="${zero}"/>${label(0, 'start', '0')}${days.length > 2 && label(Math.floor(days.length / 2), 'middle', '50%')}${days.length > 1 && label(days.length - 1, 'end', '100%')}</svg>
<details><summary>Ver los datos en una tabla</summary><div class="bars-scroll" role="region" tabindex="0" aria-label="${title}"><table>
<thead><tr><th scope="col">${category}</th><th scope="col">Facturas</th><th scope="col">Notas de crédito</th></tr></thead>
<tbody>${days.map(
    (day) =>
      html`<tr><th scope="row">${day.label}</th><td>${format(decimal(day.facturas))}</td><td>${format(decimal(day.notasCredito))}</td></tr>
`,
  )}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${sold}</td><td>${credited}</td></tr></tfoot></table></div></details></figure>`;
}

/** The page sets `color-scheme`, `--soft`, `--line` and `--accent`. Contrast is at least 3:1. */
export const dayBarsStyle = `
.bars { margin: 0 0 1.5rem; min-width: 0; } .bars figcaption { font-weight: 600; } .bars p { margin: 0 0 .6rem; font-variant-numeric: tabular-nums; }
.bars svg { display: block; width: 100%; overflow: visible; } .bars text { fill: var(--soft); font-size: 12px; } .bars line { stroke: var(--soft); shape-rendering: crispEdges; }
.bar-up { fill: light-dark(#2c8a76, #4bb59d); } .bar-down { fill: light-dark(#b07a1a, #dfa94a); } .bar-reach { fill: transparent; } .bars g:hover > .bar-reach { fill: var(--line); opacity: .6; }
.bars details { margin-top: .35rem; font-size: .92rem; } .bars summary { cursor: pointer; color: var(--soft); padding: .35rem 0; width: fit-content; }
.bars-scroll { overflow: auto; max-height: 24rem; } .bars table { border-collapse: collapse; }
.bars th, .bars td { padding: .2rem .9rem .2rem 0; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; font-weight: 400; } .bars th:first-child { text-align: left; }
.bars thead th { border-bottom: 1px solid var(--line); } .bars tfoot th, .bars tfoot td { border-top: 1px solid var(--line); font-weight: 600; }
@media (forced-colors: active) { .bars rect { stroke: CanvasText; stroke-width: .5; } .bar-reach { stroke: none; } }
@media print { .bars summary { display: none; } }
`;
