import type { Writable } from 'node:stream';
import type { Scope } from '../../domain/scope.ts';
import type { Settings } from '../../domain/settings.ts';
import { chosenStores } from '../chosen-stores.ts';
import type { AccountingDeps } from '../deps.ts';
import { type Exported, exportMonth, streamMonth } from './export-month.ts';
import { spanOf } from './month.ts';
import type { MonthCounts } from './write-month.ts';

/** What to hand to the accountant. */
export interface ExportOrder {
  month: string;
  /** Absolute path of the archive, on the machine of whoever holds the ledger. */
  out: string;
  store?: string | undefined;
  ruc?: string | undefined;
  plain?: boolean | undefined;
}

/** Writes months for the accountant; whoever asks for what is being written already gets that one. */
export interface Exporting {
  /** Throws LedgerError `export-month`, `close-store`. */
  month(asked: ExportOrder): Promise<Exported>;
  /** How to write it into a stream, of a scope only its stores. Throws LedgerError `export-month`, `close-store`. */
  download(
    asked: Pick<ExportOrder, 'month' | 'store'> & { scope: Scope | null },
  ): (sink: Writable) => Promise<MonthCounts>;
}

export function openExporting(deps: AccountingDeps, settings: Pick<Settings, 'stores'>): Exporting {
  const running = new Map<string, Promise<Exported>>();
  return {
    async month(asked) {
      const { store, ...rest } = asked;
      const name = JSON.stringify(asked);
      const known = running.get(name);
      if (known) return known;
      const order = { ...rest, ...chosenStores(settings.stores, store) };
      const begun = exportMonth(deps, order).finally(() => running.delete(name));
      running.set(name, begun);
      return begun;
    },
    download({ month, store, scope }) {
      spanOf(month, deps.clock);
      const order = { month, ...chosenStores(settings.stores, store, scope) };
      return (sink) => streamMonth(deps, sink, order);
    },
  };
}
