import {
  type Alert,
  type AlertChannel,
  type AlertNews,
  type Alerts,
  logAlerts,
  type OpenAlert,
} from '../domain/alerts.ts';
import { type Clock, momentInEcuador } from '../domain/clock.ts';
import type { Document, Series } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import { done } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import { owner } from '../domain/settings.ts';
import type { ChannelAlert } from '../ledger/alerts.ts';
import type { Ledger, Tables } from '../ledger/ledger.ts';
import type { SeriesStop } from '../ledger/series.ts';
import { alertTexts } from '../messages/alerts.ts';
import type { Params } from '../messages/message.ts';
import { type Handler, type JobDeps, priorities } from './deps.ts';
import { saidOf } from './sentences.ts';

/** What begins or ends within this time is delivered in one message. */
const gatherMs = 60_000;

type Channels = ReadonlyMap<string, AlertChannel>;

async function enqueueDelivery({ jobs }: Pick<Tables, 'jobs'>, channels: Channels, now: Date): Promise<void> {
  for (const id of channels.keys())
    await jobs.enqueue({
      kind: 'deliver-alerts',
      subject: id,
      storeId: `avisos:${id}`,
      rateLimit: null,
      priority: priorities.download,
      dueAt: new Date(now.getTime() + gatherMs),
    });
}

/** Raises an alert inside the transaction that writes its cause, so that a crash loses neither. Returns whether it is new. */
export async function beginAlert(
  { channels }: { channels: Channels },
  tables: Pick<Tables, 'alerts' | 'jobs'>,
  alert: Alert,
  now: Date,
): Promise<boolean> {
  if (!(await tables.alerts.raise(alert, now))) return false;
  await enqueueDelivery(tables, channels, now);
  return true;
}

export async function endAlert(
  { channels }: { channels: Channels },
  tables: Pick<Tables, 'alerts' | 'jobs'>,
  { code, subject }: { code: string; subject: string },
  now: Date,
): Promise<void> {
  if (await tables.alerts.end({ code, subject }, now)) await enqueueDelivery(tables, channels, now);
}

export async function keepOnly(
  { ledger, alerts }: { ledger: Pick<Ledger, 'alerts'>; alerts: Alerts },
  codes: string | readonly string[],
  lasts: (alert: OpenAlert) => boolean,
): Promise<void> {
  for (const alert of await ledger.alerts.open()) {
    const { code, subject } = alert;
    if ([codes].flat().includes(code) && !lasts(alert)) await alerts.over({ code, subject });
  }
}

export function ledgerAlerts(parts: {
  ledger: Pick<Ledger, 'alerts' | 'transaction'>;
  clock: Clock;
  log: Log;
  channels: Channels;
}): Alerts {
  const { ledger, clock, log, channels } = parts;
  const logged = logAlerts(log);

  /** The change and its delivery, in one COMMIT; a ledger that fails must not fail the caller. */
  async function change(run: (tables: Tables, now: Date) => Promise<boolean>) {
    const now = clock.now();
    return ledger
      .transaction(async (tables) => {
        if (!(await run(tables, now))) return false;
        await enqueueDelivery(tables, channels, now);
        return true;
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'An alert could not be kept; it stands in this log alone');
        return true;
      });
  }

  return {
    async raise(alert) {
      if (await change(({ alerts }, now) => alerts.raise(alert, now))) await logged.raise(alert);
    },
    async over({ code, subject }) {
      const codes = [code].flat();
      // If this read fails, the change fails too, and is logged.
      for (const one of await ledger.alerts.lasting(subject, codes).catch(() => codes)) {
        const name = { code: one, subject };
        if (await change(({ alerts }, now) => alerts.end(name, now))) await logged.over(name);
      }
    },
  };
}

export function seriesAlert(series: Series) {
  const { ruc, codDoc, establecimiento, puntoEmision } = series;
  const trial = series.ambiente === 1 ? ' pruebas' : '';
  const subject = `${ruc} ${codDoc} ${establecimiento}-${puntoEmision}${trial}`;
  return { code: 'series-stopped', subject } as const;
}

