import type { ClaimedJob, RateLimit } from '../../src/domain/job.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { openServiceClient, type ServiceClient } from '../../src/service/client.ts';

/** The tax service as the steps reach it: one client for each API key, and every slot of a key's rate written down. */
export interface ServiceAccess {
  service: JobDeps['service'];
  /** Writes down the slot that was booked when the work was released, if one was. */
  onClaim(job: ClaimedJob): void;
  /** What took a slot, in order: the kind of work, or the kind of call that found none booked. */
  slots: readonly string[];
  close(): Promise<void>;
}

/** @param patienceMs how long an answer may take. */
export function openServiceAccess(baseUrl: string, patienceMs: number): ServiceAccess {
  const clients = new Map<string, ServiceClient>();
  const slots: string[] = [];

  function clientOf(apiKey: string): ServiceClient {
    const opened =
      clients.get(apiKey) ??
      openServiceClient({ baseUrl, apiKey, userAgent: 'test', timeouts: { headers: patienceMs } });
    clients.set(apiKey, opened);
    return opened;
  }

  /** A slot booked at release pays for the first call; every other one takes its own. */
  function countSlots(prepaid: boolean): RateLimit {
    let paid = prepaid;
    return {
      async take(kind) {
        if (!paid) slots.push(kind);
        paid = false;
      },
      slow: async () => {},
    };
  }

  return {
    service(account, job, keyHash = account.keyHash) {
      const key = account.keys.find((one) => one.keyHash === keyHash);
      if (!key) throw new Error('The account has no such key.');
      return clientOf(key.apiKey).with(countSlots(job?.rateLimit === keyHash));
    },
    onClaim({ rateLimit, kind }) {
      if (rateLimit !== null) slots.push(kind);
    },
    slots,
    async close() {
      for (const client of clients.values()) await client.close();
    },
  };
}
