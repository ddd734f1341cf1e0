import type { Alerts } from '../../domain/alerts.ts';
import type { Day } from '../../domain/clock.ts';
import { documentNumber, statesUnderWay } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import type { Scope, Settings } from '../../domain/settings.ts';
import { noteAnnulled } from '../../jobs/verify-document.ts';
import type { KeptClose } from '../../ledger/schema.ts';
import { unansweredText } from '../../messages/closing.ts';
import type { AccountingDeps } from '../sources.ts';
import { type ChosenStores, chosenStores } from '../sources.ts';
import { compareDay } from './compare.ts';
import { walletsOf } from './credits.ts';
import { type ClosedDay, type DayClose, type Difference, isDayOver, type Unanswered } from './day-close.ts';
import { explainedOf, fatesOf, issuedFigures } from './figures.ts';
import { keepClose, type Signer } from './keep-close.ts';
import { type DayAsked, type DayRead, type ReadDocument, readDay } from './read-day.ts';
import { type Sold, today, whatFailed } from './read-sales.ts';

interface CloseAsked {
  day: Day;
  store?: string | undefined;
  save?: boolean | undefined;
  scope?: Scope | null | undefined;
}

export interface CloseAnswer extends Omit<ClosedDay, 'annulled'> {
  kept: KeptClose | null;
}

export interface Closing {
  /** Equal calls at the same time share one close. Throws CommandError `input-invalid`, `store-unknown`. */
  close(asked: CloseAsked): Promise<CloseAnswer>;
  reportOf(close: DayClose): Promise<void>;
  signer: Signer;
}