/** The stop of a series whose number another document has. */
export const takenBySomebody = (document: Series & Pick<Document, 'secuencial'>): SeriesStop => ({
  reason: saidOf('takenBySomebody', document),
  secuencial: document.secuencial,
});

export const takenAlert = (series: Series, { reason }: SeriesStop): Alert => ({
  ...seriesAlert(series),
  about: owner.series(series),
  params: { series: `${series.establecimiento}-${series.puntoEmision}`, reason },
});

const hour = 3_600_000;

const week = 7 * 24 * hour;
const again = [4 * hour, 24 * hour, 72 * hour, week];

/** Of an order or document that has waited for a person for a day; delivered again each week. */
export const orderWaiting = { code: 'order-waiting' } as const;

/** Delivers to one channel, in one message, the alerts that began, last or ended since its last one. */
export function deliverAlerts({
  ledger,
  clock,
  channels,
}: Pick<JobDeps, 'channels' | 'clock' | 'ledger'>): Handler {
  return async (job) => {
    const channel = channels.get(job.subject);
    // Its alerts stay in the ledger: a channel that comes back gets them with the next message.
    if (!channel) return { kind: 'unknown-here', what: 'channel', name: job.subject };
    const now = clock.now();
    const all = await ledger.alerts.ofChannel(channel.id);
    const begun = all.filter(({ overAt, notified }) => overAt === null && notified === null);
    const ended = all.filter(({ overAt }) => overAt !== null);
    const lasting = all.filter(({ overAt, notified }) => overAt === null && notified !== null);
    const due = lasting.filter((alert) => dueAgain(alert) <= now.getTime());
    const still = begun.length > 0 || due.length > 0 ? lasting : [];
    if (begun.length + due.length + ended.length > 0) {
      await channel.notify({ begun, still, ended } satisfies AlertNews);
      await ledger.alerts.notified(channel.id, [...begun, ...due, ...ended], now);
    }
    const next = Math.min(
      ...begun.map((alert) => now.getTime() + waitAfter(alert)),
      ...lasting.map((alert) =>
        due.includes(alert) ? now.getTime() + waitAfter(alert, 1) : dueAgain(alert),
      ),
    );
    if (!Number.isFinite(next)) return done;
    return { kind: 'again', dueAt: new Date(next), reason: 'alerts last; their channel is notified again' };
  };
}

const waitAfter = ({ code, notified }: ChannelAlert, more = 0): number =>
  code === orderWaiting.code
    ? week
    : (again[Math.min((notified?.times ?? 1) - 1 + more, again.length - 1)] ?? hour);

const dueAgain = (alert: ChannelAlert): number =>
  Date.parse(alert.notified?.at ?? alert.since) + waitAfter(alert);

/** So many within this time raise the alert. */
const manyMixedUp = 2;
const windowMs = 24 * hour;

/** An answer that named another document was ignored. When it repeats, something on the way mixes answers up. */
export async function reportMixedUp(
  deps: Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'alerts'>,
  account: string,
  fields: Record<string, unknown>,
): Promise<void> {
  deps.log.warn(
    { account, ...fields },
    'The service answered about another document; the answer was ignored',
  );
  const bucket = `mixed-up ${account}`;
  const now = deps.clock.now();
  const endsAt = new Date(now.getTime() + windowMs);
  const { count: failures } = await deps.ledger.counters.add(bucket, { endsAt, now });
  if (failures < manyMixedUp) return;
  await deps.alerts.raise({
    code: 'answers-mixed-up',
    subject: account,
    params: { account, times: failures },
  });
}

/** One failure may be a server that restarts. */
const failuresInRow = 2;
const reportAgainMs = 60 * 60_000;

const unwritable = { code: 'ledger-unwritable', subject: 'registro' };

type WritableDeps = Pick<JobDeps, 'clock' | 'log' | 'channels'> & { ledger: Pick<Ledger, 'check'> };

