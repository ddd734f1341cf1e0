import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { RateLimit } from '../domain/job.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import type { Log, Mailer, Tickets } from '../domain/ports.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observer } from '../observability/observer.ts';
import type { Operations } from '../operations/carry-out.ts';
import type { Exporting } from '../reports/export/export-month.ts';
import type { ServiceClient } from '../service/client.ts';
import type { BodyMemory, DeliveryQuota } from './endpoints.ts';
import type { Links } from './links.ts';

export interface HttpDeps {
  settings: Settings;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  alerts: Alerts;
  /** The tax service under an API key of the config, by default the account's newest; undefined for an unknown one. */
  service(accountId: string, keyHash?: string): { client: ServiceClient; rateLimit: RateLimit } | undefined;
  links: Links;
  /** Whether files fetched for a link are kept in the ledger. */
  keepFiles: boolean;
  shopContext(platform: Platform): ShopContext;
  tickets: Tickets;
  /** Null where the config has no mail server. */
  mailer: Mailer | null;
  /** Records that a shop gave access (again); answers the id of its store. */
  connected(platform: Platform, shop: string, app?: string): Promise<string | null>;
  operations: Operations;
  exporting: Pick<Exporting, 'download'>;
  /** The memory for request bodies, shared by all endpoints of this process. */
  bodies: BodyMemory;
  /** What each shop's webhooks may take of the disk, by default as in production. */
  deliveries?: DeliveryQuota;
  observer: Observer;
  /** Rejects while the queue's transport does not answer. */
  ready(): Promise<void>;
}
