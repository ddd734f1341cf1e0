/** The page as a browser without scripts uses it: what it reads, and the forms it sends. */
export interface Visit {
  status: number;
  text: string;
  headers: Headers;
}

export async function visit(url: string, path = '/', headers: Record<string, string> = {}): Promise<Visit> {
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Every page there is, for rules that hold on all of them. */
export const pages = [
  '/',
  '/pagina/entregas',
  '/pagina/cuentas',
  '/pagina/fallas',
  '/pagina/reloj',
  '/pagina/auditoria',
] as const;

/** Sends the form of `page` whose action is `/pagina/<action>`, filled in with `fields`. */
export async function submit(
  url: string,
  page: string,
  action: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Visit & { location: string | null }> {
  const { text } = await visit(url, page);
  const start = text.indexOf(`action="/pagina/${action}"`);
  if (start === -1) throw new Error(`${page} has no form for ${action}.`);
  const form = text.slice(start, text.indexOf('</form>', start));
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const response = await fetch(`${url}/pagina/${action}`, {
    method: 'POST',
    body: new URLSearchParams({ ...Object.fromEntries(hidden), ...fields }),
    headers: { origin: url, ...headers },
    redirect: 'manual',
  });
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: response.headers.get('location'),
  };
}