/** This alert goes to the log and directly to each channel, because a ledger that cannot be written keeps none. */
export function openWritableWatch({ ledger, clock, log, channels }: WritableDeps): () => Promise<void> {
  let inVain = 0;
  let since: string | null = null;
  let texts = alertTexts(unwritable.code, {});
  let reportedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = performance.now();

  async function report(news: 'begun' | 'still' | 'ended', since: string): Promise<void> {
    const reported = { begun: [], still: [], ended: [], [news]: [{ ...unwritable, ...texts, since }] };
    for (const channel of channels.values())
      await channel
        .notify(reported)
        .catch((error: unknown) =>
          log.error({ channel: channel.id, err: error }, 'A channel was not reached'),
        );
  }

  return async () => {
    const sinceLastMs = performance.now() - lookedAt;
    lookedAt = performance.now();
    const error: unknown = await ledger.check(sinceLastMs).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    inVain = error === null ? 0 : inVain + 1;
    if (error === null && since !== null) {
      log.info({ alert: unwritable.code, since }, 'The ledger can be written again');
      await report('ended', since);
      since = null;
    }
    // A ledger that says so itself counts at once.
    const isSure = error instanceof LedgerError || inVain >= failuresInRow;
    if (error === null || !isSure) return;
    if (since !== null && performance.now() - reportedAt < reportAgainMs) return;
    reportedAt = performance.now();
    texts = alertTexts(unwritable.code, error instanceof LedgerError ? unwritableBecause(error) : {});
    log.error(
      { alert: unwritable.code, err: error },
      'The ledger cannot be written; nothing is accepted or sent',
    );
    await report(since === null ? 'begun' : 'still', since ?? clock.now().toISOString());
    since ??= clock.now().toISOString();
  };
}

const unwritableBecause = ({ code, params, merchant: reason }: LedgerError): Params =>
  code === unwritable.code ? params : { why: 'other', reason };

/** A due job waits so long, and no worker claims any: the queue is stopped. */
const stoppedAfterMs = 5 * 60_000;
/** Its subject is the store. */
export const shopSilent = { code: 'shop-not-answering' } as const;

export const queueStopped = { code: 'jobs-overdue', subject: 'cola' } as const;

interface QueueFacts {
  dueAt: Date | null;
  lastClaimAt: Date | null;
  /** Why the transport takes no jobs; null where it does. */
  refusal: string | null;
}

/** The alert of a queue that is stopped, else null. A backlog whose jobs are claimed one after the other is none. */
export function stoppedQueue({ dueAt, lastClaimAt, refusal }: QueueFacts, now: Date): Alert | null {
  const isOld = (at: Date | null) => at === null || now.getTime() - at.getTime() >= stoppedAfterMs;
  if (dueAt === null || !isOld(dueAt) || !isOld(lastClaimAt)) return null;
  const since = momentInEcuador(dueAt.toISOString());
  const why = refusal === null ? 'nobody' : refusal.startsWith('OOM') ? 'full' : 'refused';
  return { ...queueStopped, params: { since, why } };
}

/** Any process sees a stopped queue and delivers the alerts itself, because their delivery is a job of that queue. */
export function openQueueWatch(
  { ledger, clock, alerts }: Pick<JobDeps, 'ledger' | 'clock' | 'alerts'>,
  {
    ready,
    run,
    mayRelease,
  }: { ready(): Promise<void>; run(ids: readonly string[]): Promise<void>; mayRelease(): boolean },
): () => Promise<void> {
  let inVain = 0;
  const deliver = async (now: Date) => {
    const deliveries = await ledger.jobs.overdue(now, { kind: 'deliver-alerts' });
    await run(deliveries.map(({ id }) => id));
  };
  return async () => {
    const now = clock.now();
    // A clock that may be wrong stops the queue too, and has its own alert.
    if (!mayRelease()) return deliver(now);
    const [oldest] = await ledger.jobs.overdue(new Date(now.getTime() - stoppedAfterMs));
    const facts = {
      dueAt: oldest ? new Date(oldest.dueAt) : null,
      lastClaimAt: await ledger.jobs.lastClaimAt(),
      refusal: await ready().then(
        () => null,
        (error: Error) => error.message,
      ),
    };
    const alert = stoppedQueue(facts, now);
    // After a start, or sleep of the machine, the workers are given time for another look.
    inVain = alert === null ? 0 : inVain + 1;
    if (alert === null) return alerts.over(queueStopped);
    if (inVain < failuresInRow) return;
    await alerts.raise(alert);
    await deliver(now);
  };
}
