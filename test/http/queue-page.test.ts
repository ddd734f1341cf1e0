import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { queuesPath } from '../../src/http/endpoints.ts';
import { openBoard } from '../../src/queue/board.ts';
import { openTransport } from '../../src/queue/transport.ts';
import { openPanel, person } from '../panel/installation.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis, ownRedisPrefix, redisUrl } from '../support/servers.ts';

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
    const installation = await openPanel({ queues: board.handler });
    const { cookie } = await installation.signIn('carla');
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
    const page = await browser.newPage({ extraHTTPHeaders: { cookie } });
    const answered: string[] = [];
    page.on('response', (response) => answered.push(new URL(response.url()).origin));
    const failed: string[] = [];
    page.on('pageerror', (error) => failed.push(error.message));
    await page.goto(`${installation.url}${queuesPath}/queue/jobs?status=delayed`);
    await page.getByText('trabajo-1').first().waitFor({ timeout: 10_000 });
    expect(failed).toEqual([]);
    expect(new Set(answered)).toEqual(new Set([installation.url]));
  },
  30_000,
);

test.skipIf(!hasRedis)('without Bull Board the page of the queue says what to install', async () => {
  const missing = Object.assign(new Error("Cannot find package '@bull-board/api'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  const board = openBoard({
    redisUrl,
    prefix: ownRedisPrefix(),
    path: queuesPath,
    log: silentLog,
    load: () => Promise.reject(missing),
  });
  onTestFinished(() => board.close());
  const carla = await (await openPanel({ queues: board.handler })).signIn('carla');
  await eventually(
    async () => (await carla.text(queuesPath)).includes('npm install @bull-board/api @bull-board/express'),
    'a page that says what to install',
  );
});

const queues = (_req: unknown, res: { end(text: string): void }) => res.end('cola');

test('the page of the queue is for whoever signed in and may configure the whole installation', async () => {
  const limited = { ...person('lara', 'configure'), stores: ['quito'] };
  const people = [person('omar', 'operate'), person('carla', 'configure'), limited];
  const installation = await openPanel({ queues, people });
  const stranger = await installation.get(queuesPath);
  expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/panel/entrar']);
  const basic = `Basic ${Buffer.from('carla:contraseña de prueba').toString('base64')}`;
  expect((await installation.get(queuesPath, { authorization: basic })).status).toBe(303);
  for (const user of ['omar', 'lara'])
    expect((await (await installation.signIn(user)).get(`${queuesPath}/api`)).status).toBe(404);
  const carla = await installation.signIn('carla');
  expect(await carla.text(queuesPath)).toBe('cola');
  expect((await installation.post(queuesPath, '{}', { cookie: carla.cookie })).status).toBe(405);
});

test('the page of the queue wants the second factor of whoever opens it', async () => {
  const installation = await openPanel({ queues, secondFactor: 'required' });
  const entered = await installation.enter('carla');
  const [cookie = ''] = entered.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  expect((await installation.get(queuesPath, { cookie })).status).toBe(303);
});
