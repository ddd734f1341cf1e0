import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { credentialsOf } from '../../../src/app/stores.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { hasPostgres, openDatabase } from '../../support/servers.ts';
import { calls, install, openContext, openOauthShop } from './oauth-shop.ts';

const script = fileURLToPath(new URL('./renew-process.ts', import.meta.url));

function start(options: object) {
  const child = spawn(process.execPath, [script, JSON.stringify(options)]);
  child.stderr.pipe(process.stderr);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const line = async (): Promise<string> => (await once(lines, 'line'))[0];
  return { child, line };
}

describe.skipIf(!hasPostgres)('two processes on PostgreSQL', () => {
  test('that need a new token at once ask Shopify once, and both have it', async () => {
    const database = await openDatabase();
    onTestFinished(database.drop);
    const clock = { now: () => new Date() };
    const opened = await openOauthShop('quito.myshopify.com', clock);
    const ledger = await openLedger(
      { url: database.url, encryptionKey: Buffer.alloc(32, 1) },
      clock,
      silentLog,
    );
    onTestFinished(() => ledger.close());
    const credentials = credentialsOf('shopify', ledger, clock);
    // Two hours ago, so that the token has lapsed and every holder wants another one.
    const then = { now: () => new Date(Date.now() - 7_200_000) };
    await install(opened, { ...openContext(then), credentials });

    const both = [1, 2].map(() => start({ url: database.url, adminUrl: opened.shop.url }));
    await Promise.all(both.map(({ line }) => line()));
    const answers = both.map(({ line }) => line());
    for (const { child } of both) child.stdin.write('go\n');
    const tokens = (await Promise.all(answers)).flatMap((text) => JSON.parse(text) as string[]);
    expect(new Set(tokens).size).toBe(1);
    expect(calls(opened.shop, 'access_token')).toBe(2);
  });
});
