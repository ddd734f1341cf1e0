/**
 * The look of charts, for a stylesheet of their page. Needs `color-scheme` on the page for its dark half; takes the
 * page's colours of ink and lines where it names them. Colours stand 3:1 off their ground.
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
.chart-progress { margin: 0 0 1rem; } .chart-progress label { display: block; margin-bottom: .3rem; } .chart-progress progress { width: 100%; height: 1rem; accent-color: light-dark(#2c8a76, #4bb59d); }
@media (max-width: 40rem) { .chart-minor { display: none; } }
@media (forced-colors: active) { .chart rect { stroke: CanvasText; stroke-width: .5; } .chart-reach { stroke: none; } }
@media print { .chart-data > summary { display: none; } }
`;
