import { z } from 'zod';
import { openInstalling } from '../app/installing.ts';
import { openOutbound } from '../app/outbound.ts';
import { type LiveSettings, openLiveSettings } from '../app/settings.ts';
import { keptIn, openShopContext } from '../app/stores.ts';
import { openStoring } from '../app/storing.ts';
import type { Config } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { silentLog, type Tickets } from '../domain/ports.ts';
import type { Store } from '../domain/settings.ts';
import { ledgerAlerts } from '../jobs/alerts.ts';
import { verifyShop } from '../jobs/verify-shop.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerReader } from '../ledger/read.ts';
import { ledgerHealth, openSetupLedger, type SetupLedger } from '../setup/health.ts';
import { type AdminRequest, answerOf } from '../web/admin/requests.ts';
import { askRunning } from './ask-running.ts';
import { type OwnLedger, openOwnLedger } from './own-ledger.ts';

const text = z.string();
const installItems = z.array(
  z.object({
    code: text,
    state: z.enum(['ok', 'missing', 'differs', 'problem', 'warning']),
    params: z.record(text, z.unknown()),
    done: z.boolean().exactOptional(),
  }),
);
const storeList = z.object({
  stores: z.array(
    z.object({
      id: text,
      platform: text,
      shop: text,
      account: text,
      ruc: text,
      ambiente: z.literal([1, 2]),
      from: z.enum(['config', 'ledger']),
      held: text.nullable(),
    }),
  ),
  waiting: z.array(z.object({ platform: text, shop: text })),
});

/** What each request is answered with. */
const answers = {
  install: installItems,
  uninstall: installItems,
  'store-add': z.enum(['added', 'changed', 'same']),
  'store-remove': z.null(),
  'store-confirm': z.null(),
  'store-list': storeList,
  'record-get': z.object({ value: z.unknown(), version: z.int() }).nullable(),
  'record-put': z.boolean(),
  health: ledgerHealth,
  'write-down': z.null(),
};
type Request = Exclude<AdminRequest, { do: 'command' }>;
type Answer<R extends Request> = z.output<(typeof answers)[R['do']]>;
type Ask = <R extends Request>(request: R) => Promise<Answer<R>>;

/** An installation as a command sees it, whichever process holds the ledger. */
export interface Installation {
  config: Config;
  /** With the stores of the ledger. */
  live: LiveSettings;
  tickets: Tickets;
  /** True where `start` holds the ledger and answers for it. */
  running: boolean;
  ask: Ask;
  setupLedger: SetupLedger;
  close(): Promise<void>;
}

/** Opens the ledger here, or asks the process that holds it; both answer the same requests. Throws ConfigError and LedgerError. */
export async function openInstallation(config: Config): Promise<Installation> {
  const live = await openLiveSettings(config);
  const own = await openOwnLedger(config);
  const { ledger, tickets } = own;
  const opened = (running: boolean, ask: Ask, close: () => Promise<void>) => ({
    ...{ config, live, tickets, running, ask, close },
    setupLedger: askSetupLedger(ask),
  });
  if (ledger === null) {
    const { cipher } = await openSecrets(config);
    const reader = openLedgerReader({ ...config.ledger, encryptionKey: cipher }, silentLog);
    live.adopt(await keptIn(reader).finally(() => reader.close()));
    const ask = <R extends Request>(request: R) =>
      askRunning(config, request, answers[request.do] as unknown as z.ZodType<Answer<R>>);
    return opened(true, ask, async () => {});
  }
  live.adopt(await keptIn(ledger));
  const parts = openParts(config, live, { ...own, ledger });
  const ask: Ask = async (request) => ((await answerOf(parts, request)) ?? null) as Answer<typeof request>;
  return opened(false, ask, () => ledger.close());
}

/** Runs a task with the installation and closes it. */
export async function withInstallation<T>(
  config: Config,
  task: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config);
  try {
    return await task(installation);
  } finally {
    await installation.close();
  }
}

/** Answers requests without a running `start`: no job runs, and nobody is notified. */
function openParts(
  config: Config,
  live: LiveSettings,
  { ledger, clock, tickets }: OwnLedger & { ledger: Ledger },
): Parameters<typeof answerOf>[0] {
  const { settings } = live;
  const log = silentLog;
  const contextOf = openShopContext({ ledger, clock, log, outbound: openOutbound(config.outbound.allow) });
  // `start` raises what it finds, and notifies.
  const noAlerts = { raise: async () => {}, over: async () => {} };
  const verifying = {
    ledger,
    clock,
    log,
    alerts: noAlerts,
    stores: () => settings.stores.values(),
    contextOf,
  };
  const isVerified = async (store: Store) => {
    const { platform, connection, app } = store;
    const shop = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
    if (shop === null) return true;
    return (await verifyShop(verifying, store, shop).finally(() => shop.close())).kind !== 'held';
  };
  const ready = ({ id }: Store) => ledger.stores.wake(id, clock.now());
  const alerts = ledgerAlerts({ ledger, clock, log, channels: new Map() });
  return {
    settings,
    installing: openInstalling({ settings, tickets, ledger, clock, contextOf, isVerified, ready }),
    storing: openStoring({ ledger, clock, live, alerts, contextOf }),
    commands: { run: async () => undefined },
    setupLedger: openSetupLedger(ledger, { settings, now: clock.now }),
  };
}

/** The ledger's part of installing and checking. */
const askSetupLedger = (ask: Ask): SetupLedger => ({
  get: (under, name) => ask({ do: 'record-get', under, name }),
  put: (under, name, value, version) => ask({ do: 'record-put', under, name, value, version }),
  health: () => ask({ do: 'health' }),
  writeDown: async (entry) => void (await ask({ do: 'write-down', ...entry })),
});
