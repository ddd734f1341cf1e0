import {
  type ClaimedJob,
  done,
  type JobHandler,
  type JobKind,
  type JobRequest,
  jobKinds,
  reconciliationsAtOnce,
} from '../../src/domain/job.ts';
import { defaultTimings, priorities } from '../../src/jobs/deps.ts';
import type { Chance } from './chance.ts';
import { accepting, type Station, server } from './costs.ts';
import type { Shop } from './day.ts';
import type { JobHandlers, Process } from './fleet.ts';
import type { JobModel } from './queue-model.ts';
import type { Record } from './record.ts';
import type { TaxService } from './tax-service.ts';
import type { Timeline } from './timeline.ts';

/** How often a webhook of the service is lost. */
const lostWebhooks = 0.01;

/** The jobs of an order, as src/jobs and src/protocol run them. */
export interface Way {
  handlers: JobHandlers;
  /** A shop's webhook about an order comes in through a `web` process. */
  hint(document: number): Promise<void>;
  /** The document is ready to be emitted. */
  ready(document: number, enqueue: (request: JobRequest) => void): void;
  reconciliation(shop: number, dueAt: number, enqueue: (request: JobRequest) => void): void;
}

export function openWay(parts: {
  timeline: Timeline;
  chance: Chance;
  model: JobModel;
  database: Station;
  record: Record;
  service: TaxService;
  shops: readonly Shop[];
  lostAnswers: number;
  /** Whether a key could take a call at once. */
  hasFreeSlot(key: string): Promise<boolean>;
}): Way {
  const { timeline, chance, model, database, record, service, shops } = parts;
  const { documents } = record;
  const start = timeline.now();
  const since = () => timeline.now() - start;
  /** When the authority has decided, by document; and when a pause of an account ended. */
  const authorityAt = new Map<number, number>();
  const authorised = new Set<number>();
  const resumedAt = new Map<string, number>();
  const failures = new Map<string, number>();
  const probes = new Map<string, number>();
  /** Enqueued emissions by key; lost answers and the time since when a query is due. */
  const toEmit = new Map<string, number>();
  const lostOf = new Map<string, Map<number, number>>();

  const shopOf = (document: number): Shop => {
    const shop = shops[documents.shop[document] ?? -1];
    if (!shop) throw new RangeError(`There is no document ${document}.`);
    return shop;
  };
  const numberOf = ({ subject }: ClaimedJob) => Number(subject);

  function request(
    kind: JobKind,
    document: number,
    dueAt: number,
    priority: number,
    rateLimit = true,
  ): JobRequest {
    const { id, account, key } = shopOf(document);
    return {
      kind,
      subject: String(document),
      storeId: id,
      rateLimit: rateLimit ? key : null,
      account: { id: account, ambiente: 2 },
      priority,
      dueAt: new Date(dueAt),
      trace: null,
    };
  }

  async function accepted(job: JobRequest): Promise<void> {
    const { transactions, rows } = accepting;
    record.tick('webhooks', since());
    record.tick('transactions', since(), transactions);
    record.tick('rows', since(), rows);
    await database.use(transactions * server.transaction + rows * server.row);
    model.enqueue({ ...job, dueAt: timeline.clock.now() });
  }

  function authorise(document: number, { enqueue }: Process): void {
    if (authorised.has(document)) return;
    authorised.add(document);
    void model.forget('follow-up', String(document));
    const now = timeline.now();
    enqueue(request('verify-document', document, now, priorities.download));
    enqueue(request('write-back', document, now, priorities.download, false));
  }

  /** The service sends the final webhook; during the outage it sends none, and catches up afterwards. */
  function announce(document: number): void {
    if (chance.next() < lostWebhooks) return;
    const settle = request('settle-document', document, 0, 5, false);
    const send = () => {
      if (service.isDown()) timeline.after(60_000 * (1 + 9 * chance.next()), send);
      else void accepted(settle);
    };
    timeline.after((authorityAt.get(document) ?? 0) - timeline.now() + chance.time(150), send);
  }

  const handlers: JobHandlers = (process) => {
    const { enqueue } = process;
    let reconciling = 0;

    async function unreachable(account: string): Promise<'again' | 'put-back'> {
      const count = (failures.get(account) ?? 0) + 1;
      failures.set(account, count);
      if (count < defaultTimings.serviceDownAfter) return 'again';
      if (!model.isPaused(account)) {
        model.pause(account);
        probes.set(account, 0);
        const dueAt = new Date(timeline.now() + (defaultTimings.probes[0] ?? 0));
        const probe = { subject: account, storeId: `cuenta:${account}`, priority: 0, dueAt } as const;
        enqueue({ ...probe, kind: 'probe-account', rateLimit: null, trace: null });
      }
      return 'put-back';
    }

    const running: Partial<globalThis.Record<JobKind, JobHandler>> = {
      async 'sync-order'(job) {
        const document = numberOf(job);
        await timeline.wait(chance.time(350, 0.6));
        if (Number.isNaN(documents.asked[document])) ready(document, enqueue);
        return done;
      },

      async 'submit-document'(job) {
        const document = numberOf(job);
        const { account, key, keyNumber } = shopOf(document);
        await process.rateLimit(job).take('emission');
        // The attempt is on disk before it leaves.
        await database.use(server.transaction + 3 * server.row);
        const left = since();
        const answer = await service.call(keyNumber);
        const now = timeline.now();
        if (answer === 'unreachable') {
          const kind = await unreachable(account);
          const after = kind === 'again' ? defaultTimings.unreachable : (defaultTimings.probes[0] ?? 0);
          return { kind, dueAt: new Date(now + after), reason: 'nobody answers at the service' };
        }
        if (answer === 'throttled') {
          await process.rateLimit(job).slow(60_000);
          return { kind: 'again', dueAt: new Date(now + 60_000), reason: 'the service asks to slow down' };
        }
        failures.delete(account);
        documents.left[document] = left;
        documents.emissions[document] = (documents.emissions[document] ?? 0) + 1;
        toEmit.set(key, (toEmit.get(key) ?? 0) - 1);
        record.tick('emitted', since());
        authorityAt.set(document, now + chance.time(4_000, 0.8));
        // A lost answer also loses its webhook.
        if (chance.next() >= parts.lostAnswers) {
          announce(document);
          const wait = defaultTimings.followUp[0] ?? 0;
          enqueue(request('follow-up', document, now + wait, priorities.question));
          return done;
        }
        await timeline.wait(30_000);
        documents.lost[document] = 1;
        lostOf.set(key, (lostOf.get(key) ?? new Map<number, number>()).set(document, timeline.now()));
        enqueue(request('follow-up', document, timeline.now(), priorities.question - 1));
        return done;
      },

      async 'settle-document'(job) {
        const document = numberOf(job);
        lostOf.get(shopOf(document).key)?.delete(document);
        authorise(document, process);
        return done;
      },

      async 'follow-up'(job) {
        const document = numberOf(job);
        const { key, keyNumber } = shopOf(document);
        if (authorised.has(document)) return done;
        await process.rateLimit(job).take('question');
        lostOf.get(key)?.delete(document);
        if ((await service.call(keyNumber)) !== 'answered') throw new Error('The service does not answer.');
        const now = timeline.now();
        if ((authorityAt.get(document) ?? 0) <= now) {
          authorise(document, process);
          return done;
        }
        const age = since() - (documents.left[document] ?? 0);
        const next = defaultTimings.followUp.find((_, n, all) => sum(all.slice(0, n + 1)) > age) ?? 3_600_000;
        return { kind: 'again', dueAt: new Date(now + next), reason: 'no final state yet' };
      },

      async 'verify-document'(job) {
        const document = numberOf(job);
        const { account, key, keyNumber } = shopOf(document);
        await process.rateLimit(job).take('download');
        for (const asked of lostOf.get(key)?.values() ?? []) {
          const from = Math.max(asked, resumedAt.get(account) ?? 0);
          if (timeline.now() - from > 1_000) record.downloadsBeforeLost += 1;
        }
        if ((await service.call(keyNumber)) !== 'answered') throw new Error('The service does not answer.');
        documents.downloaded[document] = 1;
        return done;
      },

      async 'write-back'(job) {
        const document = numberOf(job);
        await timeline.wait(chance.time(900, 0.6));
        documents.written[document] = 1;
        // The shop sends a webhook of its own change.
        timeline.after(chance.time(1_500), () => void hint(document));
        return done;
      },

      async reconciliation(job) {
        if (reconciling >= reconciliationsAtOnce) {
          record.inVain += 1;
          const dueAt = new Date(timeline.now() + 2_000 + 4_000 * chance.next());
          return { kind: 'again', dueAt, reason: 'other shops are being reconciled' };
        }
        reconciling += 1;
        await timeline.wait(chance.time(700, 0.6));
        reconciling -= 1;
        const next = timeline.now() + defaultTimings.reconciliation.every * (0.9 + 0.2 * chance.next());
        reconciliation(numberOf(job), next, enqueue);
        return done;
      },

      async 'probe-account'(job) {
        const account = job.subject;
        const shop = shops.find((one) => one.account === account);
        if ((await service.call(shop?.keyNumber ?? 0)) === 'unreachable') {
          const count = (probes.get(account) ?? 0) + 1;
          probes.set(account, count);
          const wait = defaultTimings.probes[count] ?? defaultTimings.probes.at(-1) ?? 0;
          return { kind: 'again', dueAt: new Date(timeline.now() + wait), reason: 'still paused' };
        }
        failures.delete(account);
        resumedAt.set(account, timeline.now());
        model.resume(account);
        return done;
      },
    };
    const none: JobHandler = async () => done;
    return Object.fromEntries(
      jobKinds.map((kind) => [kind, running[kind] ?? none]),
    ) as ReturnType<JobHandlers>;
  };

  function ready(document: number, enqueue: (request: JobRequest) => void): void {
    const { key, account } = shopOf(document);
    documents.asked[document] = since();
    const isFirst = (toEmit.get(key) ?? 0) === 0 && !model.isPaused(account) && !service.isDown();
    toEmit.set(key, (toEmit.get(key) ?? 0) + 1);
    if (isFirst)
      void parts.hasFreeSlot(key).then((free) => {
        documents.free[document] = free ? 1 : 0;
      });
    enqueue(request('submit-document', document, timeline.now(), priorities.emission));
  }

  const hint = (document: number) => accepted(request('sync-order', document, 0, 5, false));

  function reconciliation(shop: number, dueAt: number, enqueue: (request: JobRequest) => void): void {
    const { id } = shops[shop] ?? { id: '' };
    const at = new Date(dueAt);
    const { download: priority } = priorities;
    enqueue({
      kind: 'reconciliation',
      subject: String(shop),
      storeId: id,
      rateLimit: null,
      priority,
      dueAt: at,
      trace: null,
    });
  }

  return { handlers, hint, ready, reconciliation };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
