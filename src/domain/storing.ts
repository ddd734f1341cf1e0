import type { Confirmation } from './shop-identity.ts';

export interface Storing {
  /** `raw`: the sections of the config file, stored encrypted. Throws ConfigError with everything wrong in it. */
  add(id: string, raw: unknown): Promise<'added' | 'changed' | 'same'>;
  /** Its documents stay. Throws ConfigError `store-unknown`, and `store-busy` while documents are under way. */
  remove(id: string): Promise<void>;
  /**
   * `moved`: the known shop is here now; `same`: the former shop with another identity; `new`: another shop begins here.
   * Throws ConfigError `nothing-to-do`, `input-invalid`, `store-busy`. Returns the code of the hold.
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
    held: string | null;
  }[];
  waiting: { platform: string; shop: string }[];
}
