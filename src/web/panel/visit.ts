import type { Writable } from 'node:stream';
import type { Piece } from '../../domain/html.ts';
import type { Role } from '../../domain/people.ts';
import type { PanelDeps } from './deps.ts';
import type { Language } from './words.ts';

/** Somebody signed in who looks at a page or presses a button of it. */
export interface Visit {
  deps: PanelDeps;
  user: string;
  role: Role;
  /** Who did it, for commands and the documents' history: "ana (panel)". */
  by: string;
  language: Language;
  now: Date;
  /** Goes into every form (forms.ts writes it). */
  csrf: string;
  /** Of the path, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The address of a page below the panel: `at('/registro')`. */
  at(path: string): string;
  /** This page, to come back to it: the path below the panel with its query. */
  here: string;
}

/** A page inside the frame: one heading, and what stands below it. */
export interface PanelView {
  title: string;
  body: Piece;
  status?: number;
  /** Scripts of ours (src/web/assets.ts) the page gets better with. */
  scripts?: readonly string[];
  /** Stands above the heading: how to get back. */
  above?: Piece;
}

/** A file; shown in place it may be framed by our own pages. */
export interface PanelFile {
  bytes: Uint8Array;
  type: string;
  name: string;
  /** Saved instead of shown. */
  download?: boolean;
}

/** A file that is made while it is downloaded. */
export interface PanelDownload {
  type: string;
  name: string;
  /** Ends the stream; rejects when it broke off. */
  write(sink: Writable): Promise<void>;
}

/** Go on to a page below the panel, with a sentence to be shown there. */
export interface PanelMove {
  to: string;
  says?: string;
  /** False: nothing came of it. */
  done?: boolean;
}

export type PanelAnswer = PanelView | PanelFile | PanelDownload | PanelMove;

/** A page, as data; the frame asks who looks before `show` is called. */
export interface PanelPage {
  /** Below /panel, as express reads paths: '', '/registro', '/documento/:id'. */
  path: string;
  /** The least one must be to see it. */
  role: Role;
  /** Its place in the header; none for pages that others lead to. */
  nav?: { order: number; label: Record<Language, string> };
  show(visit: Visit): Promise<PanelAnswer>;
}

/**
 * What a form sends, as data. The frame checks session, origin, token and role before `run` is called; what is done by
 * `deps.commands` is written down there (src/app/commands.ts).
 */
export interface PanelAction {
  path: string;
  role: Role;
  /** It cannot be undone: it wants a code given within the last quarter of an hour (`freshMs`). */
  wantsFreshCode?: true;
  /** `form` is what came, to be read by a schema once. */
  run(visit: Visit, form: Readonly<Record<string, unknown>>): Promise<PanelAnswer>;
}
