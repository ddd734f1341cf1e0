import type { Response } from 'express';
import { type Html, html, type Piece } from '../domain/html.ts';
import { pageHead } from './head.ts';

/** Nothing from elsewhere, nothing inline; a page may send forms to us and frame what is ours. */
export const pagePolicy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'",
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
].join('; ');

export interface Page {
  title: string;
  /** Below the heading. */
  body: Piece;
  /** Above the heading: whose page it is. */
  shop?: string;
  /** Scripts of ours the page gets better with. */
  scripts?: readonly string[];
  wide?: boolean;
}

/** A page for a buyer: one heading, readable on a telephone, by keyboard and by ear; complete without scripts. */
export function sendPage(res: Response, status: number, page: Page): void {
  res
    .status(status)
    .set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': pagePolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    })
    .type('html')
    .send(layout(page).text);
}

/** One heading, one sentence. */
export function answerPage(
  res: Response,
  status: number,
  title: string,
  sentence: string,
  shop?: string,
): void {
  sendPage(res, status, { title, body: html`<p>${sentence}</p>`, ...(shop !== undefined && { shop }) });
}

/** The document exists, but not now. */
export function answerLater(res: Response, seconds: number, sentence: string): void {
  res.set('Retry-After', String(seconds));
  answerPage(res, 503, 'Comprobante no disponible por ahora', sentence);
}

function layout({ title, body, shop, scripts = [], wide }: Page): Html {
  return html`<!doctype html>
<html lang="es-EC">
${pageHead({ title: html`${title}${shop !== undefined && html` · ${shop}`}`, style: 'pagina.css', scripts })}
<body${wide === true && html` class="wide"`}>
<main id="contenido">
${shop !== undefined && html`<p class="shop">${shop}</p>`}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
