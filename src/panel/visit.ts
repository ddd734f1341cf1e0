import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import type { Log } from '../domain/ports.ts';
import {
  type Account,
  isWithin,
  type Person,
  type Role,
  type Settings,
  scopeOf,
} from '../domain/settings.ts';
import type { Piece } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { openFetch } from '../http/document-links.ts';
import { impatientRateLimit } from '../http/limits.ts';
import { type Ledger, type LedgerView, wholeLabel } from '../ledger/ledger.ts';
import type { FileKind } from '../ledger/schema.ts';
import type { Operations } from '../operations/carry-out.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import type { Exporting } from '../reports/export/export-month.ts';
import type { BalanceState } from '../service/answers.ts';

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
  /** A link above the title. */
  back?: readonly [path: string, label: string];
  /** Why nothing was done, below the title. */
  flaw?: string | undefined;
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

interface PanelMove {
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

/** All within the stores the person is limited to. A page gets nothing else, so a new page is limited too. */
export interface PanelDeps {
  settings: Pick<Settings, 'stores'>;
  closeLabel: string;
  ledger: LedgerView;
  clock: Clock;
  log: Log;
  operations: readonly Operation[];
  carryOut<Input extends z.ZodObject, Data>(
    operation: Operation<Input, Data>,
    input: z.input<Input>,
  ): Promise<Answer<Data>>;
  isLimited: boolean;
  download(asked: { month: string; store?: string }): ReturnType<Exporting['download']>;
  audit: Ledger['auditLog']['add'];
  buyerLink(document: Document, until: Date): string;
  file(document: Document, accessKey: string, kind: FileKind): Promise<Uint8Array | null>;
  balance(account: Account): Promise<Balance>;
}

export interface PanelParts extends HttpDeps {
  operations: Operations;
  exporting: Pick<Exporting, 'download'>;
}

export function openPanelDeps(parts: PanelParts): (person: Person, by: string) => PanelDeps {
  const { ledger, clock, log, operations, exporting, links } = parts;
  const fetchFile = openFetch(parts);
  const balanceOf = openBalances(parts);
  return ({ stores }, by) => {
    const scope = stores ? scopeOf(stores, parts.settings.stores, by) : null;
    const refused = new RangeError('The panel asked for something outside the stores of the person.');
    const own = (document: Document): Document => {
      if (isWithin(scope, document)) return document;
      throw refused;
    };
    return {
      settings: scope ?? parts.settings,
      closeLabel: scope?.label ?? wholeLabel,
      ledger: ledger.view(scope),
      clock,
      log,
      operations: operations.all,
      carryOut: (operation, input) => operations.run(operation, input, { by, scope }),
      isLimited: scope !== null,
      download: (asked) => exporting.download({ ...asked, scope }),
      audit: ledger.auditLog.add,
      buyerLink: (document, until) => links.identification(own(document).id, until),
      file: (document, accessKey, kind) => fetchFile(own(document), accessKey, kind),
      balance: async (account) => {
        if (scope?.accounts.has(account.id) === false) throw refused;
        return balanceOf(account);
      },
    };
  };
}

interface Balance {
  credits: number | null;
  state: BalanceState | null;
  asking: boolean;
}

const noBalance: Omit<Balance, 'asking'> = { credits: null, state: null };

const balanceFreshMs = 10 * 60_000;
const afterFailureMs = 60_000;
/** A later answer serves the next page. */
const balancePatienceMs = 120;

function openBalances({ service }: Pick<HttpDeps, 'service'>): (account: Account) => Promise<Balance> {
  const accounts = new Map<
    string,
    { reported: typeof noBalance; until: number; asking: Promise<void> | null }
  >();

  async function ask(account: Account): Promise<typeof noBalance> {
    const issuer = service(account.id);
    if (!issuer) return noBalance;
    try {
      const balance = await issuer.client.with(impatientRateLimit(issuer.rateLimit)).consultarSaldo();
      if (balance.kind !== 'balance' || (balance.creditos ?? balance.estadoSaldo) === null) return noBalance;
      return { credits: balance.creditos, state: balance.estadoSaldo };
    } catch {
      // jobs/watch reports failures.
      return noBalance;
    }
  }

  return async (account) => {
    const known = accounts.get(account.id) ?? { reported: noBalance, until: 0, asking: null };
    accounts.set(account.id, known);
    if (known.until <= performance.now() && known.asking === null)
      known.asking = ask(account)
        .then((reported) => {
          known.reported = reported;
          known.until = performance.now() + (reported === noBalance ? afterFailureMs : balanceFreshMs);
        })
        .finally(() => {
          known.asking = null;
        });
    if (known.asking !== null)
      await Promise.race([known.asking, sleep(balancePatienceMs, undefined, { ref: false })]);
    return { ...known.reported, asking: known.asking !== null };
  };
}

/** The work continues after the answer. */
const patienceMs = 10_000;

/** null where it takes longer than a person waits. A later failure is logged. */
export async function unlessLong<T>(
  { deps: { log } }: Visit,
  what: string,
  task: Promise<T>,
): Promise<T | null> {
  const late = sleep(patienceMs, null, { ref: false });
  const first = await Promise.race([task, late]);
  if (first === null)
    task.catch((error: Error) =>
      log.warn({ err: error, what }, 'A task that was started in the panel failed'),
    );
  return first;
}
