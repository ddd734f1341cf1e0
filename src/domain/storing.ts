import type { Confirmation } from './shop-identity.ts';

/** Stores kept in the ledger besides those of the config file, so that a new merchant needs no change of the file. */
export interface Storing {
  /** Stores `raw` (the sections of the config file), encrypted. Throws ConfigError with everything wrong in it. */
  add(id: string, raw: unknown): Promise<'added' | 'changed' | 'same'>;
  /** Its documents stay; nothing new begins. Throws ConfigError `store-unknown`, and `store-busy` while documents are under way. */
  remove(id: string): Promise<void>;
  /**
   * A person's answer about a store whose shop is held. `moved`: the known shop is at this address from now on; `same`: it is the
   * former shop with another identity; `new`: another shop begins here. Throws ConfigError `nothing-to-do`, `input-invalid`
   * when the answer does not fit the hold, `store-busy` while documents of the former shop are under way. Returns the code of the hold.
   */
  confirm(id: string, as: Confirmation): Promise<{ code: string }>;
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
    /** Why nothing is done for it until somebody decides; null otherwise. */
    held: string | null;
  }[];
  /** Shops that installed an app and have no store. */
  waiting: { platform: string; shop: string }[];
}
