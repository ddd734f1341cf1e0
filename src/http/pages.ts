import type { RequestHandler, Response } from 'express';
import helmet, { contentSecurityPolicy } from 'helmet';
import { type Html, html, type Piece } from '../domain/text.ts';
import { pageAssets } from './assets.ts';

const own = ["'self'"];
const none = ["'none'"];
const inline = ["'unsafe-inline'"];

const strict = {
  defaultSrc: none,
  scriptSrc: own,
  styleSrc: own,
  imgSrc: own,
  connectSrc: own,
  frameSrc: own,
  formAction: own,
  baseUri: none,
  frameAncestors: none,
};
const policy = (other: Partial<typeof strict> & { fontSrc?: string[] } = {}): RequestHandler =>
  contentSecurityPolicy({ useDefaults: false, directives: { ...strict, ...other } });

export const securityHeaders: RequestHandler[] = [
  // Subdomains need not support HTTPS.
  helmet({ contentSecurityPolicy: false, strictTransportSecurity: { includeSubDomains: false } }),
  policy(),
  (_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    next();
  },
];

/** Bull Board has a base and inline styles; the external fonts it names are blocked. */
export const queuePolicy = policy({
  baseUri: own,
  styleSrc: [...own, ...inline],
  imgSrc: [...own, 'data:'],
  fontSrc: [...own, 'data:'],
});

/** A form may redirect to a shop, which may redirect to `www`, or to WordPress.com to log in. */
export const merchantPolicy = policy({
  scriptSrc: none,
  styleSrc: inline,
  imgSrc: ['data:'],
  formAction: [...own, 'https:', 'http://localhost:*', 'http://127.0.0.1:*'],
});

/** Only the product's pages frame it. A sandbox would also close a browser's reader of PDF files. */
export function setFilePolicy(res: Response, type: string): void {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";
  res.set('Content-Security-Policy', type.includes('pdf') ? policy : `${policy}; sandbox`);
}

export interface Page {
  title: string;
  body: Piece;
  shop?: string;
  scripts?: readonly string[];
  wide?: boolean;
  /** The path from the page to the assets; default one folder up. */
  root?: string;
}

/** Usable on a telephone, by keyboard and by screen reader, without scripts. */
export function sendPage(res: Response, status: number, page: Page): void {
  res.status(status).type('html').send(layout(page).text);
}

export function answerPage(
  res: Response,
  status: number,
  title: string,
  sentence: string,
  shop?: string,
): void {
  sendPage(res, status, { title, body: html`<p>${sentence}</p>`, ...(shop !== undefined && { shop }) });
}

export function answerLater(res: Response, seconds: number, sentence: string): void {
  res.set('Retry-After', String(seconds));
  answerPage(res, 503, 'Comprobante no disponible por ahora', sentence);
}

function layout({ title, body, shop, scripts = [], wide, root }: Page): Html {
  const asset = (name: string) => pageAssets.path(name, root);
  const heading = html`${title}${shop !== undefined && html` · ${shop}`}`;
  return html`<!doctype html>
<html lang="es-EC">
${pageHead({ title: heading, style: asset('pagina.css'), scripts: scripts.map(asset), root })}
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

interface Head {
  title: Piece;
  /** The addresses of the style and the scripts. */
  style: string;
  scripts: readonly string[];
  root?: string | undefined;
}

export function pageHead({ title, style, scripts, root }: Head): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${pageAssets.path('icono.svg', root)}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
${scripts.map((address) => html`<script type="module" src="${address}"></script>`)}
</head>`;
}
