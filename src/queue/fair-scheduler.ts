import type { Clock } from '../domain/clock.ts';
import { type CallKind, type RateLimits, reconciliationsAtOnce, shopKinds } from '../domain/job.ts';
import type { DueJob } from '../ledger/jobs.ts';
import { intervalMs, longestHoldMs, serviceRate, slotKeepsMs } from './gcra.ts';

/** Under a rate limit `slotAt` is its booked slot in milliseconds of the clock. */
export interface Picked {
  job: DueJob;
  slotAt: number | null;
}

/**
 * One job of every partition before a second of any, the one served longest ago first. Of one rate limit emissions come
 * first, then questions, which behind a backlog get only the slots set aside for them, then downloads.
 */
export interface FairScheduler {
  /** @param unclaimed released jobs that are not yet claimed, by rate limit. */
  pick(
    due: readonly DueJob[],
    free: number,
    unclaimed?: ReadonlyMap<string | null, number>,
  ): Promise<Picked[]>;
  /** Another dispatcher released these: their slots serve the next jobs of their keys and stores. */
  giveBack(picks: readonly Picked[]): void;
  /** Milliseconds of the clock; null when none waits. */
  nextSlotMs(): number | null;
}

/** The jobs beyond those booked ahead: slots that wait too long are lost. */
const waitingPerRateLimit = 4;

export function openFairScheduler(options: {
  rateLimits: RateLimits;
  clock: Clock;
  lookAheadMs: number;
  /** A partition with so many jobs has a backlog. */
  perPartition: number;
  slots: ReturnType<typeof openSlots>;
}): FairScheduler {
  const { rateLimits, clock, lookAheadMs, perPartition, slots } = options;
  const now = () => clock.now().getTime();
  const perRateLimit = waitingPerRateLimit + Math.ceil(lookAheadMs / intervalMs(serviceRate));
  /** Keys are rate limit, kind and whether only set-aside slots count. */
  const blockedUntil = new Map<string, number>();
  const spare = new Map<string, number[]>();
  const servedIn = new Map<string, number>();
  let cycle = 0;
  let released = new Map<string | null, number>();

  async function slotOf(
    rateLimit: string,
    kind: CallKind,
    behindBacklog: boolean,
  ): Promise<number | undefined> {
    const kept = (spare.get(rateLimit) ?? []).filter((at) => at > now() - slotKeepsMs);
    spare.delete(rateLimit);
    const [first, ...rest] = kept;
    if (first !== undefined) {
      if (rest.length > 0) spare.set(rateLimit, rest);
      return first;
    }
    const slot = await rateLimits.reserve(rateLimit, { kind, lookAheadMs, setAsideOnly: behindBacklog });
    if (slot.booked) return now() + slot.waitMs;
    blockedUntil.set(blockName(rateLimit, kind, behindBacklog), now() + slot.retryInMs);
    return undefined;
  }

  async function takeFirst(partition: DueJob[], backlogs: Backlogs): Promise<Picked[]> {
    const [job] = partition;
    if (job === undefined) return [];
    const { rateLimit } = job;
    const slotAt =
      rateLimit === null ? null : await slotOf(rateLimit, kindOf(job), backlogs.behindBacklog(job));
    if (slotAt === undefined) return [];
    partition.shift();
    backlogs.picked(job);
    slots.take(job);
    released.set(rateLimit, (released.get(rateLimit) ?? 0) + 1);
    servedIn.set(job.partition, cycle);
    return [{ job, slotAt }];
  }

  async function takeFairly(partitions: readonly DueJob[][], backlogs: Backlogs): Promise<Picked[]> {
    const picks: Picked[] = [];
    for (const partition of partitions)
      if (mayGo(partition, backlogs)) picks.push(...(await takeFirst(partition, backlogs)));
    return picks;
  }

  function mayGo([job]: readonly DueJob[], backlogs: Backlogs): boolean {
    if (job === undefined || !slots.mayGo(job)) return false;
    if (job.rateLimit === null) return true;
    const { rateLimit } = job;
    const kind = kindOf(job);
    if ((released.get(rateLimit) ?? 0) >= perRateLimit) return false;
    if (kind === 'download' && backlogs.busy(rateLimit)) return false;
    const behindBacklog = backlogs.behindBacklog(job);
    if (blockedUntil.has(blockName(rateLimit, kind, behindBacklog))) return false;
    // Few slots are set aside: shared by many stores, they would delay the question about a lost answer.
    if (behindBacklog && backlogs.outranked(job)) return false;
    return (
      kind === 'emission' ||
      !backlogs.left(rateLimit) ||
      blockedUntil.has(blockName(rateLimit, 'emission', false))
    );
  }

  const served = ([job]: readonly DueJob[]): number => servedIn.get(job?.partition ?? '') ?? 0;

  return {
    async pick(due, free, unclaimed = new Map()) {
      cycle += 1;
      // Further ahead than any hold: the clock was set back.
      for (const [key, until] of blockedUntil)
        if (until <= now() || (Number.isFinite(until) && until > now() + longestHoldMs))
          blockedUntil.delete(key);
      const partitions = [...Map.groupBy(due, (job) => job.partition).values()].sort(
        (a, b) => served(a) - served(b),
      );
      const backlogs = openBacklogs(partitions, perPartition);
      const picks: Picked[] = [];
      released = new Map(unclaimed);
      for (;;) {
        const round = partitions
          .filter((partition) => mayGo(partition, backlogs))
          .slice(0, free - picks.length);
        if (round.length === 0) return picks;
        const byRateLimit = [...Map.groupBy(round, ([job]) => job?.rateLimit ?? null).values()];
        picks.push(...(await Promise.all(byRateLimit.map((of) => takeFairly(of, backlogs)))).flat());
      }
    },
    giveBack(picks) {
      for (const { job, slotAt } of picks) {
        slots.giveBack(job);
        if (job.rateLimit === null || slotAt === null) continue;
        spare.set(job.rateLimit, [...(spare.get(job.rateLimit) ?? []), slotAt]);
      }
    },
    nextSlotMs() {
      const first = Math.min(...blockedUntil.values());
      return Number.isFinite(first) ? Math.max(first - now(), 0) : null;
    },
  };
}

