import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { RequestHandler } from 'express';
import { dayBarsStyle } from '../reports/day-bars.ts';
import { buyerScript } from './buyer/script.ts';
import { copyScript, panelScript, panelStyle } from './panel/style.ts';
import { icon, style } from './style.ts';

export const assetsPath = '/paginas';

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

const assets: Readonly<Record<string, () => string>> = {
  'pagina.css': () => style,
  'panel.css': () => panelStyle + dayBarsStyle + detailStyle,
  'panel.js': () => panelScript,
  'icono.svg': () => icon,
  'identificacion.js': () => buyerScript(`./identification.${ending}`),
  'comprobante.js': () => copyScript,
  [`identification.${ending}`]: identificationModule,
};

const kept = new Map<string, string>();

function textOf(name: string): string | undefined {
  const make = Object.hasOwn(assets, name) ? assets[name] : undefined;
  const text = kept.get(name) ?? make?.();
  if (text !== undefined) kept.set(name, text);
  return text;
}

/** The browser applies the server's rules. */
function identificationModule(): string {
  const text = readFileSync(new URL(`../domain/identification.${ending}`, import.meta.url), 'utf8');
  return ending === 'ts' ? stripTypeScriptTypes(text) : text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

/** The path changes with the content; by default it is relative to a page one folder deep. */
export function assetPath(name: string, root = '..'): string {
  const hash = createHash('sha256').update(textOf(name) ?? '');
  return `${root}${assetsPath}/${name}?${hash.digest('hex').slice(0, 8)}`;
}

/** `GET /paginas/:name` */
export const sendAsset: RequestHandler<{ name: string }> = (req, res, next) => {
  const { name } = req.params;
  const text = textOf(name);
  if (text === undefined) return next();
  res
    .type(/\.(css|svg)$/.exec(name)?.[1] ?? 'js')
    .set('Cache-Control', 'public, max-age=3600')
    .send(text);
};

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
