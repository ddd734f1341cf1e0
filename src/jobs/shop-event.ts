import { z } from 'zod';
import { done, type JobOutcome } from '../domain/job.ts';
import { owner } from '../domain/settings.ts';
import type { StoredDelivery } from '../ledger/orders.ts';
import type { ShopKey } from '../ledger/schema.ts';
import { uninstalledAlert } from './connection.ts';
import type { Handler, JobDeps } from './deps.ts';
import { unknownStore } from './deps.ts';
import { forgetBuyer } from './forget-buyer.ts';

const Payload = z.object({
  endpoint: z.string(),
  dedupeKey: z.string(),
  platform: z.string(),
  shop: z.string(),
});
export type EventPayload = z.output<typeof Payload>;

/** Ends once the data was exported. */
export const buyerAlert = ({ platform, shop, request }: ShopKey & { request: string }) => ({
  code: 'buyer-asked' as const,
  subject: `${platform} ${shop} ${request}`,
});

export function shopEvent(deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'log' | 'onEvent'>): Handler {
  return async (job) => {
    const reported = Payload.parse(job.payload);
    const delivery = await deps.ledger.deliveries.find({
      connection: reported.endpoint,
      dedupeKey: reported.dedupeKey,
    });
    if (!delivery || delivery.body.length === 0) {
      deps.log.info({ shop: reported.shop }, 'The event is no longer stored; nothing was done');
      return done;
    }
    const { topic, body } = delivery;
    const event = await deps.onEvent(reported.endpoint, { topic, shop: reported.shop, body });
    if (event === null) return unknownStore(reported, async () => true);
    return handle(deps, reported, delivery, event);
  };
}

async function handle(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'log'>,
  reported: EventPayload,
  delivery: StoredDelivery,
  event: NonNullable<Awaited<ReturnType<JobDeps['onEvent']>>>,
): Promise<JobOutcome> {
  const { log, alerts } = deps;
  const { shop } = reported;
  const fields = { shop, topic: delivery.topic, request: delivery.id };
  switch (event.kind) {
    case 'nothing':
      log.info({ ...fields, reason: event.reason }, 'An event of a shop needs no action');
      return done;
    case 'access-ended':
      await alerts.raise({
        ...uninstalledAlert(reported),
        about: owner.shop(reported),
        params: { shop },
      });
      return done;
    case 'access-changed':
      await reportScopes(deps, reported, event.missing);
      return done;
    case 'buyer-asked':
      await alerts.raise({
        ...buyerAlert({ ...reported, request: delivery.id }),
        about: owner.shop(reported),
        params: { shop, request: delivery.id },
      });
      return done;
    case 'forget-buyer':
      return forgetBuyer(deps, { ...reported, delivery, mark: event.buyer });
    case 'forget-shop':
      return forgetBuyer(deps, { ...reported, delivery, mark: null });
  }
}

async function reportScopes(
  { alerts }: Pick<JobDeps, 'alerts'>,
  { platform, shop }: EventPayload,
  missing: readonly string[],
): Promise<void> {
  const name = { code: 'shop-forbidden', subject: `${platform} ${shop}` } as const;
  if (missing.length === 0) return alerts.over(name);
  await alerts.raise({
    ...name,
    about: owner.shop({ platform, shop }),
    params: { what: `facturar en ${shop}`, scopes: missing },
  });
}
