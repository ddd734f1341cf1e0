import type { ClaimedJob, JobRequest } from '../../src/domain/job.ts';
import type { DueJob, JobTable } from '../../src/ledger/jobs.ts';
import type { Later } from '../../src/ledger/partitions.ts';
import { partitionOf } from '../../src/ledger/partitions.ts';
import { type Heap, heapOf } from './timeline.ts';

/**
 * The ledger's jobs table in memory: it answers what the SQL answers (src/ledger/jobs), which a test compares. Costs are
 * not modelled.
 */
export interface JobModel
  extends Omit<
    JobTable,
    'counts' | 'enqueue' | 'ensure' | 'existing' | 'overdue' | 'lastClaimAt' | 'endLongWaits'
  > {
  /** Returns whether a dispatcher should wake. */
  enqueue(request: JobRequest): void;
  pause(account: string): void;
  resume(account: string): void;
  isPaused(account: string): boolean;
  /** Partitions with waiting jobs, and those with due jobs outside pauses; they determine the cost of a query. */
  partitions(): { waiting: number; due: number };
  counts(): { waiting: number; released: number; leased: number };
}

class Row implements DueJob {
  readonly id: string;
  readonly n: number;
  readonly kind: JobRequest['kind'];
  readonly subject: string;
  storeId: string;
  rateLimit: string | null;
  partition: string;
  place: Partition;
  priority: number;
  due: number;
  payload: unknown;
  state: 'waiting' | 'released' | 'leased' = 'waiting';
  /** It is in the list of its partition: it waits, and was due at the last query. */
  isListed = false;
  attempts = 0;
  token = '';
  releasedAt = 0;
  leaseUntil = 0;
  askedAgainAt: number | null = null;

  constructor(n: number, it: JobRequest, place: Partition) {
    this.n = n;
    this.id = `w${n.toString(36).padStart(8, '0')}`;
    this.kind = it.kind;
    this.subject = it.subject;
    this.storeId = it.storeId;
    this.rateLimit = it.rateLimit;
    this.place = place;
    this.partition = place.name;
    this.priority = it.priority;
    this.due = it.dueAt.getTime();
    this.payload = it.payload;
  }

  get dueAt(): string {
    return new Date(this.due).toISOString();
  }
}

const before = (a: Row, b: Row): number => a.priority - b.priority || a.due - b.due || a.n - b.n;

/** The due jobs of one partition in order. Jobs are taken near the front, so the front may move. */
class Partition {
  readonly name: string;
  rows: Row[] = [];
  front = 0;
  waiting = 0;
  isShut = false;

  constructor(name: string) {
    this.name = name;
  }

  get length(): number {
    return this.rows.length - this.front;
  }

  insert(row: Row): void {
    this.rows.splice(this.place(row), 0, row);
  }

  remove(row: Row): void {
    const at = this.place(row);
    for (let k = at; k > this.front; k -= 1) this.rows[k] = this.rows[k - 1] as Row;
    this.front += 1;
    if (this.front < 512 && this.front < this.rows.length) return;
    this.rows = this.rows.slice(this.front);
    this.front = 0;
  }

