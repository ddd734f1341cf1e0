import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { eventually } from '../support/eventually.ts';

const root = new URL('../../', import.meta.url);
const bin = fileURLToPath(new URL('src/cli/bin.ts', root));

/** The tutorial, its ports taken by ports that are free here. */
async function openTutorial() {
  const folder = await mkdtemp(join(tmpdir(), 'fp-tutorial-'));
  const ports = { '4010': await freePort(), '4020': await freePort(), '8080': await freePort() };
  // All at once: a port that was put in may look like one of the tutorial.
  const here = (text: string) =>
    text.replace(/4010|4020|8080/g, (port) => String(ports[port as keyof typeof ports]));
  const text = here(await readFile(new URL('docs/tutorial.md', root), 'utf8'));
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...clean } = process.env;
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  });
  /** Starts a program in the folder, as the reader does in a terminal. */
  function open(args: readonly string[]) {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...clean, NO_COLOR: '1' } });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        said += part;
      });
    return {
      child,
      says: (words: string) => eventually(() => said.includes(words), `«${words}», after: ${args.join(' ')}`),
      said: () => said,
    };
  }
  /** The command of the text that begins so, its parts as a shell gives them. */
  function command(start: string): string[] {
    const lines = text.replaceAll('\\\n', ' ').split('\n');
    const line = lines.find((one) => one.startsWith(`npx facturapuente ${start}`));
    if (line === undefined) throw new Error(`The tutorial has no command «${start}».`);
    const parts = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    return [bin, ...parts.slice(2)];
  }
  async function run(start: string): Promise<{ code: number | null; said: string }> {
    const { child, said } = open(command(start));
    const [code] = await once(child, 'close');
    return { code, said: said() };
  }
  return { folder, text, here, ports, open, command, run };
}

test('whoever follows the tutorial has an authorised factura', async () => {
  const { folder, text, here, ports, open, command, run } = await openTutorial();
  const sandbox = open([...command('sandbox'), '--port', String(ports[4010])]);
  const shopText = await readFile(new URL('docs/tutorial/tienda.mjs', root), 'utf8');
  const testing = new URL('sandbox/shops/index.ts', root).href;
  await writeFile(join(folder, 'tienda.mjs'), here(shopText).replace('facturapuente-sandbox/shops', testing));
  const shop = open(['tienda.mjs']);
  await Promise.all([sandbox.says('en marcha'), shop.says('Enter vende')]);

  expect((await run('init')).said).toMatch(
    /Se escribió facturapuente\.config\.yaml, \.env\.example, \.env\./,
  );
  const [, filled = ''] = /```sh\n(FACTURA_API_KEY=[\s\S]*?)```/.exec(text) ?? [];
  const env = await readFile(join(folder, '.env'), 'utf8');
  await writeFile(join(folder, '.env'), `${env}${filled}`);

  const start = open(command('start'));
  // Written into the log when the endpoints are open, with the port the config gives.
  await start.says('facturapuente is ready');
  expect(await run('install --check')).toMatchObject({
    code: 1,
    said: expect.stringContaining('falta  Empresa'),
  });
  const installed = open([bin, 'install']);
  expect((await once(installed.child, 'close'))[0]).toBe(0);
  expect(installed.said()).toContain('Todo listo: la tienda factura.');

  shop.child.stdin.write('\n');
  await shop.says(
    'Nota en el pedido 1001: Su factura electrónica 001-001-000000001 fue autorizada por el SRI.',
  );
  expect((await run('documents')).said).toMatch(/#1001 .* 23\.00 .*autorizada/);
  const doctor = await run('doctor');
  expect([doctor.code, doctor.said]).toEqual([1, expect.stringContaining('Funciona; mire los avisos.')]);
});
