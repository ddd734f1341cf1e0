import type { rateLimitsOver } from '../../src/queue/rate-limit.ts';
import { openChance } from './chance.ts';
import { networkMs, openStation, type Station } from './costs.ts';
import { curve, openShops, type Plan, type Shop } from './day.ts';
import { startFleet } from './fleet.ts';
import { openWay, type Way } from './jobs.ts';
import { type JobModel, openJobModel } from './queue-model.ts';
import { openRecord, type Record } from './record.ts';
import { openTaxService, type TaxService } from './tax-service.ts';
import { openTimeline, type Timeline } from './timeline.ts';

/** Midnight of a Black Friday in Ecuador. */
const midnight = Date.parse('2026-11-27T05:00:00.000Z');

export interface Played {
  plan: Plan;
  shops: readonly Shop[];
  record: Record;
  service: TaxService;
  model: JobModel;
  /** How busy PostgreSQL was, and each worker's thread; milliseconds by minute. */
  database: Station;
  workers: Station[];
  /** Real seconds it took. */
  seconds: number;
}

/** Plays the day on virtual time. */
export async function play(plan: Plan, report: (text: string) => void = () => {}): Promise<Played> {
  const began = performance.now();
  const chance = openChance(plan.seed);
  const timeline = openTimeline(midnight + plan.from * 60_000);
  const start = timeline.now();
  const at = (minute: number) => midnight + minute * 60_000;
  const { shops, draw } = openShops(plan, chance);
  const rates = curve(plan.orders);
  const expected = rates.slice(plan.from, plan.from + plan.minutes).reduce((a, b) => a + b, 0);
  const most = Math.ceil(expected * 1.05 + 5_000 + (plan.backlog?.documents ?? 0));
  const record = openRecord(most, plan.minutes + plan.rest + 1);
  const model = openJobModel();
  const database = openStation(timeline, plan.cores, networkMs);
  const { outage } = plan;
  const service = openTaxService(timeline, chance, {
    keys: plan.keys,
    outage: outage && { from: at(outage.from), to: at(outage.from + outage.minutes) },
  });
  let look: ReturnType<typeof rateLimitsOver>['look'] | undefined;
  const hasFreeSlot = async (key: string) => ((await look?.(key))?.free ?? 0) > 0;
  const parts = { timeline, chance, model, database, record };
  const way = openWay({ ...parts, service, shops, lostAnswers: plan.lostAnswers, hasFreeSlot });
  const { processes, rateLimits } = await startFleet({
    ...parts,
    workers: plan.workers,
    handlers: way.handlers,
  });
  look = rateLimits.look;

  for (const n of shops.keys()) way.reconciliation(n, start + 300_000 * chance.next(), model.enqueue);
  for (let minute = plan.from; minute < plan.from + plan.minutes + plan.rest; minute += 1) {
    if (minute < plan.from + plan.minutes)
      sell({ timeline, chance, record, way, draw, start }, rates[minute % 1440] ?? 0);
    if (plan.backlog?.at === minute)
      pileUp(plan.backlog.documents, { record, way, model, now: timeline.now() - start });
    await timeline.play(at(minute + 1));
    if (minute % 30 === 29) {
      const { waiting } = model.counts();
      report(`${clockOf(minute + 1)}: ${record.count} documents, ${waiting} jobs wait`);
    }
  }
  const seconds = (performance.now() - began) / 1_000;
  return { plan, shops, record, service, model, database, workers: processes.map(({ cpu }) => cpu), seconds };
}

/** The orders of a minute, each with two webhooks: paid and changed. */
function sell(
  {
    timeline,
    chance,
    record,
    way,
    draw,
    start,
  }: {
    timeline: Timeline;
    chance: ReturnType<typeof openChance>;
    record: Record;
    way: Way;
    draw(): number;
    start: number;
  },
  rate: number,
): void {
  for (let left = chance.count(rate); left > 0; left -= 1) {
    const shop = draw();
    timeline.after(chance.next() * 60_000, () => {
      const now = timeline.now() - start;
      const document = record.add(shop, now);
      record.tick('orders', now);
      const reported = chance.time(1_000, 0.6);
      timeline.after(reported, () => void way.hint(document));
      timeline.after(reported + chance.time(1_000), () => void way.hint(document));
    });
  }
}

function pileUp(
  documents: number,
  { record, way, model, now }: { record: Record; way: Way; model: JobModel; now: number },
): void {
  for (let n = 0; n < documents; n += 1) way.ready(record.add(0, now), model.enqueue);
}

export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
