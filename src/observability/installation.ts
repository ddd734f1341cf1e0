import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../domain/clock.ts';
import { documentCodes, documentStates } from '../domain/document.ts';
import {
  type AccountPause,
  type JobKind,
  jobKinds,
  type RateLimitLook,
  type RateLimits,
} from '../domain/job.ts';
import { type Behind, reconciliationLists } from '../domain/listing.ts';
import type { Tables } from '../ledger/ledger.ts';
import { cacheReading } from './observer.ts';

interface Sources {
  counts: Pick<Tables['counts'], 'openDocuments' | 'finalDocuments' | 'jobs'>;
  clock: Clock;
  rates(): Promise<readonly KeyRate[]>;
  pauses(): Promise<AccountPause[]>;
  lookUps(): Promise<readonly { store: string; count: number }[]>;
  failing(): Promise<readonly { kind: JobKind }[]>;
  jobs?: () => Promise<Readonly<Record<string, number>>>;
  reconciliations: () => Promise<readonly { store: string; reconciledTo: string; behind: Behind }[]>;
}

export interface KeyRate {
  account: string;
  key: string;
  look: RateLimitLook;
}

/** Old keys too: documents are read under the key that issued them. */
export function ratesOf(
  accounts: readonly { id: string; keys: readonly { keyHash: string }[] }[],
  rateLimits: Pick<RateLimits, 'look'>,
): Promise<KeyRate[]> {
  const keys = accounts.flatMap(({ id, keys }) => keys.map(({ keyHash }) => ({ account: id, keyHash })));
  return Promise.all(
    keys.map(async ({ account, keyHash }) => ({
      account,
      key: keyHash.slice(0, 8),
      look: await rateLimits.look(keyHash),
    })),
  );
}

const kinds = Object.keys(documentCodes);
const openStates = documentStates.filter((state) => state !== 'authorized' && state !== 'cancelled');

export function watchInstallation(registry: Registry, sources: Sources): void {
  const { counts, clock, rates, pauses, lookUps, failing, jobs, reconciliations } = sources;
  const age = (since: string | Date) => Math.max(clock.now().getTime() - new Date(since).getTime(), 0) / 1000;
  const open = cacheReading(() => counts.openDocuments());
  const final = cacheReading(() => counts.finalDocuments());
  const jobCounts = cacheReading(() => counts.jobs());
  const rateLimits = cacheReading(rates, { atLeastMs: 1_000 });

  const up = new Gauge({
    name: 'facturapuente_ledger_up',
    help: 'Whether the ledger could be read at this scrape; otherwise the gauges read from it are missing.',
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
    // Zeros too: an alert on a missing series never fires.
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
  gauge('jobs', 'Jobs of the ledger by kind and state.', ['kind', 'state'], async () => [
    ...jobKinds.map((kind): Reading<'kind' | 'state'> => [{ kind, state: 'waiting' }, 0]),
    ...(await jobCounts()).map(
      ({ kind, state, count }): Reading<'kind' | 'state'> => [{ kind, state }, count],
    ),
  ]);
  gauge('job_late_seconds', 'How long the first job of each kind is overdue.', ['kind'], async () => {
    const rows = await jobCounts();
    return jobKinds.map((kind) => [
      { kind },
      Math.max(
        0,
        ...rows
          .filter((row) => row.kind === kind && row.state !== 'held')
          .map(({ firstDue }) => age(firstDue)),
      ),
    ]);
  });

  gauge('jobs_failing', 'Jobs that keep failing: ten times, or for six hours.', ['kind'], async () => {
    const rows = await failing();
    return jobKinds.map((kind) => [{ kind }, rows.filter((row) => row.kind === kind).length]);
  });

  const perKey = (name: string, help: string, value: (look: RateLimitLook) => number) =>
    gauge(name, help, ['account', 'key'], async () =>
      (await rateLimits()).map(({ account, key, look }) => [{ account, key }, value(look)]),
    );
  perKey('rate_free', 'Calls that may be made at once under the key.', ({ free }) => free);
  perKey('rate_used', 'Calls of the burst that still count against the limit.', ({ used }) => used);
  perKey(
    'rate_wait_seconds',
    'How long the next call under the key waits; long after a 429.',
    ({ waitMs }) => waitMs / 1000,
  );
  gauge(
    'account_paused_seconds',
    'How long an account has been paused, by cause.',
    ['account', 'ambiente', 'cause'],
    async () =>
      (await pauses()).map(({ account, ambiente, cause, since }) => [
        { account, ambiente: ambiente === null ? 'both' : String(ambiente), cause },
        age(since),
      ]),
  );

  gauge(
    'registry_look_ups',
    'Names looked up in the registry today, in Ecuador, by store (policy.buyer.registryPerDay is the limit).',
    ['store'],
    async () => (await lookUps()).map(({ store, count }) => [{ store }, count]),
  );
  if (jobs)
    gauge('transport_jobs', 'Jobs between dispatcher and worker.', ['state'], async () =>
      Object.entries(await jobs()).map(([state, count]) => [{ state }, count]),
    );
  gauge(
    'reconciliation_age_seconds',
    'Age of the last reconciliation of each store that completed all its lists.',
    ['store'],
    async () => (await reconciliations()).map(({ store, reconciledTo }) => [{ store }, age(reconciledTo)]),
  );
  gauge(
    'reconciliation_behind_seconds',
    'How long each list of a store has been incomplete; 0 where it is complete.',
    ['store', 'list'],
    async () =>
      (await reconciliations()).flatMap(({ store, behind }) =>
        reconciliationLists.map((list): Reading<'store' | 'list'> => {
          const since = behind[list]?.since;
          return [{ store, list }, since === undefined ? 0 : age(since)];
        }),
      ),
  );
}

type Reading<Label extends string> = [labels: Record<Label, string>, value: number];

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
