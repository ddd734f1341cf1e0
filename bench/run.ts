import { readOptions } from './options.ts';
import { parts, runParts } from './parts.ts';
import { openProcesses } from './starter.ts';
import { askedOrEnd } from './tool.ts';

/**
 * `npm run bench [-- --only endpoint,memory]`: what the product takes, where possible as ratios to a baseline of the same
 * run. Prints tables for docs/performance.md. Needs a build; uses this machine only.
 */
const names = parts.map(({ name }) => name);
const asked = askedOrEnd((args) => readOptions(args, names));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const chosen = parts.filter(({ name }) => asked.includes(name));
process.exit((await runParts(chosen, openProcesses, console.log)) ? 0 : 1);
