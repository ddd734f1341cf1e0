import type { Alerts } from '../../domain/alerts.ts';
import type { Day } from '../../domain/calendar.ts';
import { LedgerError } from '../../domain/errors.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Settings } from '../../domain/settings.ts';
import { noteAnnulled } from '../../jobs/annulled.ts';
import type { KeptClose } from '../../ledger/closes.ts';
import { type ChosenStores, chosenStores } from '../chosen-stores.ts';
import type { AccountingDeps } from '../deps.ts';
import { closeDay } from './close-day.ts';
import { walletsOf } from './credits.ts';
import type { ClosedDay, DayClose } from './day-close.ts';
import { keepClose } from './keep-close.ts';
import { today } from './read-sales.ts';
import type { Signer } from './signing.ts';

/** What to close: a day, of one store or of all. */
export interface CloseAsked {
  day: Day;
  store?: string | undefined;
  /** Sign and keep it. */
  save?: boolean | undefined;
  /** Of whoever asks: all stores are then those of the scope. */
  scope?: Scope | null | undefined;
}

/** A close, and the kept one where it was asked to be kept. */
export interface CloseAnswer extends Omit<ClosedDay, 'annulled'> {
  kept: KeptClose | null;
}

/** Closes days for whoever asks: the command line, the panel, the night. */
export interface Closing {
  /**
   * Whoever asks for what is being closed already gets that one. Throws LedgerError `close-future`, `close-store`.
   */
  close(asked: CloseAsked): Promise<CloseAnswer>;
  /** Raises the alert about a day that does not add up, or ends it. A kept close of all stores does so by itself. */
  tellOf(close: DayClose): Promise<void>;
  signer: Signer;
}

export function openClosing(
  deps: AccountingDeps & { alerts: Alerts },
  settings: Pick<Settings, 'stores'>,
  signer: Signer,
): Closing {
  const running = new Map<string, Promise<CloseAnswer>>();

  async function run(day: Day, chosen: ChosenStores, save: boolean): Promise<CloseAnswer> {
    if (day > today(deps))
      throw new LedgerError(
        'close-future',
        `El ${day} todavía no llega en Ecuador: cierre un día que ya empezó.`,
        `Day ${day} has not begun in Ecuador; close one that has.`,
      );
    const wallets = walletsOf(settings.stores.values(), chosen.stores);
    const { annulled, ...closed } = await closeDay(deps, { day, ...chosen, wallets });
    // A close changes no document; that one was annulled elsewhere is noted by whoever keeps it.
    if (save) for (const document of annulled) await noteAnnulled(deps, document);
    const kept = save ? await keepClose(deps.ledger.closes, signer, closed.close) : null;
    if (kept && closed.close.scope === '*' && closed.close.result !== 'incomplete')
      await tellOf(closed.close);
    return { ...closed, kept };
  }

  async function tellOf({ day, result, differences, unanswered }: DayClose): Promise<void> {
    const name = { code: 'close-differs', subject: day };
    // What differed does so no more; that a shop cannot be asked its owner knows.
    if (result === 'green' || result === 'partial') return deps.alerts.over(name);
    const [first] = result === 'red' ? differences : unanswered;
    const more = differences.length > 1 ? ` (y ${differences.length - 1} más)` : '';
    await deps.alerts.raise({
      ...name,
      what: `El cierre del ${day} ${result === 'red' ? 'no cuadra' : 'no se pudo conciliar'}: ${first?.sentence ?? ''}${more}`,
      cure: `Véalo con «facturapuente close --date ${day}»; cuando esté corregido, ciérrelo otra vez con --save.`,
    });
  }

  return {
    signer,
    tellOf,
    async close({ day, store, save = false, scope = null }) {
      const chosen = chosenStores(settings.stores, store, scope);
      const name = JSON.stringify([day, chosen.scope, save]);
      const known = running.get(name);
      if (known) return known;
      const begun = run(day, chosen, save).finally(() => running.delete(name));
      running.set(name, begun);
      return begun;
    },
  };
}
