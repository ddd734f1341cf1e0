import type { PageStore } from './platform-page.ts';

/** One thing a store needs before it can be invoiced, and how it stands. */
export interface InstallItem {
  /** In Spanish, for a list: «Permisos de la app». */
  what: string;
  state: 'ok' | 'missing' | 'differs' | 'problem';
  /** What to do about it, or what this run did; null when nothing is to be said. A Spanish sentence. */
  cure: string | null;
  /** This run put it right. */
  done?: boolean;
}

/** A file for the person who installs, such as the app's TOML; written only when it differs. */
export interface InstallFile {
  name: string;
  content: string;
}

export interface Installation {
  items: InstallItem[];
  files: InstallFile[];
}

/** Which store, under which addresses, and whether anything may be changed. */
export interface InstallRequest {
  store: PageStore;
  /** The settings of its app; null when it is its own door. */
  app: unknown;
  /** Base address the world reaches us at, without trailing slash. */
  publicUrl: string;
  /** False only looks (`--check`). A second run with `apply` changes nothing more. */
  apply: boolean;
}
