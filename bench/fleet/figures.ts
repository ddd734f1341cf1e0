import type { Plan } from './day.ts';
import type { Played } from './play.ts';
import { jobKinds } from './record.ts';

/** Seconds: half and 99 of 100 take no longer, and the longest. */
export interface Spread {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export interface Figures {
  plan: Plan;
  /** Real seconds the run took. */
  seconds: number;
  documents: number;
  notEmitted: number;
  emittedTwice: number;
  notDownloaded: number;
  notWritten: number;
  /** From payment to emission, without the merchant with the backlog: all, and those outside the outage. */
  all: Spread;
  untouched: Spread;
  /** The shop with the longest median, of those that sold ten times or more untouched by the outage. */
  worstShop: { shop: string; orders: number; p50: number };
  /** From ready to leaving where the key had a free slot and nothing else to emit; outside the outage. */
  free: Spread;
  backlog: null | {
    /** Until its last document left, and how many left in a minute. */
    hours: number;
    perMinute: number;
    /** From ready to leaving meanwhile: the shops of its key, and those of other keys. */
    neighbours: Spread;
    others: Spread;
  };
  outage: null | {
    /** Documents waiting at its end, and how long after it they left. */
    waited: number;
    after: Spread;
    /** The longest of them against what probe and key allow, 1 is as long as that. */
    share: number;
  };
  mostOfAKey: number;
  throttled: number;
  downloadsBeforeLost: number;
  /** At the minute of the most orders, each second. */
  peak: {
    orders: number;
    webhooks: number;
    jobs: Record<string, number>;
    transactions: number;
    rows: number;
    looks: number;
    /** Slots of workers in use, share of one worker's thread, cores of PostgreSQL, and their share for queries of due jobs. */
    slots: number;
    thread: number;
    cores: number;
    lookCores: number;
  };
  /** Of the whole run. */
  rowsOfAnOrder: number;
  transactionsOfAnOrder: number;
}

/** Behind an outage: the longest pause between two probes, and how long one may be under way. */
const probeMs = 15 * 60_000 + 10_000;
export const slotMs = 215;

export function figuresOf(played: Played): Figures {
  const { plan, record, shops, service } = played;
  const { documents, count, minutes } = record;
  const minute = 60_000;
  const outage = plan.outage && {
    from: (plan.outage.from - plan.from) * minute,
    to: (plan.outage.from - plan.from + plan.outage.minutes) * minute,
  };
  const numbers = Array.from({ length: count }, (_, n) => n);
  const shopOf = (n: number) => documents.shop[n] ?? 0;
  const keyOf = (n: number) => shops[shopOf(n)]?.keyNumber ?? -1;
  const paid = (n: number) => documents.paid[n] ?? Number.NaN;
  const asked = (n: number) => documents.asked[n] ?? Number.NaN;
  const left = (n: number) => documents.left[n] ?? Number.NaN;
  const isBacklog = (n: number) => plan.backlog !== null && shopOf(n) === 0;
  const isTouched = (n: number) =>
    outage !== null && left(n) > outage.from && paid(n) < outage.to + probeMs + 5 * minute;

  const usual = numbers.filter((n) => !isBacklog(n));
  const untouched = usual.filter((n) => !isTouched(n));
  const byShop = Map.groupBy(untouched, shopOf);
  const worst = [...byShop]
    .filter(([, of]) => of.length >= 10)
    .map(([shop, of]) => ({ shop, orders: of.length, p50: spread(of.map((n) => left(n) - paid(n))).p50 }))
    .sort((a, b) => b.p50 - a.p50)[0];

  const sold = minutes.orders;
  const busiest = sold.indexOf(Math.max(...sold));
  const perSecond = (values: ArrayLike<number>) => (values[busiest] ?? 0) / 60;
  const cores = perSecond(played.database.busy) / 1_000;
  const looks = perSecond(minutes.looks);
  const total = (values: Float64Array) => values.reduce((a, b) => a + b, 0);

  return {
    plan,
    seconds: played.seconds,
    documents: count,
    notEmitted: numbers.filter((n) => Number.isNaN(left(n))).length,
    emittedTwice: numbers.filter((n) => (documents.emissions[n] ?? 0) > 1).length,
    notDownloaded: numbers.filter((n) => documents.downloaded[n] === 0).length,
    notWritten: numbers.filter((n) => documents.written[n] === 0).length,
    all: spread(usual.map((n) => left(n) - paid(n))),
    untouched: spread(untouched.map((n) => left(n) - paid(n))),
    worstShop: { shop: shops[worst?.shop ?? 0]?.id ?? '', orders: worst?.orders ?? 0, p50: worst?.p50 ?? 0 },
    free: spread(untouched.filter((n) => documents.free[n] === 1).map((n) => left(n) - asked(n))),
    backlog: plan.backlog && backlogOf(),
    outage: outage && afterOutage(outage.to),
    mostOfAKey: Math.max(...service.most),
    throttled: service.throttled,
    downloadsBeforeLost: record.downloadsBeforeLost,
    peak: {
      orders: perSecond(minutes.orders),
      webhooks: perSecond(minutes.webhooks),
      jobs: Object.fromEntries(jobKinds.map((kind) => [kind, perSecond(minutes[kind])])),
      transactions: perSecond(minutes.transactions),
      rows: perSecond(minutes.rows),
      looks,
      slots: perSecond(minutes.slotMs) / 1_000,
      thread: Math.max(...played.workers.map(({ busy }) => perSecond(busy))) / 1_000,
      cores,
      lookCores: perSecond(minutes.lookMs) / 1_000,
    },
    rowsOfAnOrder: total(minutes.rows) / count,
    transactionsOfAnOrder: total(minutes.transactions) / count,
  };

  function backlogOf(): NonNullable<Figures['backlog']> {
    const of = numbers.filter(isBacklog).filter((n) => asked(n) === paid(n));
    const from = asked(of[0] ?? 0);
    const until = of.reduce((latest, n) => Math.max(latest, left(n)), 0);
    const meanwhile = untouched.filter((n) => asked(n) >= from && left(n) <= until);
    const waits = (wanted: (n: number) => boolean) =>
      spread(meanwhile.filter(wanted).map((n) => left(n) - asked(n)));
    return {
      hours: (until - from) / (60 * minute),
      perMinute: of.length / ((until - from) / minute),
      neighbours: waits((n) => keyOf(n) === 0),
      others: waits((n) => keyOf(n) !== 0),
    };
  }

  function afterOutage(end: number): NonNullable<Figures['outage']> {
    const waited = usual.filter((n) => keyOf(n) !== 0 && asked(n) < end && left(n) > end);
    const shares = [...Map.groupBy(waited, keyOf).values()].map((of) => {
      // Each key sends 280 a minute; new sales and slots reserved for queries come on top.
      const allowed = probeMs + 1.5 * of.length * slotMs + minute;
      return Math.max(...of.map((n) => left(n) - end)) / allowed;
    });
    return {
      waited: waited.length,
      after: spread(waited.map((n) => left(n) - end)),
      share: Math.max(0, ...shares),
    };
  }
}

/** Of milliseconds, in seconds; what never happened is left out. */
export function spread(times: readonly number[]): Spread {
  const sorted = Float64Array.from(times.filter((time) => !Number.isNaN(time))).sort();
  const at = (share: number) => (sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0) / 1_000;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
