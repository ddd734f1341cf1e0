import type { AccountPause } from '../../../domain/account-pause.ts';
import type { OpenAlert } from '../../../domain/alerts.ts';
import { ecuadorDay } from '../../../domain/calendar.ts';
import type { OpenBreaker } from '../../../domain/circuit-breaker.ts';
import { documentCodes } from '../../../domain/document.ts';
import { owner } from '../../../domain/scope.ts';
import type { Store } from '../../../domain/settings.ts';
import type { SeriesRow, StoreDocuments } from '../../../ledger/store-figures.ts';
import type { Freshness } from '../../../ledger/sweep-tables.ts';
import type { PanelDeps } from '../deps.ts';
import type { Balance } from './balance.ts';

/** How a store stands. */
export interface StoreHealth {
  store: Store;
  sweep: Freshness | null;
  lastDelivery: string | null;
  lastWritten: { id: string; orderName: string; updatedAt: string } | null;
  failing: number;
  open: StoreDocuments[];
  pauses: AccountPause[];
  balance: Balance;
  /** How long the credits last at the rate of the last two weeks; null where nothing is spent or nothing is known. */
  daysLeft: number | null;
  /** Until the electronic signature ends; null where it was not uploaded by us. */
  signatureDays: number | null;
  /** The shop does not answer, and its jobs wait; null where it does. */
  breaker: OpenBreaker | null;
  series: { codDoc: '01' | '04'; number: string; stopped: string | null }[];
  alerts: OpenAlert[];
}

const dayMs = 24 * 3_600_000;
/** As the watch of credits looks back (src/jobs/watch/watch.ts). */
const lookBackDays = 14;

/** How every store of the config stands; a handful of questions however many there are, and one per store. */
export async function gatherStores(deps: PanelDeps, now: Date): Promise<StoreHealth[]> {
  const { ledger, settings } = deps;
  const { storeFigures } = ledger;
  const stores = [...settings.stores.values()];
  const [sweeps, deliveries, open, work, series, pauses, breakers, alerts, tallies] = await Promise.all([
    ledger.sweeps.freshness(),
    storeFigures.lastDeliveries(),
    storeFigures.openDocuments(),
    storeFigures.work(),
    storeFigures.series(),
    ledger.pauses.list(),
    ledger.breakers.list(),
    ledger.alerts.open(),
    ledger.dayTallies.since(ecuadorDay(new Date(now.getTime() - (lookBackDays - 1) * dayMs)), now),
  ]);
  const accountOf = new Map(stores.map(({ id, account }) => [id, account.id]));
  const spentBy = (account: string): number =>
    tallies
      .filter(
        (one) => one.ambiente === 2 && one.state === 'authorized' && accountOf.get(one.storeId) === account,
      )
      .reduce((all, { count }) => all + count, 0);
  const accounts = [...new Set(stores.map(({ account }) => account))];
  const balances = new Map(
    await Promise.all(accounts.map(async (one) => [one.id, await deps.balance(one)] as const)),
  );

  return Promise.all(
    stores.map(async (store): Promise<StoreHealth> => {
      const { id, platform, shop, account, issuer, app } = store;
      const balance = balances.get(account.id) ?? { credits: null, state: null, asking: false };
      const perDay = spentBy(account.id) / lookBackDays;
      const own = [owner.store(id), owner.account(account.id), owner.issuer(account.id, issuer.ruc)];
      return {
        store,
        sweep: sweeps.find((one) => one.platform === platform.name && one.shop === shop) ?? null,
        lastDelivery: deliveries.get(app?.id ?? id) ?? null,
        lastWritten: await storeFigures.lastWrittenBack(id),
        failing: work.filter(({ storeId }) => storeId === id).reduce((all, { failed }) => all + failed, 0),
        open: open.filter(({ storeId }) => storeId === id),
        pauses: pauses.filter(
          (one) => one.account === account.id && (one.ambiente === null || one.ambiente === issuer.ambiente),
        ),
        balance,
        daysLeft: balance.credits === null || perDay === 0 ? null : Math.floor(balance.credits / perDay),
        signatureDays: await signatureDays(deps, store, now),
        breaker: breakers.find(({ storeId }) => storeId === id) ?? null,
        series: Object.values(documentCodes).map((codDoc) => nextOf(store, codDoc, series)),
        // What pauses the account is told beside it.
        alerts: alerts.filter(
          ({ about, code }) => about !== undefined && own.includes(about) && !code.startsWith('account-'),
        ),
      };
    }),
  );
}

async function signatureDays(
  { ledger }: PanelDeps,
  { account, issuer }: Store,
  now: Date,
): Promise<number | null> {
  const { signature } = (await ledger.issuer(account.id, issuer.ruc)) ?? {};
  return signature ? Math.floor((Date.parse(signature.until) - now.getTime()) / dayMs) : null;
}

/** The number the next document gets; before the first one it is the configured start. */
function nextOf(
  { series: start, issuer }: Store,
  codDoc: '01' | '04',
  rows: readonly SeriesRow[],
): StoreHealth['series'][number] {
  const { establecimiento, puntoEmision, first, firstCreditNote } = start;
  const row = rows.find(
    (one) =>
      one.ruc === issuer.ruc &&
      one.ambiente === issuer.ambiente &&
      one.codDoc === codDoc &&
      one.establecimiento === establecimiento &&
      one.puntoEmision === puntoEmision,
  );
  const next = row?.next ?? (codDoc === '01' ? first : firstCreditNote);
  return {
    codDoc,
    number: `${establecimiento}-${puntoEmision}-${String(next).padStart(9, '0')}`,
    stopped: row?.stoppedReason ?? null,
  };
}
