import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { RequestHandler } from 'express';
import { chartStyle } from '../reports/charts/style.ts';
import { buyerScript } from './buyer/script.ts';
import { documentScript } from './document/script.ts';
import { detailStyle } from './panel/detail-style.ts';
import { panelScript } from './panel/script.ts';
import { panelStyle } from './panel/style.ts';
import { icon, style } from './style.ts';

export const assetsPath = '/paginas';

/** From its source or from what was built: the modules of core import each other under this ending. */
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Everything our pages load, by name. The rules of identifications are the server's own: modules of core that need
 * nothing but each other.
 */
const assets: Readonly<Record<string, () => string>> = {
  'pagina.css': () => style,
  'panel.css': () => panelStyle + chartStyle + detailStyle,
  'panel.js': () => panelScript,
  'icono.svg': () => icon,
  'identificacion.js': () => buyerScript(`./answered-id.${ending}`),
  'comprobante.js': () => documentScript,
  ...Object.fromEntries(
    ['answered-id', 'identification', 'identification-flaws'].map((name) => [
      `${name}.${ending}`,
      () => moduleOfCore(name),
    ]),
  ),
};

const kept = new Map<string, string>();

function textOf(name: string): string | undefined {
  const make = Object.hasOwn(assets, name) ? assets[name] : undefined;
  const text = kept.get(name) ?? make?.();
  if (text !== undefined) kept.set(name, text);
  return text;
}

/** As a browser reads it. */
function moduleOfCore(name: string): string {
  const text = readFileSync(new URL(`../domain/${name}.${ending}`, import.meta.url), 'utf8');
  return ending === 'ts' ? stripTypeScriptTypes(text) : text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

/** The address of an asset, by default seen from a page one folder deep; it changes with the text. */
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