  /** Its index, or the index to insert at. */
  private place(row: Row): number {
    let low = this.front;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(this.rows[middle] as Row, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function openJobModel(): JobModel {
  const byName = new Map<string, Row>();
  const byId = new Map<string, Row>();
  const partitions = new Map<string, Partition>();
  const partitionsOf = new Map<string, Partition[]>();
  const paused = new Set<string>();
  const open = new Set<Partition>();
  const later: Heap<{ at: number; row: Row }> = heapOf((a, b) => a.at - b.at);
  const released = new Set<Row>();
  const leased = new Set<Row>();
  const unclaimed = new Map<string | null, number>();
  let waitingPartitions = 0;
  let seen = Number.NEGATIVE_INFINITY;
  let made = 0;

  const nameOf = (kind: string, subject: string) => `${kind} ${subject}`;

  function partitionNamed(name: string): Partition {
    const known = partitions.get(name);
    if (known) return known;
    const partition = new Partition(name);
    partitions.set(name, partition);
    const [urgency, account] = name.split('/');
    if (urgency === 'emission') {
      partitionsOf.set(account ?? '', [...(partitionsOf.get(account ?? '') ?? []), partition]);
      partition.isShut = paused.has(account ?? '');
    }
    return partition;
  }

  function list(row: Row): void {
    const partition = row.place;
    row.isListed = true;
    partition.insert(row);
    if (partition.length === 1) open.add(partition);
  }

  function unlist(row: Row): void {
    if (!row.isListed) return;
    const partition = row.place;
    row.isListed = false;
    partition.remove(row);
    if (partition.length === 0) open.delete(partition);
  }

  /** Adds it to the waiting jobs. */
  function enter(row: Row): void {
    row.state = 'waiting';
    row.place.waiting += 1;
    if (row.place.waiting === 1) waitingPartitions += 1;
    if (row.due <= seen) list(row);
    else later.push({ at: row.due, row });
  }

  /** Removes it from the waiting jobs. */
  function leave(row: Row): void {
    unlist(row);
    row.place.waiting -= 1;
    if (row.place.waiting === 0) waitingPartitions -= 1;
  }

  function mature(now: number): void {
    seen = Math.max(seen, now);
    for (let next = later.peek(); next !== undefined && next.at <= now; next = later.peek()) {
      later.pop();
      const { at, row } = next;
      if (row.state === 'waiting' && row.due === at && !row.isListed && byId.get(row.id) === row) list(row);
    }
  }

  function countUnclaimed({ rateLimit }: Row, by: number): void {
    const count = (unclaimed.get(rateLimit) ?? 0) + by;
    if (count === 0) unclaimed.delete(rateLimit);
    else unclaimed.set(rateLimit, count);
  }

  function drop(row: Row): void {
    byId.delete(row.id);
    byName.delete(nameOf(row.kind, row.subject));
  }

  function holder(id: string, token: string): Row | undefined {
    const row = byId.get(id);
    return row?.state === 'leased' && row.token === token ? row : undefined;
  }

  function giveBack(row: Row, due: number): void {
    leased.delete(row);
    row.due = due;
    row.askedAgainAt = null;
    row.token = '';
    enter(row);
  }

  return {
    enqueue(it) {
      const name = nameOf(it.kind, it.subject);
      const row = byName.get(name);
      const partition = partitionNamed(partitionOf(it));
      if (row === undefined) {
        made += 1;
        const fresh = new Row(made, it, partition);
        byName.set(name, fresh);
        byId.set(fresh.id, fresh);
        enter(fresh);
        return;
      }
      const due = it.dueAt.getTime();
      if (row.state === 'waiting') leave(row);
      if (row.state === 'released') countUnclaimed(row, -1);
      row.storeId = it.storeId;
      row.rateLimit = it.rateLimit;
      row.place = partition;
      row.partition = partition.name;
      row.priority = Math.min(row.priority, it.priority);
      row.payload = it.payload ?? row.payload;
      if (row.state === 'leased') row.askedAgainAt = Math.min(row.askedAgainAt ?? due, due);
      else row.due = Math.min(row.due, due);
      if (row.state === 'waiting') enter(row);
      if (row.state === 'released') countUnclaimed(row, 1);
    },

    async due(now, perPartition, limit) {
      mature(now.getTime());
      const found: Row[] = [];
      for (const { isShut, rows, front } of open) {
        if (isShut) continue;
        const end = Math.min(front + perPartition, rows.length);
        for (let k = front; k < end; k += 1) found.push(rows[k] as Row);
      }
      found.sort(before);
      if (found.length > limit) found.length = limit;
      return found;
    },

    async nextDueAt(after) {
      if (after) mature(after.getTime());
      for (let next = later.peek(); next !== undefined; next = later.peek()) {
        const { at, row } = next;
        if (row.state === 'waiting' && row.due === at && !row.isListed && byId.get(row.id) === row)
          return new Date(at);
        later.pop();
      }
      return null;
    },

    async release(ids, now) {
      const won = ids.filter((id) => {
        const row = byId.get(id);
        if (row?.state !== 'waiting' || row.due > now.getTime()) return false;
        leave(row);
        row.state = 'released';
        row.releasedAt = now.getTime();
        released.add(row);
        countUnclaimed(row, 1);
        return true;
      });
      return won;
    },

    // The model's transport takes every job.
    async takeBack() {},

    // The model's processes never die.
    async leaveRunning() {},
    async survived() {},
    held: async () => [],
    free: async () => [],

    async claim(id, leaseMs, now): Promise<ClaimedJob | undefined> {
      const row = byId.get(id);
      if (row?.state !== 'released') return undefined;
      released.delete(row);
      countUnclaimed(row, -1);
      leased.add(row);
      made += 1;
      row.state = 'leased';
      row.token = `t${made}`;
      row.leaseUntil = now.getTime() + leaseMs;
      const { kind, subject, storeId, rateLimit, payload, attempts, token } = row;
      return { id, kind, subject, storeId, rateLimit, payload, trace: null, attempts, token };
    },

    async extend(id, token, leaseMs, now) {
      const row = holder(id, token);
      if (row) row.leaseUntil = now.getTime() + leaseMs;
      return row !== undefined;
    },

    async finish(id, token) {
      const row = holder(id, token);
      if (!row) return false;
      if (row.askedAgainAt === null) {
        leased.delete(row);
        drop(row);
      } else {
        row.attempts = 0;
        giveBack(row, row.askedAgainAt);
      }
      return true;
    },

    async postpone(id, token, { dueAt, putBack = false, failedAt }: Later) {
      const row = holder(id, token);
      if (!row) return false;
      const at = putBack && row.place.isShut ? row.due : dueAt.getTime();
      if (failedAt !== null) row.attempts += 1;
      else if (!putBack) row.attempts = 0;
      giveBack(row, Math.min(row.askedAgainAt ?? at, at));
      return true;
    },

    async forget(kind, subject) {
      const row = byName.get(nameOf(kind, subject));
      if (row?.state !== 'waiting') return;
      leave(row);
      drop(row);
    },

    async recover(now, releasedForMs) {
      let count = 0;
      for (const row of released) {
        if (row.releasedAt > now.getTime() - releasedForMs) break;
        released.delete(row);
        countUnclaimed(row, -1);
        enter(row);
        count += 1;
      }
      for (const row of leased) {
        if (row.leaseUntil > now.getTime()) continue;
        row.attempts += 1;
        const { due } = row;
        giveBack(row, due);
        count += 1;
      }
      return count;
    },

    unclaimed: async () => new Map(unclaimed),
    unfinished: async (ids) =>
      new Set(
        ids.filter((id) => {
          const state = byId.get(id)?.state;
          return state === 'released' || state === 'leased';
        }),
      ),
    holds: async (id, token) => holder(id, token) !== undefined,

    pause(account) {
      paused.add(account);
      for (const partition of partitionsOf.get(account) ?? []) partition.isShut = true;
    },
    resume(account) {
      paused.delete(account);
      for (const partition of partitionsOf.get(account) ?? []) partition.isShut = false;
    },
    isPaused: (account) => paused.has(account),
    partitions() {
      let due = 0;
      for (const { isShut } of open) if (!isShut) due += 1;
      return { waiting: waitingPartitions, due };
    },
    counts: () => ({
      waiting: byId.size - released.size - leased.size,
      released: released.size,
      leased: leased.size,
    }),
  };
}
