import type { JobKind } from '../../src/domain/job.ts';

/** The times of each document, in milliseconds of the run; NaN before the event. */
export interface Documents {
  shop: Int32Array;
  paid: Float64Array;
  /** Its emission was enqueued, and left. */
  asked: Float64Array;
  left: Float64Array;
  /** 1: when it was enqueued, its key had a free slot and nothing else to emit. */
  free: Uint8Array;
  emissions: Uint8Array;
  downloaded: Uint8Array;
  written: Uint8Array;
  /** Its answer was lost, and a query is due. */
  lost: Uint8Array;
}

export interface Record {
  documents: Documents;
  count: number;
  /** Adds a document; returns its number. */
  add(shop: number, paid: number): number;
  /** Counts something in the minute of `now`. */
  tick(what: Counted, now: number, by?: number): void;
  /** By minute. */
  minutes: { [what in Counted]: Float64Array };
  /** Downloads that left while a lost answer of their key had waited for a slot for longer than a second. */
  downloadsBeforeLost: number;
  /** Reconciliations that found their process busy and came back. */
  inVain: number;
}

export const jobKinds = [
  'sync-order',
  'submit-document',
  'settle-document',
  'follow-up',
  'verify-document',
  'write-back',
  'reconciliation',
  'probe-account',
] as const satisfies JobKind[];
const others = [
  'orders',
  'webhooks',
  'emitted',
  'transactions',
  'rows',
  'looks',
  'releases',
  'lookMs',
  'slotMs',
  'reserves',
] as const;
export type Counted = (typeof jobKinds)[number] | (typeof others)[number];

export function openRecord(most: number, minutes: number): Record {
  const documents: Documents = {
    shop: new Int32Array(most),
    paid: new Float64Array(most).fill(Number.NaN),
    asked: new Float64Array(most).fill(Number.NaN),
    left: new Float64Array(most).fill(Number.NaN),
    free: new Uint8Array(most),
    emissions: new Uint8Array(most),
    downloaded: new Uint8Array(most),
    written: new Uint8Array(most),
    lost: new Uint8Array(most),
  };
  const counted = Object.fromEntries(
    [...jobKinds, ...others].map((what) => [what, new Float64Array(minutes)]),
  ) as Record['minutes'];
  const record: Record = {
    documents,
    count: 0,
    add(shop, paid) {
      const n = record.count;
      if (n >= most) throw new RangeError(`There is room for ${most} documents.`);
      record.count += 1;
      documents.shop[n] = shop;
      documents.paid[n] = paid;
      return n;
    },
    tick(what, now, by = 1) {
      const minute = Math.floor(now / 60_000);
      counted[what][minute] = (counted[what][minute] ?? 0) + by;
    },
    minutes: counted,
    downloadsBeforeLost: 0,
    inVain: 0,
  };
  return record;
}
