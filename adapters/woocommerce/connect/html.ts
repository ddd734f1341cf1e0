import { Html, html, type Piece } from '../../../src/domain/html.ts';

const style = `
body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1.5rem;color:#1d1d1f;background:#fff}
fieldset{border:1px solid #767676;border-radius:.5rem;padding:1rem}
legend{font-weight:600;padding:0 .4rem}
label{display:block;padding:.3rem 0}
button{font:inherit;font-weight:600;margin-top:1rem;padding:.6rem 1.4rem;border:0;border-radius:.5rem;background:#0b5394;color:#fff}
:focus-visible{outline:3px solid #b45f06;outline-offset:2px}
li{margin:.4rem 0}
@media(prefers-color-scheme:dark){body{color:#f2f2f2;background:#1b1b1d}button{background:#9fc5e8;color:#111}}`;

/**
 * A page for the merchant: no scripts, nothing from elsewhere, and forms that go to us and, redirected, to `formTargets`
 * only.
 */
export function page(
  status: number,
  title: string,
  body: Piece,
  formTargets: readonly string[] = [],
): Response {
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
${body}
</main>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
    },
  });
}

export function sentencePage(status: number, title: string, sentence: string): Response {
  return page(status, title, html`<p>${sentence}</p>`);
}
