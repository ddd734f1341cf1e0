import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askedOrEnd } from '../../../bench/tool.ts';
import { readOptions } from './options.ts';

/** `npm run fuzz [-- --requests N --seed S]`: the fuzzing of every endpoint (fuzz.test.ts) at length. */
const asked = askedOrEnd(readOptions);

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', 'test/security/fuzz.test.ts'], {
  cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  stdio: 'inherit',
  env: {
    ...process.env,
    FACTURAPUENTE_FUZZ: String(asked.requests),
    ...(asked.seed === null ? {} : { FACTURAPUENTE_SEED: String(asked.seed) }),
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
