import type { Clock } from '../domain/clock.ts';
import { type CallKind, type RateLimits, reconciliationsAtOnce, shopKinds } from '../domain/job.ts';
import type { DueJob } from '../ledger/jobs.ts';
import { intervalMs, longestHoldMs, serviceRate, slotKeepsMs } from './rate-limit.ts';

/** Under a rate limit `slotAt` is its booked slot in milliseconds of the clock. */
export interface Picked {
  job: DueJob;
  slotAt: number | null;
}

/**
 * One job of every partition before a second of any, the one served longest ago first. Of one rate limit emissions come
 * first, then questions, which behind a backlog of emissions have the reserve only, then downloads.
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
  /** By rate limit, class and whether only the reserve counts. */
  const blockedUntil = new Map<string, number>();
  const spare = new Map<string, number[]>();
  const servedIn = new Map<string, number>();
  let cycle = 0;

  async function slotOf(job: DueJob, rateLimit: string, reserveOnly: boolean): Promise<number | undefined> {
    const fresh = (spare.get(rateLimit) ?? []).filter((at) => at > now() - slotKeepsMs);
    const kept = fresh.shift();
    if (fresh.length > 0) spare.set(rateLimit, fresh);
    else spare.delete(rateLimit);
    if (kept !== undefined) return kept;
    const kind = kindOf(job);
    const name = `${rateLimit}/${kind}${reserveOnly ? '/reserve' : ''}`;
    if (blockedUntil.has(name)) return undefined;
    const slot = await rateLimits.reserve(rateLimit, { kind, lookAheadMs, reserveOnly });
    if (slot.booked) return now() + slot.waitMs;
    blockedUntil.set(name, now() + slot.retryInMs);
    return undefined;
  }

  /** The first of each partition, then the second of each …; of those the partition served longest ago. */
  function inTurn(jobs: readonly DueJob[]): DueJob[] {
    const nth = new Map<string, number>();
    const served = (job: DueJob) => servedIn.get(job.partition) ?? 0;
    return jobs
      .map((job) => {
        const n = nth.get(job.partition) ?? 0;
        nth.set(job.partition, n + 1);
        return { job, n };
      })
      .sort((a, b) => a.n - b.n || served(a.job) - served(b.job))
      .map(({ job }) => job);
  }

  /** @param due in turn. @param room what may still be released, of all rate limits. */
  async function pickOf(
    rateLimit: string | null,
    due: readonly DueJob[],
    unclaimed: number,
    room: { left: number },
  ): Promise<Picked[]> {
    const picks: Picked[] = [];
    const pickFirst = async (
      jobs: readonly DueJob[],
      slot: (job: DueJob) => Promise<number | null | undefined>,
    ) => {
      for (const [n, job] of jobs.entries()) {
        if (room.left <= 0) return jobs.length - n;
        if (!slots.mayGo(job)) continue;
        // Taken before the wait for the slot, in which other rate limits go on.
        room.left -= 1;
        const slotAt = await slot(job);
        if (slotAt === undefined) {
          room.left += 1;
          return jobs.length - n;
        }
        slots.take(job);
        servedIn.set(job.partition, cycle);
        picks.push({ job, slotAt });
      }
      return 0;
    };
    if (rateLimit === null) {
      await pickFirst(due, async () => null);
      return picks;
    }
    const slot = (reserveOnly: boolean) => async (job: DueJob) =>
      unclaimed + picks.length < perRateLimit ? slotOf(job, rateLimit, reserveOnly) : undefined;
    const emissions = due.filter((job) => kindOf(job) === 'emission');
    const perStore = Map.groupBy(emissions, ({ partition }) => partition);
    const left = await pickFirst(emissions, slot(false));
    const isBehind = left > 0 || [...perStore.values()].some((of) => of.length >= perPartition);
    const questions = due.filter((job) => kindOf(job) === 'question');
    if (isBehind) {
      await pickFirst(
        questions.toSorted((a, b) => a.priority - b.priority),
        slot(true),
      );
    } else if ((await pickFirst(questions, slot(false))) === 0)
      await pickFirst(
        due.filter((job) => kindOf(job) === 'download'),
        slot(false),
      );
    return picks;
  }

  return {
    async pick(due, free, unclaimed = new Map()) {
      cycle += 1;
      // Further ahead than any hold: the clock was set back.
      for (const [name, until] of blockedUntil)
        if (until <= now() || until > now() + longestHoldMs) blockedUntil.delete(name);
      const byRateLimit = Map.groupBy(inTurn(due), ({ rateLimit }) => rateLimit);
      const room = { left: free };
      const picks = [...byRateLimit].map(([rateLimit, of]) =>
        pickOf(rateLimit, of, unclaimed.get(rateLimit) ?? 0, room),
      );
      return (await Promise.all(picks)).flat();
    },
    giveBack(picks) {
      for (const { job, slotAt } of picks) {
        slots.giveBack(job);
        if (job.rateLimit === null || slotAt === null) continue;
        spare.set(job.rateLimit, [...(spare.get(job.rateLimit) ?? []), slotAt]);
      }
    },
    nextSlotMs: () =>
      blockedUntil.size === 0 ? null : Math.max(Math.min(...blockedUntil.values()) - now(), 0),
  };
}

const kinds: Partial<Record<DueJob['kind'], CallKind>> = {
  'submit-document': 'emission',
  'verify-document': 'download',
};

const kindOf = ({ kind }: DueJob): CallKind => kinds[kind] ?? 'question';

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
