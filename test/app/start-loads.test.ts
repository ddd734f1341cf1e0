import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Imports what `start` imports; prints the addresses of what Node loaded for it, and the names of its own modules. */
const script = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import('./src/cli/main.ts');
await import('./src/app/connector.ts');
process.stdout.write(JSON.stringify([...loaded, ...process.moduleLoadList]));`;

test('start loads no package that a store on SQLite without mail, queue server and assistant does not use', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const loaded = JSON.parse(stdout) as string[];
  const among = (parts: readonly string[]) =>
    parts.filter((part) => loaded.some((one) => one.includes(part)));
  const packages = (names: readonly string[]) => among(names.map((name) => `/node_modules/${name}/`));
  expect(packages(['express', 'kysely', 'zod'])).toHaveLength(3);
  expect(packages(['pg', 'bullmq', 'ioredis', 'nodemailer', '@modelcontextprotocol/server'])).toEqual([]);
  expect(packages(['@shopify/shopify-api', '@woocommerce/woocommerce-rest-api', 'graphql'])).toEqual([]);
  expect(packages(['@clack/prompts', 'cli-table3', 'node-forge'])).toEqual([]);
  // Node's own fetch and WebSocket, which `import` of node:http loads.
  expect(among(['internal/deps/undici/undici'])).toEqual([]);
});
