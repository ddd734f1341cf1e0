import type { Confirmation } from './shop-identity.ts';

/** Stores the ledger keeps beside those of the config file, so that none is needed for a new merchant. */
export interface Storing {
  /**
   * Keeps a store, sealed: `raw` has the sections of the config file (config/fragment.ts). Throws ConfigError with
   * everything that keeps it from being used. `by` did it; both changes are written down with who did.
   */
  add(id: string, raw: unknown, by?: string): Promise<'added' | 'changed' | 'same'>;
  /**
   * Its documents stay; nothing new is begun for it. Throws ConfigError `unknown-store`, and `store-busy` while documents
   * of it are on their way.
   */
  remove(id: string, by?: string): Promise<void>;
  /**
   * What a person says of a store whose shop is held: `moved`, it is the shop the ledger knows, at this address from now
   * on; `same`, it is the shop that was here, under another identity; `new`, another shop begins here. Throws ConfigError
   * `shop-not-held`, `confirm-other` where the hold asks something else, `store-busy` where documents of the shop before
   * are on their way.
   */
  confirm(id: string, as: Confirmation, by?: string): Promise<void>;
  list(): Promise<StoreList>;
}

export interface StoreList {
  stores: {
    id: string;
    platform: string;
    shop: string;
    account: string;
    ruc: string;
    ambiente: 1 | 2;
    from: 'config' | 'ledger';
    /** Why nothing is done for it until somebody decides; null where all is well. */
    held: string | null;
  }[];
  /** Shops that installed an app and whom nobody invoices for. */
  waiting: { platform: string; shop: string }[];
}
