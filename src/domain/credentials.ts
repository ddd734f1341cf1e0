/** What a shop gave us or we made for it (tokens, API keys, webhook secrets), as kept. */
export interface Credential {
  /** JSON; whoever reads it checks it with its own schema. */
  value: unknown;
  /** Counts the writes, from 1. */
  version: number;
}

/** One platform's credentials: sealed at rest, one record a shop, shared by all processes. */
export interface Credentials {
  get(shop: string): Promise<Credential | null>;
  /**
   * Writes over the version that was read (null: there was none), and answers false, writing nothing, when somebody
   * else was faster.
   */
  put(shop: string, value: unknown, version: number | null): Promise<boolean>;
  /** False when there was none. */
  remove(shop: string): Promise<boolean>;
  /** All shops that have one. */
  shops(): Promise<string[]>;
  /**
   * Runs `task` for this shop alone, in all processes: a refresh token may be spent only once. Whoever is at it is
   * waited for; a process that died at it gives way after a minute. Throws ShopError `turn-taken` after half a minute.
   */
  alone<T>(shop: string, task: () => Promise<T>): Promise<T>;
}
