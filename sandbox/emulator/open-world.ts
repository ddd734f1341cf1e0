import { type AccountOptions, openAccount } from './accounts/accounts.ts';
import { readClock } from './clock.ts';
import { openDocuments } from './emission/documents.ts';
import { openFaults } from './faults/faults.ts';
import { openRateLimit } from './http/rate-limit.ts';
import { openRequestLog } from './http/requests.ts';
import { allOperations } from './operations/all.ts';
import { otherDocumentPaths } from './operations/emision.ts';
import { allWell } from './status.ts';
import { plant, readSeed } from './store/seed.ts';
import { type KeptClock, openStore } from './store/store.ts';
import { openTimers } from './timers.ts';
import { openDeliveries } from './webhooks/deliveries.ts';
import type { SandboxOptions, World } from './world.ts';

/** A world and what only its owner may do with it. */
export interface OpenWorld {
  world: World;
  addAccount(options: AccountOptions): void;
  /** Forgets everything that came; the accounts given and the seed start afresh, all else is gone. */
  reset(): void;
  /** Does what the seed says; to be called once the sandbox's address is known. */
  plant(): void;
  close(): void;
}

/** Opens the state of a sandbox: empty, or as its data directory has it. */
export function openWorld(options: SandboxOptions): OpenWorld {
  const log = options.log ?? (() => {});
  const seed = readSeed(options.seed ?? {});
  const store = openStore(options.dataDirectory);
  const clock = readClock(options.now ?? (store.clock ? goesOn(store.clock) : undefined));
  clock.onChange(() => store.keepClock({ real: Date.now(), shown: clock.now().getTime(), rate: clock.rate }));
  const codigoNumerico = options.codigoNumerico ?? 'fijo';
  const world: World = {
    settings: {
      authorizeDelayMs: options.authorizeDelayMs ?? 300,
      allowLoopbackWebhooks: options.allowLoopbackWebhooks ?? false,
      codigoNumerico,
      dialect: options.dialect ?? 'described',
      arithmetic: options.arithmetic ?? 'totals',
      strict: options.strict ?? false,
      webhookRetryDelaysMs: options.webhookRetryDelaysMs ?? [1, 5, 15, 60].map((minutes) => minutes * 60_000),
      otherDocumentPaths: { ...otherDocumentPaths, ...options.otherDocumentPaths },
      inContainer: options.inContainer ?? false,
      log,
    },
    clock,
    accounts: new Map(),
    documents: openDocuments(store.keepDocument, store.documents),
    deliveries: openDeliveries(store.keepDelivery, store.deliveries),
    requests: openRequestLog(),
    faults: openFaults(clock, () => allOperations(world).map(({ id }) => id)),
    rateLimit: openRateLimit(clock),
    timers: openTimers(clock, (error) =>
      log(`Error interno: ${error instanceof Error ? error.stack : error}`),
    ),
    status: allWell(),
    touch: store.keepAccount,
    baseUrl: '',
  };
  const given: AccountOptions[] = [];
  const open = (account: AccountOptions) => {
    const opened = openAccount(account, world.settings.allowLoopbackWebhooks, clock.now());
    world.accounts.set(account.apiKey, opened);
    world.touch(opened);
    return opened;
  };
  const addAccount = (account: AccountOptions) => {
    const kept = restored.get(account.apiKey);
    restored.delete(account.apiKey);
    const opened = open(account);
    // What the account has lived through wins over how it began; a webhook given now was meant for now.
    if (kept) Object.assign(opened, kept, account.webhook ? { webhook: opened.webhook } : {});
    given.push(account);
  };
  // As an earlier sandbox left them, until they are added again: added twice, the later options count.
  const restored = new Map(store.accounts.map((kept) => [kept.apiKey, kept]));
  for (const kept of restored.values()) {
    world.accounts.set(kept.apiKey, { ...openAccount({ apiKey: kept.apiKey }, true, clock.now()), ...kept });
  }
  [...seed.accounts, ...(options.accounts ?? [])].forEach(addAccount);
  return {
    world,
    addAccount,
    reset() {
      world.timers.clear();
      world.documents.clear();
      world.deliveries.clear();
      world.requests.clear();
      world.faults.reset();
      world.rateLimit.clear();
      world.status = allWell();
      world.settings.codigoNumerico = codigoNumerico;
      world.accounts.clear();
      restored.clear();
      store.clear();
      given.forEach(open);
      plant(world, seed);
    },
    plant: () => plant(world, seed),
    close() {
      world.timers.close();
      store.close();
    },
  };
}

// A sandbox that was moved to another time goes on in it, as if it had not been away.
const goesOn = ({ real, shown, rate }: KeptClock) => ({
  now: () => new Date(shown + (Date.now() - real) * rate),
  rate,
});
