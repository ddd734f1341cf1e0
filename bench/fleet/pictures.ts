import { spread } from './figures.ts';
import { lineChart } from './line-chart.ts';
import type { Played } from './play.ts';

const stepMinutes = 10;
const stepMs = stepMinutes * 60_000;

/** The pictures of docs/scaling.md, by file name. */
export function picturesOf({ plan, record, shops, database }: Played): Map<string, string> {
  const { documents, count, minutes } = record;
  const running = Math.ceil(plan.minutes / stepMinutes);
  const range = Array.from({ length: running }, (_, n) => n);
  const spans = plan.outage
    ? [{ name: 'service down', from: plan.outage.from, to: plan.outage.from + plan.outage.minutes }]
    : [];
  const common = { from: plan.from, step: stepMinutes, spans };
  const perSecond = (values: ArrayLike<number>) =>
    range.map((n) => {
      let sum = 0;
      for (let m = n * stepMinutes; m < (n + 1) * stepMinutes; m += 1) sum += values[m] ?? 0;
      return sum / stepMinutes / 60;
    });

  const numbers = Array.from({ length: count }, (_, n) => n);
  const keyOf = (n: number) => shops[documents.shop[n] ?? 0]?.keyNumber;
  const isBacklog = (n: number) => plan.backlog !== null && documents.shop[n] === 0;
  const usual = numbers.filter((n) => !isBacklog(n));
  const stepOf = (at: number | undefined) => Math.floor((at ?? 0) / stepMs);
  const paidIn = Map.groupBy(usual, (n) => stepOf(documents.paid[n]));
  const times = range.map((at) =>
    spread((paidIn.get(at) ?? []).map((n) => (documents.left[n] ?? 0) - (documents.paid[n] ?? 0))),
  );
  const waiting = (of: readonly number[]) => {
    const changes = new Float64Array(running + 1);
    for (const n of of) {
      for (const [at, by] of [
        [documents.asked[n], 1],
        [documents.left[n], -1],
      ] as const)
        if (at !== undefined && stepOf(at) < running) changes[stepOf(at)] = (changes[stepOf(at)] ?? 0) + by;
    }
    let sum = 0;
    return range.map((n) => {
      sum += changes[n] ?? 0;
      return sum;
    });
  };
  const jobs = minutes['sync-order'].map(
    (synced, n) =>
      synced +
      (minutes['submit-document'][n] ?? 0) +
      (minutes['settle-document'][n] ?? 0) +
      (minutes['follow-up'][n] ?? 0) +
      (minutes['verify-document'][n] ?? 0) +
      (minutes['write-back'][n] ?? 0) +
      (minutes.reconciliation[n] ?? 0),
  );

  return new Map([
    [
      'fleet-time.svg',
      lineChart({
        ...common,
        title: 'From payment to emission',
        unit: 'seconds',
        isLog: true,
        lines: [
          { name: 'half take no longer', tone: 'a', values: times.map(({ p50 }) => p50) },
          { name: '99 of 100 take no longer', tone: 'd', values: times.map(({ p99 }) => p99) },
        ],
      }),
    ],
    [
      'fleet-flow.svg',
      lineChart({
        ...common,
        title: 'Orders paid and documents emitted',
        unit: 'a second',
        lines: [
          { name: 'orders', tone: 'b', values: perSecond(minutes.orders) },
          { name: 'documents', tone: 'a', values: perSecond(minutes.emitted) },
        ],
      }),
    ],
    [
      'fleet-waiting.svg',
      lineChart({
        ...common,
        title: 'Documents that wait to be emitted',
        unit: 'documents',
        isLog: true,
        lines: [
          { name: 'of the merchant with the backlog', tone: 'c', values: waiting(numbers.filter(isBacklog)) },
          {
            name: 'of the shops with its key',
            tone: 'd',
            values: waiting(usual.filter((n) => keyOf(n) === 0)),
          },
          { name: 'of all others', tone: 'a', values: waiting(usual.filter((n) => keyOf(n) !== 0)) },
        ],
      }),
    ],
    [
      'fleet-load.svg',
      lineChart({
        ...common,
        title: 'What the database takes',
        unit: 'a second',
        lines: [
          { name: 'jobs', tone: 'b', values: perSecond(jobs) },
          { name: 'transactions that write', tone: 'a', values: perSecond(minutes.transactions) },
          { name: 'ms of its cores', tone: 'd', values: perSecond(database.busy) },
        ],
      }),
    ],
  ]);
}
