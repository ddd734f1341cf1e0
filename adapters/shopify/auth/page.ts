import { html } from '../../../src/domain/html.ts';

/** No scripts, nothing from elsewhere, nobody's frame; the style is the page's own. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page for the merchant who installs: one heading, one paragraph, nothing from elsewhere. */
export function page(status: number, title: string, sentence: string, cookie?: string): Response {
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
  if (cookie !== undefined) headers.append('set-cookie', cookie);
  const { text } = html`<!doctype html>
<html lang="es-EC">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:18vh auto;padding:0 1.5rem}</style>
<h1>${title}</h1>
<p>${sentence}</p>
</html>
`;
  return new Response(text, { status, headers });
}
