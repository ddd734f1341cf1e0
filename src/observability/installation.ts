import { Gauge, type Registry } from 'prom-client';
import type { AccountPause } from '../domain/account-pause.ts';
import type { BudgetLook, Budgets } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import { documentCodes, documentStates } from '../domain/document.ts';
import { type Behind, sweepLists } from '../domain/sweep-lists.ts';
import { type WorkKind, workKinds } from '../domain/work.ts';
import type { Counts } from '../ledger/counts.ts';
import { seldom } from './seldom.ts';

/** Where the gauges of the whole installation are read; every process with the same ledger reads the same. */
export interface Sources {
  counts: Counts;
  clock: Clock;
  /** The rate budget of each API key of the config. */
  rates(): Promise<readonly KeyRate[]>;
  /** Accounts that rest until a probe finds them well. */
  pauses(): Promise<AccountPause[]>;
  /** How many names each store looked up today. */
  lookUps(): Promise<readonly { subject: string; count: number }[]>;
  /** Jobs that keep failing, as people are told of them. */
  failing(): Promise<readonly { kind: WorkKind }[]>;
  /** Jobs on their way between dispatcher and worker; left out where this process has no transport. */
  jobs?: () => Promise<Readonly<Record<string, number>>>;
  /** Until when each store that is swept told everything, and which of its lists are behind. */
  sweeps: () => Promise<readonly { store: string; sweptTo: string; behind: Behind }[]>;
  /** Every store, and since when the circuit breaker of its shop is open; null for a closed one. */
  breakers: () => Promise<readonly { store: string; since: string | null }[]>;
}

/** How the rate budget of one API key of an account stands. */
export interface KeyRate {
  account: string;
  /** The key by the beginning of its hash. */
  key: string;
  look: BudgetLook;
}

/** Of every key, because documents are still read under the ones that issued them. */
export function ratesOf(
  accounts: readonly { id: string; keys: readonly { keyHash: string }[] }[],
  budgets: Pick<Budgets, 'look'>,
): Promise<KeyRate[]> {
  const keys = accounts.flatMap(({ id, keys }) => keys.map(({ keyHash }) => ({ account: id, keyHash })));
  return Promise.all(
    keys.map(async ({ account, keyHash }) => ({
      account,
      key: keyHash.slice(0, 8),
      look: await budgets.look(keyHash),
    })),
  );
}

const kinds = Object.keys(documentCodes);
const openStates = documentStates.filter((state) => state !== 'authorized' && state !== 'cancelled');

