import type { Scope } from '../domain/scope.ts';
import type { Behind } from '../domain/sweep-lists.ts';
import type { OrderKey } from './shop-tables.ts';

/* What the ledger keeps of the search for changes no webhook told: how far each shop was swept. */

export type ShopKey = Omit<OrderKey, 'orderId'>;

export interface SweepRow<Progress = unknown> {
  /** Goes up with every save; the one read must be the one saved over. */
  version: number;
  /** By our clock: every change the shop made until then is known, by whichever list. */
  sweptTo: string;
  /** Since when a run after another ends before its lists do; null when the last one reached every end. */
  behindSince: string | null;
  /** Which lists those are. */
  behind: Behind;
  /** Where the sweep stands, the step's own JSON; null before the first page. */
  progress: Progress | null;
}

export interface Freshness extends ShopKey {
  /** As the config called the store when it last started. */
  storeId: string;
  /** Goes up with every page that is read. */
  version: number;
  sweptTo: string;
  behind: Behind;
}

export interface Sweeps {
  /** Notes that this shop is swept, and known up to an instant; one that is noted already stays as it is. */
  begin(shop: ShopKey, sweptTo: Date): Promise<void>;
  get<Progress>(shop: ShopKey): Promise<SweepRow<Progress> | undefined>;
  /** Compare-and-set; false when somebody else saved since `row` was read. */
  save(shop: ShopKey, row: SweepRow): Promise<boolean>;
  /** Of every shop that was ever swept, or those of the scope: freshness is now − `sweptTo`. */
  freshness(scope?: Scope | null): Promise<Freshness[]>;
}
