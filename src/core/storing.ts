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
  }[];
  /** Shops that installed an app and whom nobody invoices for. */
  waiting: { platform: string; shop: string }[];
}
