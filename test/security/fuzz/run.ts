import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askedOrEnd, openTool, whole } from '../../../bench/tool.ts';

/** `npm run fuzz [-- --requests N --seed S]`: the fuzzing of every endpoint (fuzz.test.ts) at length. */
const asked = askedOrEnd((args) => {
  const tool = openTool('fuzz', 'Sends requests nobody would send to every endpoint of the app.')
    .option('--requests <count>', 'how many', '100000')
    .option('--seed <number>', 'decides all of them; what failed comes again with the same')
    .parse(args, { from: 'user' });
  const { requests, seed } = tool.opts<{ requests: string; seed?: string }>();
  return { requests: whole('requests', requests, 1), seed: seed === undefined ? null : whole('seed', seed) };
});

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
