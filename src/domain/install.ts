import type { PageStore } from './platform-page.ts';
import type { Tickets } from './tickets.ts';

/** One thing a store needs before it can be invoiced, and how it stands. */
export interface InstallItem {
  /** For machines, where the platform gives one: "permalinks". */
  code?: string;
  /** In Spanish, for a list: «Permisos de la app». */
  what: string;
  /** `warning`: it works, but a person should look. */
  state: 'ok' | 'missing' | 'differs' | 'problem' | 'warning';
  /** What to do about it, or what this run did; null when nothing is to be said. A Spanish sentence. */
  cure: string | null;
  /** This run put it right. */
  done?: boolean;
}

/** A file for the person who installs, such as the app's TOML. It holds no secret. */
export interface InstallFile {
  /** Without a folder, and no hidden file. */
  name: string;
  content: string;
}

/** Which store, under which addresses, and whether anything may be changed. */
export interface InstallRequest {
  store: PageStore;
  /** The settings of its app; null when it is its own door. */
  app: unknown;
  /** Base address the world reaches us at, without trailing slash. */
  publicUrl: string;
  tickets: Tickets;
  /** False only looks (`--check`). A second run with `apply` changes nothing more. */
  apply: boolean;
}

/** Installing the configured stores, by whoever holds the ledger. */
export interface Installing {
  /**
   * `by` is written down where something is changed. Throws ShopError, and ConfigError `no-install` for a platform that
   * has nothing to install.
   */
  install(storeId: string, apply: boolean, by: string | null): Promise<InstallItem[]>;
  /** What was taken back, and what could not be. Throws ConfigError `no-install`. */
  uninstall(storeId: string, by: string | null): Promise<InstallItem[]>;
}
