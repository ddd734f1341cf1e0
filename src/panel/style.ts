import { colours, copyScript, openAssets } from '../http/assets.ts';
import { dayBarsStyle } from '../reports/day-bars.ts';

/** Every text is at least 4.5:1 on its ground, everything to touch at least 44 px high. */
const panelStyle = `
${colours}
:root { --warn: light-dark(#8a5200, #f5bd6a); --warn-wash: light-dark(#fff3df, #33270f); --good: light-dark(#0b6355, #57c9b1); --shade: 0 1px 2px rgb(0 0 0 / .06), 0 4px 14px rgb(0 0 0 / .04); }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: 2px; } p { margin: 0 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .35rem; }
h2 { font-size: 1.05rem; line-height: 1.35; margin: 0 0 .35rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; } main:focus { outline: 0; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -6rem; z-index: 3; padding: .7rem 1rem; background: var(--card); border: 2px solid var(--accent); border-radius: 10px; } .skip:focus { top: .5rem; }
header { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.25rem; max-width: 68rem; margin: 0 auto; padding: .35rem clamp(.9rem, 3vw, 1.75rem); }
.mark { display: inline-flex; align-items: center; gap: .55rem; min-height: 44px; font-weight: 700; letter-spacing: -.01em; color: var(--ink); text-decoration: none; } .mark img { display: block; }
nav ul { display: flex; flex-wrap: wrap; gap: .1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 .8rem; border-radius: 10px; color: var(--soft); text-decoration: none; font-weight: 600; }
nav a:hover { color: var(--ink); background: var(--ground); } nav a[aria-current] { color: var(--accent); background: var(--wash); }
.me { display: flex; align-items: center; gap: .35rem .9rem; margin-left: auto; } .me form { display: contents; }
.who { font-weight: 600; overflow-wrap: anywhere; } .who small { display: block; font-weight: 400; color: var(--soft); line-height: 1.1; }
a.quiet, button.quiet { display: inline-flex; align-items: center; min-height: 44px; padding: 0 .35rem; border: 0; background: none; color: var(--accent); font: inherit; cursor: pointer; text-decoration: underline; text-underline-offset: 2px; }
main { max-width: 68rem; margin: 0 auto; padding: 1.6rem clamp(.9rem, 3vw, 1.75rem) 4rem; }
.outside main { max-width: 26rem; margin: clamp(1rem, 8vh, 5rem) auto; padding: 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shade); }
@media (max-width: 28rem) { .outside main { border: 0; border-radius: 0; margin: 0; min-height: 80vh; } }
.soft, .hint { color: var(--soft); } .hint { font-size: .95rem; margin: .35rem 0 0; } .hint:empty { margin: 0; }
.notice:focus { outline: 0; } h1 + .notice { margin-top: .75rem; } .notice { padding: .8rem 1rem; border-radius: 10px; background: var(--wash); border-left: 4px solid var(--good); } .notice.bad { background: var(--bad-wash); border-color: var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13.5rem, 45%), 1fr)); gap: .7rem; margin: .9rem 0 1rem; } .tiles > div { padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shade); } .tiles .wants { border-color: var(--warn); }
.tiles dt { color: var(--soft); font-size: .93rem; line-height: 1.3; } .tiles dd { margin: .2rem 0 0; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .6rem; font-variant-numeric: tabular-nums; } .tiles strong { font-size: 1.65rem; line-height: 1.2; letter-spacing: -.02em; } .tiles dd span { color: var(--soft); font-size: .93rem; } .tiles .wants strong { color: var(--warn); } h2.over { font-size: 1.2rem; margin: 1.5rem 0 0; }
.cards { display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.card { overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1rem 1.15rem; box-shadow: var(--shade); }
.card.now { border-left: 5px solid var(--bad); } .card.soon { border-left: 5px solid var(--warn); } .card.later { border-left: 5px solid var(--line); }
.card > :last-child { margin-bottom: 0; }
.lead h3 { font-size: 1.05rem; line-height: 1.35; flex: 1 1 14rem; overflow-wrap: anywhere; } .lead { display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: baseline; justify-content: space-between; }
.facts { display: flex; flex-wrap: wrap; gap: .1rem .55rem; margin: 0 0 .75rem; padding: 0; list-style: none; color: var(--soft); font-size: .95rem; font-variant-numeric: tabular-nums; }
ul.facts > li:not(:last-child)::after { content: "·" / ""; margin-left: .55rem; }
.chip { display: inline-flex; align-items: center; gap: .35rem; padding: .1rem .6rem; border-radius: 99px; font-size: .9rem; font-weight: 600; background: var(--wash); color: var(--accent); font-variant-numeric: tabular-nums; }
.chip.bad { background: var(--bad-wash); color: var(--bad); } .chip.warn { background: var(--warn-wash); color: var(--warn); }
.amount { font-weight: 700; font-variant-numeric: tabular-nums; white-space: nowrap; }
.acts { display: flex; flex-wrap: wrap; gap: .55rem; align-items: center; margin-top: .75rem; } .acts > .quiet:first-child { margin-left: -.35rem; } .act { display: contents; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: .4rem 1.05rem; font: inherit; font-weight: 600; border-radius: 10px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; }
button.plain, .button.plain { background: transparent; color: var(--accent); } button:active, .button:active { translate: 0 1px; }
label, legend { font-weight: 600; padding: 0; } fieldset { border: 0; padding: 0; margin: 0; }
input[type=text], input[type=email], input[type=password], input[type=search], input[type=date], input[type=month], select { width: 100%; min-height: 46px; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--soft); border-radius: 10px; }
form.entry { display: grid; gap: .4rem; margin-top: 1.1rem; } form.entry > :is(div, fieldset) { margin-bottom: .7rem; } form.entry > div > label { display: block; margin-bottom: .35rem; } form.entry button { min-height: 48px; margin-top: .4rem; }
.table { overflow-x: auto; margin: 1rem 0; background: var(--card); border: 1px solid var(--line); border-radius: 14px; } table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .6rem .9rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); } thead th { color: var(--soft); font-size: .9rem; white-space: nowrap; } tr:last-child > * { border-bottom: 0; } td.number, th.number { text-align: right; white-space: nowrap; }
.empty { padding: 2.2rem 1.25rem; text-align: center; background: var(--card); border: 1px solid var(--line); border-radius: 14px; } .empty p:last-child { margin: 0; }
.key { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92rem; overflow-wrap: anywhere; }
.rows { margin: 0; padding: 0; list-style: none; } .rows li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; padding: .5rem 0; border-top: 1px solid var(--line); } .rows .acts { margin: 0; }
.two { display: grid; gap: 1rem; margin-top: 1rem; align-items: start; } .two > section { margin: 0; } @media (min-width: 52rem) { .two { grid-template-columns: 3fr 2fr; } } .narrow { max-width: 40rem; margin-top: 1rem; }
.kinds { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .5rem; margin-top: .35rem; } .kinds label { display: flex; align-items: center; gap: .55rem; min-height: 46px; padding: .35rem .7rem; border: 1px solid var(--line); border-radius: 10px; font-weight: 400; }
.kinds label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--wash); } .kinds label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; } .kinds input:focus-visible { outline: 0; }
input[type=radio], input[type=checkbox] { accent-color: var(--accent); width: 1.15rem; height: 1.15rem; margin: 0 !important; flex: none; } .check { display: flex; gap: .6rem; align-items: flex-start; padding: .6rem 0; font-weight: 400; } .check input { margin-top: .2rem !important; }
[aria-invalid=true] { border-color: var(--bad) !important; } .flaw { color: var(--bad); font-size: .95rem; margin: .35rem 0 0; } .flaw:empty { display: none; } .flaw.good { color: var(--good); } .notice.bad ul { margin: .35rem 0 0; padding-left: 1.2rem; } .notice.bad p { margin: 0; font-weight: 600; }
.log { margin: 1rem 0; padding: 0; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 14px; font-variant-numeric: tabular-nums; } .log li { display: grid; gap: .1rem 1rem; padding: .7rem 1.1rem; border-top: 1px solid var(--line); } .log li:first-child { border-top: 0; } .log .soft { font-size: .95rem; overflow-wrap: anywhere; } .log .chip { justify-self: start; }
@media (min-width: 52rem) { .log li { grid-template-columns: 8rem minmax(0, 14rem) minmax(0, 1fr) auto; align-items: center; } }
details { margin-top: -.5rem; } details summary { min-height: 44px; display: inline-flex; align-items: center; cursor: pointer; color: var(--accent); font-weight: 600; }
iframe { width: 100%; height: min(78vh, 62rem); border: 1px solid var(--line); border-radius: 10px; background: #fff; }
@media (max-width: 44rem) { header { position: static; } html { scroll-padding-top: 0; } nav { order: 3; width: 100%; } nav a { padding: 0 .65rem; } .who small, .mark span { display: none; } h1 { font-size: 1.4rem; } }
@media (prefers-reduced-motion: no-preference) { button, .button, nav a { transition: background-color .12s, color .12s; } }
input.code { letter-spacing: .25em; font-size: 1.25rem; } .qr { display: block; width: min(100%, 13rem); height: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 10px; }
.steps { padding-left: 1.3rem; } .steps > li { padding-left: .25rem; margin-bottom: 1rem; } .steps > li::marker { font-weight: 700; color: var(--accent); } .codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(12.5rem, 1fr)); gap: .35rem 1.5rem; margin: 1rem 0; padding: 1rem 1.15rem; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 14px; } details.other { margin: .75rem 0 .25rem; } details.other .hint { margin-top: .9rem; } form.leave { margin-left: -.35rem; } @media (pointer: fine) { .onphone { display: none; } }
[hidden] { display: none !important; }
`;

