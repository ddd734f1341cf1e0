import type { Alerts } from '../domain/alerts.ts';
import type { Budget } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { Commands } from '../domain/commands.ts';
import type { Log } from '../domain/log.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import type { Settings } from '../domain/settings.ts';
import type { Tickets } from '../domain/tickets.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observer } from '../observability/observer.ts';
import type { Exporting } from '../reports/export/exporting.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Links } from './links.ts';
import type { BodyMemory } from './raw-body.ts';

/** What every door works with. */
export interface HttpDeps {
  settings: Settings;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  alerts: Alerts;
  /** The tax service as one API key of the config sees it (the account's newest unless said otherwise); undefined for what is gone. */
  service(accountId: string, keyHash?: string): { client: ServiceClient; budget: Budget } | undefined;
  links: Links;
  /** Whether files of documents that were fetched for a link are kept. */
  keepFiles: boolean;
  /** What a platform's pages work with. */
  shopContext(platform: Platform): ShopContext;
  tickets: Tickets;
  /** A shop lets us in (again); answers its store. */
  connected(platform: Platform, shop: string, app?: string): Promise<string | null>;
  commands: Commands;
  /** Months for whoever downloads them. */
  exporting: Pick<Exporting, 'download'>;
  /** What bodies of requests may hold, of all endpoints of this process. */
  bodies: BodyMemory;
  /** Watches the doors. */
  observer: Observer;
  /** Rejects while the transport of work does not answer. */
  ready(): Promise<void>;
}
