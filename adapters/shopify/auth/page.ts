const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => escapes[one] ?? one);

/** A page for the merchant who installs: one heading, one paragraph, nothing from elsewhere. */
export function page(status: number, title: string, sentence: string, cookie?: string): Response {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  if (cookie !== undefined) headers.append('set-cookie', cookie);
  const html = `<!doctype html>
<html lang="es-EC">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:18vh auto;padding:0 1.5rem}</style>
<h1>${escaped(title)}</h1>
<p>${escaped(sentence)}</p>
</html>
`;
  return new Response(html, { status, headers });
}
