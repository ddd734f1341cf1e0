import type { Writable } from 'node:stream';
import type { Role } from '../domain/settings.ts';
import type { Piece } from '../domain/text.ts';
import type { PanelDeps } from './deps.ts';

export interface Visit {
  deps: PanelDeps;
  user: string;
  role: Role;
  by: string;
  now: Date;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  at(path: string): string;
  here: string;
}

export interface PanelView {
  title: string;
  body: Piece;
  status?: number | undefined;
  scripts?: readonly string[];
  above?: Piece;
}

/** Shown in place unless `download`; the panel's own pages may frame it. */
export interface PanelFile {
  bytes: Uint8Array;
  type: string;
  name: string;
  download?: boolean;
}

export interface PanelDownload {
  type: string;
  name: string;
  write(sink: Writable): Promise<void>;
}

export interface PanelMove {
  to: string;
  message?: string;
  done?: boolean;
}

export type PanelAnswer = PanelView | PanelFile | PanelDownload | PanelMove;

/** The frame checks session and role before `show`. */
export interface PanelPage {
  /** Below /panel, as express reads paths: '', '/registro', '/documento/:id'. */
  path: string;
  role: Role;
  /** It does work or writes the audit log, so no other site may lead here. */
  ownPagesOnly?: true;
  nav?: { order: number; label: string };
  show(visit: Visit): Promise<PanelAnswer>;
}

/** The frame checks session, origin and role before `run`; `deps.carryOut` writes the audit log. */
export interface PanelAction {
  path: string;
  role: Role;
  /** It cannot be undone, and needs a code entered within the last quarter of an hour (`freshMs`). */
  wantsFreshCode?: true;
  /** `form` has the fields as sent, unparsed. */
  run(visit: Visit, form: Readonly<Record<string, unknown>>): Promise<PanelAnswer>;
}

export const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
