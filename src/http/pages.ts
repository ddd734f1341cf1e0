import type { Response } from 'express';
import { encode } from 'html-entities';

/** A page for a buyer: one heading, one sentence, no scripts and nothing from elsewhere. */
export function answerPage(res: Response, status: number, title: string, sentence: string): void {
  res
    .status(status)
    .type('html')
    .send(`<!doctype html>
<html lang="es-EC">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${encode(title)}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:18vh auto;padding:0 1.5rem}</style>
<h1>${encode(title)}</h1>
<p>${encode(sentence)}</p>
</html>
`);
}

/** The document exists, but not now. */
export function answerLater(res: Response, seconds: number, sentence: string): void {
  res.set('Retry-After', String(seconds));
  answerPage(res, 503, 'Comprobante no disponible por ahora', sentence);
}
