import type { Writable } from 'node:stream';
import type { Role } from '../../domain/settings.ts';
import type { Piece } from '../../domain/text.ts';
import type { PanelDeps } from './deps.ts';

/** A request of a signed-in person for a page or an action. */
export interface Visit {
  deps: PanelDeps;
  user: string;
  role: Role;
  /** The person's name for commands and timelines: "ana (panel)". */
  by: string;
  now: Date;
  /** Of the path, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The address of a page below the panel: `at('/registro')`. */
  at(path: string): string;
  /** This page: the path below the panel with its query. */
  here: string;
}

/** A page inside the frame: its heading and content. */
export interface PanelView {
  title: string;
  body: Piece;
  status?: number | undefined;
  /** Optional scripts (src/web/assets.ts). */
  scripts?: readonly string[];
  /** Above the heading: the way back. */
  above?: Piece;
}

/** A file, shown in place unless `download`; our own pages may frame it. */
export interface PanelFile {
  bytes: Uint8Array;
  type: string;
  name: string;
  download?: boolean;
}

/** A file that is written while it is downloaded. */
export interface PanelDownload {
  type: string;
  name: string;
  /** Writes and ends the stream; rejects where that fails. */
  write(sink: Writable): Promise<void>;
}

/** Goes on to a page below the panel, which shows the sentence. */
export interface PanelMove {
  to: string;
  says?: string;
  /** False where nothing was done. */
  done?: boolean;
}

export type PanelAnswer = PanelView | PanelFile | PanelDownload | PanelMove;

/** A page, as data. The frame checks session and role before `show`. */
export interface PanelPage {
  /** Below /panel, as express reads paths: '', '/registro', '/documento/:id'. */
  path: string;
  /** The lowest role that may see it. */
  role: Role;
  /** It does work or writes the audit log, so no other site may lead here. */
  ownPagesOnly?: true;
  /** Its place in the header; absent for pages that other pages link to. */
  nav?: { order: number; label: string };
  show(visit: Visit): Promise<PanelAnswer>;
}

/**
 * The action of a form, as data. The frame checks session, origin and role before `run`; `deps.carryOut` writes the
 * audit log (src/operations/carry-out.ts).
 */
export interface PanelAction {
  path: string;
  role: Role;
  /** It cannot be undone, and needs a code entered within the last quarter of an hour (`freshMs`). */
  wantsFreshCode?: true;
  /** `form`: the fields as sent, unparsed. */
  run(visit: Visit, form: Readonly<Record<string, unknown>>): Promise<PanelAnswer>;
}

/** "1 pedido", "2 pedidos". */
export const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
