import { afterEach, describe, expect, test } from 'vitest';
import { type Alert, type AlertNews, logAlerts } from '../../src/domain/alerts.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { reportOutside } from '../../src/jobs/announce.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** Alerts are delivered once, together, again while they last, and at their end. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const hour = 60 * minute;
const alert = (
  subject: string,
  code: 'document-rejected' | 'document-manual' | 'account-service' = 'document-rejected',
): Alert => {
  const params = { order: subject, document: 'la factura', number: '', reason: `Algo pasa con ${subject}.` };
  return code === 'account-service' ? { code, subject, params: {} } : { code, subject, params };
};

async function open() {
  const heard: Record<keyof AlertNews, string[]>[] = [];
  let broken = false;
  const names = (alerts: AlertNews['begun']) => alerts.map(({ subject }) => subject);
  bench = await openJobBench({
    channels: [
      {
        id: 'correo',
        async notify({ begun, still, ended }) {
          if (broken) throw new Error('The mailbox is full.');
          heard.push({ begun: names(begun), still: names(still), ended: names(ended) });
        },
      },
    ],
  });
  return {
    heard,
    breaks: (is: boolean) => {
      broken = is;
    },
    async pass(ms: number) {
      bench.advance(ms);
      await bench.run();
    },
  };
}

test('the log names an alert by its code and subject, without its sentence', async () => {
  const lines: unknown[][] = [];
  await logAlerts({ ...silentLog, error: (...line) => void lines.push(line) }).raise(alert('a'));
  expect(lines).toMatchObject([[{ alert: 'document-rejected', subject: 'a' }, expect.any(String)]]);
  expect(JSON.stringify(lines)).not.toContain('Algo pasa');
});

describe('a channel is notified', () => {
  test('in one message of all that began within a minute, and once', async () => {
    const { heard, pass } = await open();
    const { alerts } = bench.deps;
    for (const subject of ['a', 'b', 'a', 'c']) await alerts.raise(alert(subject));
    await pass(30_000);
    expect(heard).toEqual([]);
    await pass(30_000);
    for (const subject of ['a', 'b', 'c']) await alerts.raise(alert(subject));
    await pass(2 * hour);
    expect(heard).toEqual([{ begun: ['a', 'b', 'c'], still: [], ended: [] }]);
  });

  test('of the end, and nothing at all of what lasted less than a minute', async () => {
    const { heard, pass } = await open();
    const { alerts } = bench.deps;
    await alerts.raise(alert('blip'));
    await alerts.over(alert('blip'));
    await alerts.raise(alert('a'));
    await pass(minute);
    await alerts.over(alert('a'));
    await pass(minute);
    expect(heard).toEqual([
      { begun: ['a'], still: [], ended: [] },
      { begun: [], still: [], ended: ['a'] },
    ]);
  });

  test('again while it lasts, ever more seldom', async () => {
    const { heard, pass } = await open();
    await bench.deps.alerts.raise(alert('a'));
    await pass(minute);
    for (let step = 0; step < 24 * 14; step += 1) await pass(hour);
    expect(heard.slice(1)).toEqual(Array.from({ length: 4 }, () => ({ begun: [], still: ['a'], ended: [] })));
  });

  test('later, of the news by then, where it could not be reached', async () => {
    const { heard, pass, breaks } = await open();
    breaks(true);
    await bench.deps.alerts.raise(alert('a'));
    await bench.deps.alerts.raise(alert('b'));
    await pass(minute).catch(() => {});
    expect(heard).toEqual([]);
    await bench.deps.alerts.over(alert('a'));
    breaks(false);
    await pass(minute);
    expect(heard).toEqual([{ begun: ['b'], still: [], ended: [] }]);
  });

  test('a handful of times in a day of faults', async () => {
    const { heard, pass } = await open();
    const { alerts } = bench.deps;
    for (let quarter = 0; quarter < 96; quarter += 1) {
      for (const one of ['x', 'y', 'z']) {
        await alerts.raise(alert(`${one}${Math.floor(quarter / 48)}`));
        await alerts.raise(alert('principal/2', 'account-service'));
      }
      await pass(15 * minute);
    }
    expect(heard.length).toBeLessThanOrEqual(6);
    expect(new Set(heard.flatMap(({ begun }) => begun)).size).toBe(7);
  });
});

test('a document without an alert costs no transaction, and the end of an alert is delivered once', async () => {
  const { heard, pass } = await open();
  await bench.read();
  const document = await bench.document();
  let transactions = 0;
  const { transaction } = bench.ledger;
  bench.ledger.transaction = (task) => {
    transactions += 1;
    return transaction(task);
  };
  await reportOutside(bench.deps, document);
  expect(transactions).toBe(0);

  await bench.deps.alerts.raise(alert(document.id, 'document-manual'));
  await pass(minute);
  await Promise.all([1, 2, 3].map(() => reportOutside(bench.deps, document)));
  await pass(minute);
  expect(bench.alerts).toEqual(['document-manual', 'document-manual over']);
  expect(heard.map(({ ended }) => ended)).toEqual([[], [document.id]]);
});

test('a rejected factura is an alert until it is authorised', async () => {
  const { heard, pass } = await open();
  await bench.sync('1201');
  bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
  await bench.run();
  await bench.decided();
  const { accessKey } = await bench.document();
  await bench.event(String(accessKey));
  await bench.run();
  expect((await bench.document()).state).toBe('rejected');
  await pass(minute);
  expect(heard.map(({ begun }) => begun)).toEqual([[(await bench.document()).id]]);
  expect(bench.alerts).toEqual(['document-rejected']);
});
