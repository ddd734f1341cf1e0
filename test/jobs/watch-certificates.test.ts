import { afterEach, expect, test } from 'vitest';
import { issuersUnder } from '../../src/domain/issuer-record.ts';
import { watchCertificates } from '../../src/jobs/watch.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const day = 86_400_000;
const ruc = '1790012345001';

async function open() {
  const news: string[] = [];
  const message = (mark: string, alerts: readonly { subject: string }[]) =>
    news.push(...alerts.map(({ subject }) => `${mark}${subject.split(' ')[2]}`));
  bench = await openJobBench({
    channels: [
      {
        id: 'correo',
        async notify({ begun, ended }) {
          message('+', begun);
          message('-', ended);
        },
      },
    ],
  });
  const { ledger, clock, accounts } = bench.deps;
  const [account = ''] = [...accounts.keys()];
  const start = clock.now().getTime();
  async function uploaded(days: number, name = `${account} ${ruc}`) {
    const key = { platform: issuersUnder, shop: name };
    const until = new Date(start + days * day).toISOString();
    const value = {
      service: 's',
      keyHash: 'k',
      production: false,
      company: null,
      logo: null,
      signature: { file: 'f', owner: 'María Peñafiel', until },
    };
    const before = await ledger.credentials.get(key);
    await ledger.credentials.put(key, value, before?.version ?? null, clock.now());
  }
  return {
    news,
    uploaded,
    /** Looks on every day until this one, as start does twice a day. */
    async until(last: number) {
      for (let at = Math.round((clock.now().getTime() - start) / day); at <= last; at += 1) {
        bench.advance(start + at * day - clock.now().getTime());
        await watchCertificates(bench.deps);
        bench.advance(61_000);
        await bench.run();
      }
    },
  };
}

test('a signature that ends raises an alert 60, 30, 7 and 1 days before and at its end, each once, which its renewal ends', async () => {
  const { news, uploaded, until } = await open();
  await uploaded(100);
  await until(39);
  expect(news).toEqual([]);
  await until(92);
  expect(news).toEqual(['+60', '+30']);
  await until(103);
  expect(news).toEqual(['+60', '+30', '+7', '+1', '+0']);
  const [alert, ...more] = await bench.deps.ledger.alerts.open();
  expect([alert?.what, more]).toEqual([
    expect.stringMatching(/María Peñafiel \(RUC 1790012345001\) caducó/),
    [],
  ]);
  await uploaded(800);
  await until(104);
  expect(news.slice(5)).toEqual(['-0']);
});

test('the first check alerts for the nearest end only, and for no account that is no longer configured', async () => {
  const { news, uploaded, until } = await open();
  await uploaded(5);
  await uploaded(5, `otra ${ruc}`);
  await until(1);
  expect(news).toEqual(['+7']);
});