/** Adds what is true of the installation now: documents, work, rate budgets, pauses, circuit breakers, transport, sweep. */
export function watchInstallation(registry: Registry, sources: Sources): void {
  const { counts, clock, rates, pauses, lookUps, failing, jobs, sweeps, breakers } = sources;
  const age = (since: string | Date) => Math.max(clock.now().getTime() - new Date(since).getTime(), 0) / 1000;
  const open = seldom(() => counts.openDocuments());
  const final = seldom(() => counts.finalDocuments());
  const work = seldom(() => counts.work());
  const budgets = seldom(rates, { atLeastMs: 1_000 });

  const up = new Gauge({
    name: 'facturapuente_ledger_up',
    help: 'Whether the ledger could be asked at this scrape; without it the gauges that come from it are missing.',
    registers: [registry],
    async collect() {
      this.set(
        await open().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labels: Label[],
    read: () => Promise<Reading<Label>[]>,
  ) => readAtScrape(registry, { name, help, labels }, read, () => up.set(0));

  gauge('documents', 'Documents by kind and state.', ['kind', 'state'], async () => [
    // Zeros are said too: an alert on a series that does not exist never fires.
    ...kinds.flatMap((kind) => openStates.map((state): Reading<'kind' | 'state'> => [{ kind, state }, 0])),
    ...[...(await open()), ...(await final())].map(
      ({ kind, state, count }): Reading<'kind' | 'state'> => [{ kind, state }, count],
    ),
  ]);
  gauge(
    'documents_oldest_seconds',
    'Age of the oldest document in each state that is not final.',
    ['kind', 'state'],
    async () =>
      (await open()).flatMap(({ kind, state, oldest }) =>
        oldest === null ? [] : [[{ kind, state }, age(oldest)]],
      ),
  );
  gauge(
    'oldest_unsent_seconds',
    'Age of the oldest document that is ready and has not left.',
    [],
    async () => {
      const ready = (await open()).filter(({ state }) => state === 'ready');
      return [[{}, Math.max(0, ...ready.map(({ oldest }) => (oldest === null ? 0 : age(oldest))))]];
    },
  );
  gauge('work', 'Work in the ledger by kind and state.', ['kind', 'state'], async () => [
    ...workKinds.map((kind): Reading<'kind' | 'state'> => [{ kind, state: 'waiting' }, 0]),
    ...(await work()).map(({ kind, state, count }): Reading<'kind' | 'state'> => [{ kind, state }, count]),
  ]);
  gauge('work_late_seconds', 'How long the first work of each kind is overdue.', ['kind'], async () => {
    const rows = await work();
    return workKinds.map((kind) => [
      { kind },
      Math.max(0, ...rows.filter((row) => row.kind === kind).map(({ firstDue }) => age(firstDue))),
    ]);
  });

  gauge('jobs_failing', 'Jobs that keep failing: ten times, or for six hours.', ['kind'], async () => {
    const rows = await failing();
    return workKinds.map((kind) => [{ kind }, rows.filter((row) => row.kind === kind).length]);
  });

  const perKey = (name: string, help: string, value: (look: BudgetLook) => number) =>
    gauge(name, help, ['account', 'key'], async () =>
      (await budgets()).map(({ account, key, look }) => [{ account, key }, value(look)]),
    );
  perKey('rate_free', 'Calls that may be made at once under the key.', ({ free }) => free);
  perKey('rate_used', 'Calls of the burst that were made and have not worn off.', ({ used }) => used);
  perKey(
    'rate_wait_seconds',
    'How long the next call under the key waits; long after a 429.',
    ({ waitMs }) => waitMs / 1000,
  );
  gauge(
    'account_paused_seconds',
    'How long an account rests already, by cause.',
    ['account', 'ambiente', 'cause'],
    async () =>
      (await pauses()).map(({ account, ambiente, cause, since }) => [
        { account, ambiente: ambiente === null ? 'both' : String(ambiente), cause },
        age(since),
      ]),
  );

  gauge(
    'shop_breaker_open_seconds',
    'How long the circuit breaker of the shop of each store is open; 0 where it is closed.',
    ['store'],
    async () => (await breakers()).map(({ store, since }) => [{ store }, since === null ? 0 : age(since)]),
  );

  gauge(
    'registry_look_ups',
    'Names looked up in the registry today, in Ecuador, by store (policy.buyer.registryPerDay is the limit).',
    ['store'],
    async () => (await lookUps()).map(({ subject, count }) => [{ store: subject }, count]),
  );
  if (jobs)
    gauge('transport_jobs', 'Jobs between dispatcher and worker.', ['state'], async () =>
      Object.entries(await jobs()).map(([state, count]) => [{ state }, count]),
    );
  gauge(
    'sweep_age_seconds',
    'How long ago the sweep of each store was last through with all its lists.',
    ['store'],
    async () => (await sweeps()).map(({ store, sweptTo }) => [{ store }, age(sweptTo)]),
  );
  gauge(
    'sweep_behind_seconds',
    'How long each list of a store has not come to its end; 0 where it did.',
    ['store', 'list'],
    async () =>
      (await sweeps()).flatMap(({ store, behind }) =>
        sweepLists.map((list): Reading<'store' | 'list'> => {
          const since = behind[list]?.since;
          return [{ store, list }, since === undefined ? 0 : age(since)];
        }),
      ),
  );
}

/** One value of a gauge with its labels. */
type Reading<Label extends string> = [labels: Record<Label, string>, value: number];

/**
 * A gauge whose values are read when somebody scrapes. Where they cannot be read now it has none, and the rest of
 * the scrape stands: `failed` hears of it.
 */
function readAtScrape<Label extends string>(
  registry: Registry,
  gauge: { name: string; help: string; labels: Label[] },
  read: () => Promise<readonly Reading<Label>[]>,
  failed: (error: unknown) => void,
): void {
  new Gauge<Label>({
    name: `facturapuente_${gauge.name}`,
    help: gauge.help,
    labelNames: gauge.labels,
    registers: [registry],
    async collect() {
      this.reset();
      try {
        for (const [labels, value] of await read()) this.set(labels, value);
      } catch (error) {
        failed(error);
      }
    },
  });
}
