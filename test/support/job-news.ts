import type { Sandbox } from '../../sandbox/emulator/index.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { eventSubject, orderSubject } from '../../src/domain/job.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { readAccessKey, readEvent } from '../../src/service/event.ts';
import { documentBody } from '../../src/service/inferred.ts';
import { eventBody } from './service-event.ts';

/** What comes from outside, put into the ledger as the endpoints do. */
export interface JobNews {
  /** The shop tells of an order. */
  sync(orderId: string): Promise<void>;
  /** The service tells of a document what the sandbox would send, with `change` made to its fields. */
  event(accessKey: string, change?: Record<string, unknown>): Promise<void>;
}

export function jobNews(parts: {
  ledger: Pick<Ledger, 'jobs'>;
  clock: Clock;
  sandbox: Sandbox;
  shopUrl: string;
}): JobNews {
  const { ledger, clock, sandbox, shopUrl } = parts;
  const asked = () => ({ storeId: 'tienda', rateLimit: null, priority: 5, dueAt: clock.now() });
  return {
    async sync(orderId) {
      const subject = orderSubject({ platform: 'woocommerce', shop: shopUrl, orderId });
      await ledger.jobs.enqueue({ kind: 'sync-order', subject, ...asked() });
    },
    async event(accessKey, change = {}) {
      const stored = sandbox.documents().find((document) => document.claveacceso === accessKey);
      if (!stored) throw new Error('The sandbox has no such document.');
      const { account = 'cuenta', ...fields } = change;
      const event = readEvent(documentBody.parse({ ...eventBody(stored), ...fields }));
      if (event === 'contradictory') return;
      await ledger.jobs.enqueue({
        kind: 'settle-document',
        subject: eventSubject(accessKey, event.evento),
        ...asked(),
        payload: { account, ...event, ...readAccessKey(accessKey) },
      });
    },
  };
}