const detailStyle = `
section { margin: 1.8rem 0 0; } section > h2 { font-size: 1.15rem; margin-bottom: .6rem; }
.chip.plain { background: var(--ground); color: var(--soft); border: 1px solid var(--line); }
blockquote { margin: 0 0 1rem; padding: .7rem 1rem; background: var(--card); border-left: 4px solid var(--warn); border-radius: 0 10px 10px 0; } blockquote > :last-child { margin: 0; }
.pairs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 40%), 1fr)); gap: 1rem 1.5rem; margin: 1.2rem 0 0; padding: 1rem 1.15rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shade); }
.pairs > div:has(.key) { grid-column: 1 / -1; } .pairs dt { color: var(--soft); font-size: .9rem; } .pairs dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; } .pairs dd .key { font-weight: 400; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; } @media (max-width: 52rem) { .columns { grid-template-columns: 1fr; } }
.line { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); } .line > li { position: relative; padding: 0 0 .8rem; overflow-wrap: anywhere; } .line > li::before { content: ""; position: absolute; left: -1.5rem; top: .45rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--soft); border: 2px solid var(--ground); }
.line > .to-authorized::before { background: var(--good); } .line > .to-rejected::before, .line > .to-manual::before, .line > .to-error::before, .line > .to-refused::before { background: var(--bad); } .line > .to-held::before, .line > .to-uncertain::before, .line > .to-unknown::before { background: var(--warn); }
.line ul { margin: .2rem 0 0; padding-left: 1.1rem; }
.why { margin: 0 0 .9rem; padding-left: 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere; } .why .missing { color: var(--bad); } .why .passed-over { color: var(--soft); } .why .warning { color: var(--warn); }
.fold { margin: .8rem 0 0; } .fold > summary { gap: .5rem; font-weight: 600; } .fold > summary::before { content: "▸" / ""; } .fold[open] > summary::before { content: "▾" / ""; } iframe { margin-top: .8rem; } pre { overflow: auto; max-height: 32rem; margin: .4rem 0 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; font: .88rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.find .one { display: flex; gap: .55rem; margin-top: .35rem; } .find .one input { flex: 1; min-width: 0; } .find .hint { margin-bottom: .2rem; }
.find input[type=date] { max-width: 14rem; } .find + .empty { margin-top: 1rem; } .acts + p { margin-top: .9rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .8rem; align-items: end; margin: .4rem 0 1rem; } .filters.wide { grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); } .filters label { font-size: .92rem; } .filters .acts { margin: 0; }
tbody th { font-weight: 600; }
@media (max-width: 44rem) {
  .asCards { background: none; border: 0; overflow: visible; } .asCards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .asCards table, .asCards tbody { display: block; } .asCards tr { display: block; margin: 0 0 .7rem; padding: .85rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shade); }
  .asCards th, .asCards td { display: flex; justify-content: space-between; gap: 1rem; padding: .15rem 0; border: 0; text-align: right; } .asCards tbody th { padding-bottom: .35rem; text-align: left; } .asCards td::before { content: attr(data-name); color: var(--soft); } .asCards td:empty { display: none; }
  .onlywide { display: none; }
  .table:not(.asCards) :is(th, td) { padding: .5rem .45rem; font-size: .92rem; }
}
.stores { display: grid; gap: 1rem; margin: 1rem 0 0; padding: 0; list-style: none; } .stores .pairs { margin: .7rem 0 0; padding: 0; border: 0; box-shadow: none; background: none; gap: .8rem 1.5rem; }
.stores .pairs > div:has(.key) { grid-column: auto; } .stores h3 { margin-top: 1rem; color: var(--soft); font-size: .92rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-top: .8rem; } .choice { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 1.2rem; } .choice a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 .95rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); color: var(--ink); text-decoration: none; } .choice a[aria-current] { border-color: var(--accent); background: var(--wash); color: var(--accent); font-weight: 600; }
.panelled { background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shade); padding: 1.1rem 1.2rem .3rem; margin: 0 0 1rem; } .panelled summary { display: flex; gap: .5rem; } .panelled summary::before { content: "▸" / ""; } .panelled [open] > summary::before { content: "▾" / ""; } .panelled table { width: auto; } .panelled th, .panelled td { border: 0; }
.said { margin: 0; padding-left: 1.1rem; } .said > li { padding: .25rem 0; } tr.wrong > * { background: var(--bad-wash); } tr.sum > * { font-weight: 700; border-top: 2px solid var(--line); } th.inner { padding-left: 2rem; font-weight: 400; }
.verdict { margin-top: 1.2rem; display: flex; gap: .9rem; align-items: center; padding: 1.1rem 1.2rem; border-radius: 14px; border: 1px solid var(--line); border-left: 6px solid var(--good); background: var(--card); font-size: 1.1rem; font-weight: 600; box-shadow: var(--shade); } .verdict.red { border-left-color: var(--bad); } .verdict.incomplete, .verdict.partial { border-left-color: var(--warn); } .verdict p { margin: 0; } .verdict .sign { font-size: 1.7rem; line-height: 1; } .verdict.green .sign { color: var(--good); } .verdict.red .sign { color: var(--bad); } .verdict.incomplete .sign, .verdict.partial .sign { color: var(--warn); }
`;

/** Every page works without it. */
const panelScript = `
const words = (minutes) => {
  const days = Math.floor(minutes / 1440), hours = Math.floor((minutes % 1440) / 60);
  if (days > 0) return days + ' d ' + hours + ' h';
  return hours > 0 ? hours + ' h ' + (minutes % 60) + ' min' : minutes + ' min';
};
const clocks = document.querySelectorAll('[data-remains]');
const began = performance.now();
function tick() {
  for (const clock of clocks) {
    const minutes = Math.max(0, Math.ceil((Number(clock.dataset.remains) - (performance.now() - began) / 1000) / 60));
    clock.textContent = words(minutes);
  }
}
if (clocks.length > 0) setInterval(tick, 15000);
${copyScript}`;

export const panelAssets = openAssets({
  'panel.css': () => panelStyle + dayBarsStyle + detailStyle,
  'panel.js': () => panelScript,
});
