/** One request as the audit shows it. `status` 0: the connection ended without an answer. */
export interface RequestRecord {
  at: string;
  method: string;
  path: string;
  /** The API key, masked. */
  key: string | null;
  status: number | null;
  /** The JSON that came; null when there was none, and for all but the latest requests. */
  body: unknown;
}

export interface RequestLog {
  add(record: RequestRecord): void;
  ended(record: RequestRecord, status: number): void;
  /** The kept requests, oldest first. */
  all(): RequestRecord[];
  /** Counts over every request since the start, kept or not. */
  counts(): { total: number; byStatus: Record<string, number> };
  clear(): void;
}

// A load test must not fill the memory: bodies weigh most and are looked at soon or never.
const keptRecords = 50_000;
const keptBodies = 1_000;

/** Every request of the sandbox, as far back as memory allows. */
export function openRequestLog(): RequestLog {
  let records: RequestRecord[] = [];
  let dropped = 0;
  const statuses = new Map<number, number>();
  return {
    add(record) {
      records.push(record);
      const aged = records[records.length - 1 - keptBodies];
      if (aged) aged.body = null;
      if (records.length < keptRecords * 2) return;
      dropped += records.length - keptRecords;
      records = records.slice(-keptRecords);
    },
    ended(record, status) {
      record.status = status;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    all: () => [...records],
    counts: () => ({
      total: dropped + records.length,
      byStatus: Object.fromEntries([...statuses].map(([status, count]) => [String(status), count])),
    }),
    clear() {
      records = [];
      dropped = 0;
      statuses.clear();
    },
  };
}