const blockName = (rateLimit: string, kind: CallKind, behindBacklog: boolean): string =>
  `${rateLimit}/${kind}${behindBacklog ? '/set-aside' : ''}`;

const kinds: Partial<Record<DueJob['kind'], CallKind>> = {
  'submit-document': 'emission',
  'verify-document': 'download',
};

const kindOf = ({ kind }: DueJob): CallKind => kinds[kind] ?? 'question';

type Backlogs = ReturnType<typeof openBacklogs>;

/** @param perPartition a partition with so many jobs has a backlog. */
function openBacklogs(partitions: readonly DueJob[][], perPartition: number) {
  const emissions = Map.groupBy(
    partitions.filter(([job]) => job !== undefined && job.rateLimit !== null && kindOf(job) === 'emission'),
    ([job]) => job?.rateLimit ?? '',
  );
  const endless = new Set(
    [...emissions].flatMap(([rateLimit, of]) =>
      of.some((partition) => partition.length >= perPartition) ? [rateLimit] : [],
    ),
  );
  const left = (rateLimit: string) =>
    emissions.get(rateLimit)?.some((partition) => partition.length > 0) ?? false;
  const urgent = partitions.filter(([job]) => job !== undefined && kindOf(job) !== 'download');
  /** A partition belongs to one rate limit, and may become empty. */
  const urgentOf = Map.groupBy(urgent, ([job]) => job?.rateLimit ?? '');
  const questions = new Map<string, Map<number, number>>();
  const count = (job: DueJob, by: number) => {
    if (job.rateLimit === null || kindOf(job) !== 'question') return;
    const counts = questions.get(job.rateLimit) ?? new Map<number, number>();
    questions.set(job.rateLimit, counts.set(job.priority, (counts.get(job.priority) ?? 0) + by));
  };
  for (const job of urgent.flat()) count(job, 1);
  return {
    left,
    busy: (rateLimit: string) =>
      endless.has(rateLimit) || (urgentOf.get(rateLimit)?.some((partition) => partition.length > 0) ?? false),
    behindBacklog: (job: DueJob) =>
      kindOf(job) !== 'emission' &&
      job.rateLimit !== null &&
      (endless.has(job.rateLimit) || left(job.rateLimit)),
    outranked({ rateLimit, priority }: DueJob): boolean {
      for (const [rank, waiting] of questions.get(rateLimit ?? '') ?? [])
        if (rank < priority && waiting > 0) return true;
      return false;
    },
    picked: (job: DueJob) => count(job, -1),
  };
}

/**
 * A shop may run one more job while it has fewer than half the free slots, so one is always free for the next shop.
 * Jobs that call no shop share by kind; those under a rate limit are not counted. Each process counts its own slots.
 */
export function openSlots(slots: number) {
  interface Held {
    share: string;
    kind: DueJob['kind'];
  }
  const held = new Map<string, Held>();
  let waited = false;
  const count = (wanted: (one: Held) => boolean): number => [...held.values()].filter(wanted).length;

  return {
    ids: () => [...held.keys()],
    keep(unfinished: ReadonlySet<string>) {
      waited = false;
      for (const id of held.keys()) if (!unfinished.has(id)) held.delete(id);
    },
    mayGo(job: DueJob): boolean {
      const { kind, rateLimit } = job;
      if (rateLimit !== null) return true;
      const share = shareOf(job);
      if (kind === 'reconciliation') return count((one) => one.kind === kind) < reconciliationsAtOnce;
      const may = count((one) => one.share === share) < (slots - held.size) / 2;
      waited ||= !may;
      return may;
    },
    take(job: DueJob) {
      if (job.rateLimit === null) held.set(job.id, { share: shareOf(job), kind: job.kind });
    },
    giveBack: ({ id }: DueJob) => void held.delete(id),
    get waited(): boolean {
      return waited;
    },
  };
}

const shareOf = ({ kind, storeId }: DueJob): string => (shopKinds.has(kind) ? `shop ${storeId}` : kind);