export function openClosing(
  deps: AccountingDeps & { alerts: Alerts },
  settings: Pick<Settings, 'stores'>,
  signer: Signer,
): Closing {
  const running = new Map<string, Promise<CloseAnswer>>();

  async function run(day: Day, chosen: ChosenStores, save: boolean): Promise<CloseAnswer> {
    if (day > today(deps)) throw new CommandError('input-invalid', { why: 'day', day });
    const wallets = walletsOf(settings.stores.values(), chosen.stores);
    const asked = { day, ...chosen, wallets };
    const { annulled: _noted, ...closed } = await closeAndNote(asked, save).catch((error) =>
      failedClose(deps, asked, error),
    );
    const kept = save ? await keepClose(deps.ledger.closes, signer, closed.close) : null;
    if (kept && closed.close.scope === '*' && closed.close.result !== 'incomplete')
      await reportOf(closed.close);
    return { ...closed, kept };
  }

  async function closeAndNote(asked: DayAsked, save: boolean): Promise<ClosedDay> {
    const closed = await closeDay(deps, asked);
    // The one change to documents: a kept close records annulments.
    if (save) for (const document of closed.annulled) await noteAnnulled(deps, document);
    return closed;
  }

  async function reportOf({ day, result, provisional, differences, unanswered }: DayClose): Promise<void> {
    const name = { code: 'close-differs', subject: day } as const;
    // `partial` raises no alert: the merchant configured the shop without access.
    if (result === 'green' || result === 'partial') return provisional ? undefined : deps.alerts.over(name);
    const [first] = result === 'red' ? differences : unanswered;
    await deps.alerts.raise({
      ...name,
      params: { day, result, first: first?.sentence ?? '', more: Math.max(differences.length - 1, 0) },
    });
  }

  return {
    signer,
    reportOf,
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

/** Changes nothing. A source without answer: `incomplete`; a shop without API access: at most `partial`. */
export async function closeDay(deps: AccountingDeps, asked: DayAsked): Promise<ClosedDay> {
  const read = await readDay(deps, asked);
  const { day, scope, documents, credits, readAt } = read;
  const closedAt = readAt.toISOString();
  const sold = read.sales.flatMap((sale) => sale.sold);
  const { differences, roundings, foreign } = compareDay(read);
  const unanswered = unansweredOf(read, sold);
  const isUnderWay =
    sold.some(({ fate }) => fate === 'underWay') ||
    documents.some(({ document }) => statesUnderWay.includes(document.state));
  const unnoted = documents.filter((one) => one.annulled && one.document.annulledAt === null);
  return {
    close: {
      day,
      scope,
      stores: read.stores.map(({ id }) => id),
      closedAt,
      result: resultOf(unanswered, differences),
      provisional: isUnderWay || !isDayOver({ day, closedAt }),
      sales: fatesOf(sold, 'factura', day),
      refunds: fatesOf(sold, 'nota-credito', day),
      issued: issuedFigures(documents, sold, day),
      differences,
      foreign,
      unanswered,
      ...(roundings.length > 0 ? { roundings } : {}),
      ...(credits.length > 0 ? { credits: [...credits] } : {}),
    },
    explained: explainedOf(sold, documents),
    annulled: unnoted.map(({ document }) => document),
  };
}

/** A missing answer may still change everything; a shop without access hides no difference of the others. */
function resultOf(unanswered: readonly Unanswered[], differences: readonly Difference[]): DayClose['result'] {
  if (unanswered.some(({ source }) => source !== 'shop-without-access')) return 'incomplete';
  if (differences.length > 0) return 'red';
  return unanswered.length > 0 ? 'partial' : 'green';
}

function unansweredOf(read: DayRead, sold: readonly Sold[]): Unanswered[] {
  const { day, readAt, documents, strayKeys } = read;
  const silent = documents.flatMap(({ found }) => (found?.kind === 'unanswered' ? found.account : []));
  const silentOnStrays = strayKeys.flatMap(({ order, account, found }) =>
    !order && found.kind === 'unanswered' && !silent.includes(account) ? account : [],
  );
  return [
    ...read.unanswered,
    ...unansweredBy(silent),
    ...queuedOrders(sold),
    ...unconfirmed(documents, isDayOver({ day, closedAt: readAt.toISOString() })),
    ...unansweredBy(silentOnStrays),
  ];
}

const unansweredBy = (accounts: readonly string[]): Unanswered[] =>
  [...new Set(accounts)].map((account) => ({
    source: 'service',
    name: account,
    sentence: unansweredText({ why: 'service', account }),
  }));

function queuedOrders(sold: readonly Sold[]): Unanswered[] {
  const late = sold.filter(({ fate, code }) => fate === 'underWay' && code === 'unplanned');
  return [...Map.groupBy(late, ({ store }) => store.id)].flatMap(([store, [first, ...more]]) =>
    first
      ? {
          source: 'order',
          name: store,
          sentence: unansweredText({
            why: 'order-queued',
            store,
            order: first.order.name,
            more: more.length,
          }),
        }
      : [],
  );
}

function unconfirmed(documents: readonly ReadDocument[], isOver: boolean): Unanswered[] {
  const late = documents.filter(
    ({ document: { state, code } }) => statesUnderWay.includes(state) && (isOver || code === 'unconfirmed'),
  );
  return [...Map.groupBy(late, ({ document }) => document.account)].flatMap(([account, [first, ...more]]) =>
    first
      ? {
          source: 'document',
          name: account,
          sentence: unansweredText({
            why: 'document',
            kind: first.document.kind,
            number: documentNumber(first.document) ?? '',
            order: first.document.orderName,
            account,
            more: more.length,
          }),
        }
      : [],
  );
}

function failedClose(
  { clock, log }: Pick<AccountingDeps, 'clock' | 'log'>,
  { day, stores, scope }: DayAsked,
  error: unknown,
): ClosedDay {
  log.error({ day, scope, err: error }, 'The close of a day failed');
  const sentence = unansweredText({ why: 'close', error: whatFailed(error) });
  const closedAt = clock.now().toISOString();
  return {
    close: {
      day,
      scope,
      stores: stores.map(({ id }) => id),
      closedAt,
      result: 'incomplete',
      provisional: !isDayOver({ day, closedAt }),
      sales: fatesOf([], 'factura', day),
      refunds: fatesOf([], 'nota-credito', day),
      issued: [],
      differences: [],
      foreign: [],
      unanswered: [{ source: 'close', name: day, sentence }],
    },
    explained: [],
    annulled: [],
  };
}
