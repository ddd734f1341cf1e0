import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import {
  currentTrace,
  inTrace,
  joinTrace,
  newTrace,
  openLog,
  tracedLog,
} from '../../src/observability/log.ts';

async function logFile() {
  const folder = await mkdtemp(join(tmpdir(), 'fp-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'logs', 'facturapuente.log');
  const lines = async () =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { file, lines };
}

test('a line has its level as a word, an ISO instant and nothing of the machine', async () => {
  const { file, lines } = await logFile();
  const log = openLog({ level: 'info', file });
  log.info({ order: '1201' }, 'Order synced');
  expect(await lines()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      order: '1201',
      msg: 'Order synced',
    },
  ]);
});

test('the log of a process that starts again is continued', async () => {
  const { file, lines } = await logFile();
  openLog({ level: 'warn', file }).warn({}, 'first');
  const log = openLog({ level: 'warn', file });
  log.info({}, 'too quiet for this level');
  log.warn({}, 'second');
  expect((await lines()).map(({ msg }) => msg)).toEqual(['first', 'second']);
});

test('of an error only its words are logged, never what a library hung onto it', async () => {
  const { file, lines } = await logFile();
  const cause = Object.assign(new Error('connect ECONNREFUSED'), {
    config: { auth: { password: 'cs_secreto' } },
    request: { headers: { authorization: 'Bearer shpat_secreto' } },
  });
  const error = new ShopError(
    'shop-away',
    { message: 'La tienda no responde.' },
    {
      retryable: true,
      cause,
    },
  );
  const log = openLog({ level: 'info', file });
  log.warn({ err: error }, 'A job failed');
  log.warn({ err: cause }, 'A job failed');
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('secreto');
  const [first] = await lines();
  expect(first.err).toMatchObject({ type: 'ShopError', code: 'shop-away' });
  expect(first.err.message).toContain('ECONNREFUSED');
});

test('every line on a journey names it, across awaits and beside other journeys', async () => {
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: Record<string, unknown>) => void lines.push(fields);
  const log = tracedLog({ info: keep, warn: keep, error: keep });
  log.info({ at: 'outside' }, '');
  const [a, b] = [newTrace(), newTrace()];
  await Promise.all(
    [a, b].map((trace) =>
      inTrace(trace, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        log.warn({ at: trace }, '');
      }),
    ),
  );
  expect(lines).toEqual([{ at: 'outside' }, { trace: a, at: a }, { trace: b, at: b }]);
  expect(a).toMatch(/^[0-9a-f]{32}$/);
  expect(currentTrace()).toBeNull();
});

test('who learns half way whose journey it is goes on under its name', () => {
  const earlier = newTrace();
  inTrace(null, () => {
    joinTrace(null);
    expect(currentTrace()).toMatch(/^[0-9a-f]{32}$/);
    joinTrace(earlier);
    expect(currentTrace()).toBe(earlier);
  });
});
