import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { RateLimit } from '../domain/job.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import type { Log, Mailer, Tickets } from '../domain/ports.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observer } from '../observability/observer.ts';
import type { ServiceClient } from '../service/client.ts';
import type { BodyMemory, DeliveryQuota } from './endpoints.ts';
import type { Links } from './links.ts';

export interface HttpDeps {
  settings: Settings;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  alerts: Alerts;
  /** The default is the account's newest key; undefined for an unknown one. */
  service(accountId: string, keyHash?: string): { client: ServiceClient; rateLimit: RateLimit } | undefined;
  links: Links;
  keepFiles: boolean;
  shopContext(platform: Platform): ShopContext;
  tickets: Tickets;
  mailer: Mailer | null;
  connected(platform: Platform, shop: string, app?: string): Promise<string | null>;
  bodies: BodyMemory;
  deliveries?: DeliveryQuota;
  observer: Observer;
  ready(): Promise<void>;
}
