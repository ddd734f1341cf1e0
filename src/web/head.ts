import { type Html, html, type Piece } from '../domain/html.ts';
import { assetPath } from './assets.ts';

/** What differs between the heads of our pages. */
export interface Head {
  title: Piece;
  /** Its only stylesheet. */
  style: string;
  scripts: readonly string[];
  /** Where the assets are, seen from the page; by default one folder up. */
  root?: string;
}

/** The head of every page: for screens of any width, light or dark, out of search engines, all it loads from here. */
export function pageHead({ title, style, scripts, root }: Head): Html {
  const asset = (name: string) => assetPath(name, root);
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${asset('icono.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(style)}">
${scripts.map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
</head>`;
}
