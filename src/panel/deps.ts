import type { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import type { Log } from '../domain/ports.ts';
import { type Account, isWithin, type Person, type Settings, scopeOf } from '../domain/settings.ts';
import type { HttpDeps } from '../http/deps.ts';
import { openFetch } from '../http/document-links.ts';
import { type Ledger, type LedgerView, wholeLabel } from '../ledger/ledger.ts';
import type { FileKind } from '../ledger/schema.ts';
import type { Operations } from '../operations/carry-out.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import type { Exporting } from '../reports/export/export-month.ts';
import { type Balance, openBalances } from './balance.ts';

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

export function openPanelDeps(deps: PanelParts): (person: Person, by: string) => PanelDeps {
  const { ledger, clock, log, operations, exporting, links } = deps;
  const fetchFile = openFetch(deps);
  const balanceOf = openBalances(deps);
  return ({ stores }, by) => {
    const scope = stores ? scopeOf(stores, deps.settings.stores, by) : null;
    const refused = new RangeError('The panel asked for something outside the stores of the person.');
    const own = (document: Document): Document => {
      if (isWithin(scope, document)) return document;
      throw refused;
    };
    return {
      settings: scope ?? deps.settings,
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
