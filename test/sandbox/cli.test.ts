import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { run as runHere } from '../support/run.ts';
import { factura } from './support.ts';

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

function ecuadorToday(shiftMs = 0): string {
  const shifted = new Date(Date.now() + shiftMs - 5 * 60 * 60 * 1000);
  return shifted.toISOString().slice(0, 10).replaceAll('-', '/');
}

describe('facturapuente sandbox', () => {
  test('prints its URL and key, answers on the test clock, and stops cleanly on SIGTERM', async () => {
    const day = 24 * 60 * 60 * 1000;
    const clock = `anchor=2030-01-01T12:00:00Z,offset=${-day},rate=1`;
    const { child, output } = run(
      '--port',
      '0',
      '--api-key',
      'mi-clave',
      '--test-clock',
      clock,
      '--authorize-delay',
      '1',
    );
    const url = await eventually(
      () => /URL +(http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1],
      'the start block',
    );
    expect(output()).toMatch(/X-API-KEY +mi-clave\n/);
    expect(output()).toContain(`Página        ${url}/\n`);
    expect(output()).toContain(`OpenAPI       ${url}/openapi.json\n`);
    expect(output()).toMatch(/Detener +Ctrl\+C/);
    const yesterday = ecuadorToday(-day);
    const response = await fetch(`${url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'mi-clave', 'content-type': 'application/json' },
      body: JSON.stringify(factura((b) => (b.emisor.fecha_emision = yesterday))),
    });
    expect(await response.json()).toMatchObject({ creado: true });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).toContain('Sandbox detenido.');
  });

  test('--clock and --rate say when its time begins and how fast it passes, --strict that it emits only for registered companies', async () => {
    const begins = ['--clock', '2026-11-20T23:59:59-05:00', '--rate', '0'];
    const { output } = run('--port', '0', '--api-key', 'mi-clave', '--strict', ...begins);
    const url = await eventually(() => /URL +(http:\S+)/.exec(output())?.[1], 'the start block');
    const clock = await fetch(`${url}/__sandbox/clock`);
    expect(await clock.json()).toEqual({ now: '2026-11-20T23:59:59-05:00', rate: 0 });
    const response = await fetch(`${url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'mi-clave', 'content-type': 'application/json' },
      body: JSON.stringify(factura((b) => (b.emisor.fecha_emision = '2026/11/20'))),
    });
    expect(await response.json()).toMatchObject({
      creado: false,
      errors: [expect.stringContaining('no está registrada en esta cuenta')],
    });
  });

  test.each([
    ['--port', 'abc', 'Debe ser un número entero'],
    ['--test-clock', 'mañana', 'anchor=<ISO instant>'],
    ['--webhook-url', 'https://example.com/', '--webhook-url y --webhook-secret van juntos'],
    ['--codigo-numerico', 'otro', 'fijo, aleatorio'],
    ['--clock', 'mañana', 'Debe ser un instante ISO'],
    ['--rate', '-1', 'Debe ser un número desde 0'],
  ])('%s %s is refused with a reason', async (flag, value, reason) => {
    const { code, stderr } = await runHere(['sandbox', flag, value]);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  test('a kill -9 loses nothing that was answered: the next start on the data directory has it', async () => {
    const data = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const begin = async () => {
      const { child, output } = run('--port', '0', '--api-key', 'mi-clave', '--data', data);
      const url = await eventually(() => /URL +(http:\S+)/.exec(output())?.[1], 'the start block');
      return { child, url };
    };
    const emit = async (url: string) => {
      const response = await fetch(`${url}/api/factura/emision`, {
        method: 'POST',
        headers: { 'X-API-KEY': 'mi-clave', 'content-type': 'application/json' },
        body: JSON.stringify(factura((b) => (b.emisor.fecha_emision = ecuadorToday()))),
      });
      return { status: response.status, body: (await response.json()) as { claveacceso: string } };
    };
    const first = await begin();
    const { body } = await emit(first.url);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await begin();
    expect(await emit(second.url)).toMatchObject({ status: 409, body: { claveacceso: body.claveacceso } });
  });
});
