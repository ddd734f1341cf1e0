import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../support/chance.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct } from '../support/product.ts';
import { run } from '../support/run.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

test.each(sampled(['crear_empresa', 'guardar_webhook'], 2))(
  'an install killed while %s is under way ends in the same state when it is repeated, and rests then',
  async (operacion) => {
    const product = await openProduct({ engine: 'sqlite' });
    onTestFinished(() => product.close());
    const args = ['install', '--config', product.file];
    const writes = () =>
      product.sandbox
        .requests()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`)
        // The shop's orders are invoiced meanwhile.
        .filter((call) => !call.endsWith('/emision'));
    await product.start();
    // Stored at once and answered late: the process dies without knowing.
    product.sandbox.faults.add({ delayAnswerMs: { operacion, ms: 20_000 } });
    const path = operacion === 'crear_empresa' ? 'POST /api/empresa/crear' : 'POST /api/webhook';
    const child = spawn(process.execPath, [bin, ...args], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await eventually(() => writes().includes(path), 'install to be in the middle', 30_000);
    child.kill('SIGKILL');
    await ended;
    expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringContaining('Todo listo') });
    const before = writes();
    expect(before.length).toBeGreaterThan(2);
    const { code, stdout } = await run(args);
    expect([code, writes()]).toEqual([0, before]);
    expect(stdout).not.toMatch(/hecho|Por hacer/);
  },
);
