import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { run as runHere } from '../support/run.ts';
import { factura, openFolder } from './support.ts';

// The command alone in a process of its own: what a user starts, without the rest of the program.
const root = fileURLToPath(new URL('../../', import.meta.url));
const program = `
  import { Command } from 'commander';
  import { addSandboxCommand } from './sandbox/cli/sandbox.ts';
  const program = new Command('facturapuente');
  addSandboxCommand(program);
  await program.parseAsync();
`;

function run(...args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program, '--', 'sandbox', ...args],
    {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

/** Starts the command and waits for the address it prints. */
async function begin(...args: string[]) {
  const { child, output } = run('--port', '0', '--api-key', 'mi-clave', ...args);
  const url = await eventually(
    () => /URL +(http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1],
    'the start block',
  );
  const headers = { 'X-API-KEY': 'mi-clave', 'content-type': 'application/json' };
  const ask = async (path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${url}${path}`, { headers, ...sent })).json() as Promise<Record<string, unknown>>;
  };
  return { child, output, url, ask };
}

function dayInEcuador(shiftMs: number): string {
  const shifted = new Date(Date.now() + shiftMs - 5 * 60 * 60 * 1000);
  return shifted.toISOString().slice(0, 10).replaceAll('-', '/');
}

describe('facturapuente sandbox', () => {
  test('prints what it is, answers on its clock, loses nothing by a kill -9, and stops cleanly on SIGTERM', async () => {
    const data = openFolder();
    const day = 24 * 60 * 60 * 1000;
    const clock = `anchor=2030-01-01T12:00:00Z,offset=${-day},rate=1`;
    const first = await begin('--data', data, '--test-clock', clock, '--authorize-delay', '1');
    expect(first.output()).toMatch(/X-API-KEY +mi-clave\n/);
    expect(first.output()).toContain(`Página        ${first.url}/\n`);
    expect(first.output()).toContain(`OpenAPI       ${first.url}/openapi.json\n`);
    expect(first.output()).toMatch(/Detener +Ctrl\+C/);
    const sold = (fecha_emision: string) => factura((b) => Object.assign(b.emisor, { fecha_emision }));
    const emitted = await first.ask('/api/factura/emision', sold(dayInEcuador(-day)));
    expect(emitted).toMatchObject({ creado: true });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const begins = ['--clock', '2026-11-20T23:59:59-05:00', '--rate', '0'];
    const second = await begin('--data', data, '--strict', ...begins);
    expect(await second.ask(`/api/comprobante/consulta/${emitted.claveacceso}`)).toMatchObject({
      success: true,
    });
    expect(await second.ask('/__sandbox/clock')).toEqual({ now: '2026-11-20T23:59:59-05:00', rate: 0 });
    expect(await second.ask('/api/factura/emision', sold('2026/11/20'))).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('no está registrada en esta cuenta')],
    });
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
    expect(second.output()).toContain('Sandbox detenido.');
  });

  test('opens a shop too, and ends where the port of the shop is taken', async () => {
    const { output } = await begin('--shop', '0');
    const shop = /Tienda +(http:\/\/127\.0\.0\.1:(\d+))/.exec(output());
    expect(await (await fetch(shop?.[1] ?? '')).text()).toContain('Pagar');
    const second = run('--port', '0', '--shop', shop?.[2] ?? '');
    expect(await once(second.child, 'exit')).toEqual([1, null]);
    expect(second.output()).toContain('elija otro con --shop');
  });

  test.each([
    ['--port', 'abc', 'Debe ser un número entero'],
    ['--test-clock', 'mañana', 'anchor=<ISO instant>'],
    ['--webhook-url', 'https://example.com/', '--webhook-url necesita un secreto: SANDBOX_WEBHOOK_SECRET'],
    ['--codigo-numerico', 'otro', 'fijo, aleatorio'],
    ['--clock', 'mañana', 'Debe ser un instante ISO'],
    ['--rate', '-1', 'Debe ser un número desde 0'],
    ['--shop', 'abc', 'Debe ser un número entero'],
  ])('%s %s is refused with a reason', async (flag, value, reason) => {
    const { code, stderr } = await runHere(['sandbox', flag, value]);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });
});
