import type { Clock } from '../../domain/clock.ts';
import type { CommandAnswer } from '../../domain/commands.ts';
import type { Document } from '../../domain/document.ts';
import type { Log } from '../../domain/log.ts';
import type { Person } from '../../domain/people.ts';
import { isWithin, scopeOf } from '../../domain/scope.ts';
import type { Account, Settings } from '../../domain/settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type LedgerView, wholeLabel } from '../../ledger/view.ts';
import type { Exporting } from '../../reports/export/exporting.ts';
import type { HttpDeps } from '../deps.ts';
import { type FileKind, openFetch } from '../document-links.ts';
import { type Balance, openBalances } from './shops/balance.ts';

/**
 * What the pages of the panel work with, all of it within the stores the person is limited to. A page has no other way
 * to ledger, settings, service or commands, so that a new one is limited by itself.
 */
export interface PanelDeps {
  settings: Pick<Settings, 'stores'>;
  /** The name of closes of all these stores together. */
  closeLabel: string;
  ledger: LedgerView;
  clock: Clock;
  log: Log;
  commands: { run(name: string, input: unknown): Promise<CommandAnswer | undefined> };
  exporting: {
    download(asked: { month: string; store?: string }): ReturnType<Exporting['download']>;
  };
  /** Writes into the audit log what is done beside the commands. */
  audit: Ledger['deeds']['add'];
  /** The page on which the buyer of a document says whom it is to name. */
  buyerLink(document: Document, until: Date): string;
  /** A file of an authorised document; null while nobody has it. */
  file(document: Document, accessKey: string, kind: FileKind): Promise<Uint8Array | null>;
  balance(account: Account): Promise<Balance>;
}

/** @param by who it is, as the audit log names them. */
export function openPanelDeps(deps: HttpDeps): (person: Person, by: string) => PanelDeps {
  const { ledger, clock, log, commands, exporting, links } = deps;
  const fetchFile = openFetch(deps);
  const balanceOf = openBalances(deps);
  return ({ stores }, by) => {
    const scope = stores ? scopeOf(stores, deps.settings.stores, by) : null;
    const refused = new RangeError('What a page asks for is not of the stores its person is limited to.');
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
      commands: { run: (name, input) => commands.run(name, input, scope) },
      exporting: { download: (asked) => exporting.download({ ...asked, scope }) },
      audit: ledger.deeds.add,
      buyerLink: (document, until) => links.identification(own(document).id, until),
      file: (document, accessKey, kind) => fetchFile(own(document), accessKey, kind),
      balance: async (account) => {
        if (scope?.accounts.has(account.id) === false) throw refused;
        return balanceOf(account);
      },
    };
  };
}
