import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { openBoard } from '../../src/dispatch/board.ts';
import { openTransport } from '../../src/dispatch/open.ts';
import { queuesPath } from '../../src/http/operations.ts';
import { hashPassword } from '../../src/http/password.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis, ownRedisPrefix, redisUrl } from '../support/servers.ts';
import { openHouse } from './house.ts';

test.skipIf(noBrowser || !hasRedis)(
  'the page of the queue works in a browser, and asks nobody else for anything',
  async () => {
    const prefix = ownRedisPrefix();
    const transport = await openTransport({ redisUrl, prefix, concurrency: 1, log: silentLog });
    const board = openBoard({ redisUrl, prefix, path: queuesPath, log: silentLog });
    onTestFinished(async () => {
      await board.close();
      await transport.close(500);
    });
    const password = 'contrasena-larga';
    const operator = { user: 'ana', passwordHash: await hashPassword(password) };
    const house = await openHouse({ operations: { operator, queues: board.handler } });
    await eventually(
      () =>
        transport.send([{ id: 'trabajo-1', delayMs: 60_000 }]).then(
          () => true,
          () => false,
        ),
      'Redis',
    );

    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await (
      await browser.newContext({ httpCredentials: { username: 'ana', password } })
    ).newPage();
    const answered: string[] = [];
    page.on('response', (response) => answered.push(new URL(response.url()).origin));
    const failed: string[] = [];
    page.on('pageerror', (error) => failed.push(error.message));
    await page.goto(`${house.url}${queuesPath}/queue/work?status=delayed`);
    await page.getByText('trabajo-1').first().waitFor({ timeout: 10_000 });
    expect(failed).toEqual([]);
    expect(new Set(answered)).toEqual(new Set([house.url]));
  },
  30_000,
);
