import { Html, html } from './text.ts';

const style = `
body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1.5rem;color:#1d1d1f;background:#fff}
button{font:inherit;font-weight:600;margin-top:1rem;padding:.6rem 1.4rem;border:0;border-radius:.5rem;background:#0b5394;color:#fff}
:focus-visible{outline:3px solid #b45f06;outline-offset:2px}
li{margin:.4rem 0}
@media(prefers-color-scheme:dark){body{color:#f2f2f2;background:#1b1b1d}button{background:#9fc5e8;color:#111}}`;

/** No scripts and nothing from elsewhere. */
export function merchantPage(status: number, title: string, body: string | Html): Response {
  const content = typeof body === 'string' ? html`<p>${body}</p>` : body;
  const { text } = html`<!doctype html>
<html lang="es-EC">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
