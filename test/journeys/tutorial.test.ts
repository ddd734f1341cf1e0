import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { cookieOf } from '../panel/installation.ts';
import { eventually } from '../support/eventually.ts';
import { environmentWith } from '../support/run.ts';

const root = new URL('../../', import.meta.url);

/** The tutorial with the ports that are free here, and one terminal in its folder. */
async function openTutorial() {
  const folder = await mkdtemp(join(tmpdir(), 'fp-tutorial-'));
  const ports = { '4010': await freePort(), '4020': await freePort(), '8080': await freePort() };
  const page = (await readFile(new URL('docs/tutorial.md', root), 'utf8'))
    .replace('--shop >', '--port 4010 --shop 4020 >')
    // All at once: a port that was put in may look like one of the tutorial.
    .replace(/4010|4020|8080/g, (port) => String(ports[port as keyof typeof ports]));
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.trim());
  const terminal = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: environmentWith({
      NODE: process.execPath,
      BIN: fileURLToPath(new URL('src/cli/bin.ts', root)),
    }),
  });
  let shown = '';
  for (const stream of [terminal.stdout, terminal.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      shown += part;
    });
  // As an interactive shell, with jobs; the packages are those of this checkout. Node makes an inherited standard input
  // non-blocking, after which bash could not read on.
  terminal.stdin.write(`
    exec 2>&1; set -m; trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
    npm() { :; }
    npx() { shift; "$NODE" "$BIN" "$@" < /dev/null; }
  `);
  onTestFinished(async () => {
    terminal.stdin.end();
    if (terminal.exitCode === null) await once(terminal, 'exit');
    await rm(folder, { recursive: true });
  });
  let typed = 0;
  async function type(line: string): Promise<{ code: number; said: string }> {
    const from = shown.length;
    typed += 1;
    terminal.stdin.write(`${line}\necho "[end ${typed}: $?]"\n`);
    const end = new RegExp(`\\[end ${typed}: (\\d+)\\]`);
    const [, code] = await eventually(() => end.exec(shown) ?? undefined, `the end of: ${line}`);
    return { code: Number(code), said: shown.slice(from).replace(end, '') };
  }
  return {
    urls: { shop: `http://127.0.0.1:${ports[4020]}`, panel: `http://127.0.0.1:${ports[8080]}/panel` },
    type,
    /** Types the next command of the page, which begins so. */
    async next(start: string) {
      const command = commands.shift() ?? '';
      expect(command.slice(0, start.length)).toBe(start);
      return type(command);
    },
    left: () => commands,
    message: (log: string, words: string) =>
      eventually(async () => (await readFile(join(folder, log), 'utf8')).includes(words), `«${words}»`),
  };
}

/** Sends the form of a page as it stands there; answers the page that follows. */
async function send(page: Response, headers: Record<string, string> = {}, typed = {}) {
  const [, action = '', body = ''] =
    /<form method="post" action="([^"]+)"([\s\S]*?)<\/form>/.exec(await page.text()) ?? [];
  const fields = [...body.matchAll(/<input[^>]*>/g)].flatMap(([input]) => {
    const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
    const isChosen = value('type') !== 'radio' || input.includes(' checked');
    return isChosen ? [[value('name') ?? '', value('value') ?? '']] : [];
  });
  return fetch(new URL(action, page.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(page.url).origin, ...headers },
    body: new URLSearchParams({ ...Object.fromEntries(fields), ...typed }),
  });
}

test('whoever follows the tutorial finds a factura and its nota de crédito in the panel', async () => {
  const { urls, next, type, left, message } = await openTutorial();
  await next('npm install facturapuente facturapuente-sandbox');
  await next('npx facturapuente sandbox');
  const { said } = await next('npx facturapuente init');
  expect(said).toMatch(/Se escribió facturapuente\.config\.yaml, \.env\.example, \.env\./);
  expect(said).not.toContain('Complete');
  const [, usuario = '', clave = ''] = /Usuario: (\S+)\n.*: (\S+)\n/.exec(said) ?? [];
  await message('sandbox.log', 'Detener');
  await next('npx facturapuente start');
  await message('facturapuente.log', 'facturapuente is ready');
  expect(await next('npx facturapuente install --check')).toMatchObject({
    code: 1,
    said: expect.stringContaining('falta  Empresa'),
  });
  expect(await next('npx facturapuente install')).toMatchObject({
    code: 0,
    said: expect.stringContaining('Todo listo: la tienda factura.'),
  });

  const bought = await send(await fetch(urls.shop));
  const order = new URL(bought.headers.get('location') ?? '', urls.shop);
  expect(order.pathname).toBe('/pedidos/1001');
  const shows = (words: RegExp) =>
    eventually(async () => {
      const page = await fetch(order);
      return words.test(await page.clone().text()) && page;
    }, String(words));
  const sold = await shows(/Su factura electrónica 001-001-000000001 fue autorizada por el SRI\./);

  const cookie = cookieOf(await send(await fetch(`${urls.panel}/entrar`), {}, { usuario, clave }));
  const search = async () => (await fetch(`${urls.panel}/buscar?q=1001`, { headers: { cookie } })).text();
  expect(await search()).toMatch(/Factura[\s\S]*001-001-000000001/);
  await send(sold);
  await shows(/Nota de crédito[\s\S]*Ver la nota de crédito/);
  expect(await search()).toMatch(/Nota de crédito[\s\S]*001-001-000000001/);

  expect(await next('npx facturapuente doctor')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Funciona; mire los avisos.'),
  });
  await next('kill %1 %2');
  expect([left(), await type('wait')]).toMatchObject([[], { code: 0 }]);
  await expect(fetch(urls.shop)).rejects.toThrow();
  await expect(fetch(urls.panel)).rejects.toThrow();
});
