import type { Config } from '../config/load.ts';
import type { Secrets } from '../config/secret.ts';
import type { Log } from '../domain/log.ts';
import type { Tickets } from '../domain/tickets.ts';
import { shopConnected, takeStores } from '../jobs/connection.ts';
import { openDesk } from '../setup/health.ts';
import { openAdminChannel } from '../web/admin/channel.ts';
import { createAdmin } from '../web/admin/requests.ts';
import { openAllCommands } from './all-commands.ts';
import { openInstalling } from './installing.ts';
import type { Runtime } from './runtime.ts';
import type { LiveSettings } from './settings.ts';
import { openStoring } from './storing.ts';

/**
 * Answers the command line while this process holds a SQLite ledger, whatever its role. On PostgreSQL nobody does: there
 * the command line opens the ledger beside us. Answers how to stop.
 */
export async function openAdmin(
  { ledger: place, mcp }: Pick<Config, 'ledger' | 'mcp'>,
  parts: {
    runtime: Runtime;
    live: LiveSettings;
    secrets: Pick<Secrets, 'admin'>;
    tickets: Tickets;
    log: Log;
  },
): Promise<() => Promise<void>> {
  if (!('directory' in place)) return async () => {};
  const { runtime, live, secrets, tickets, log } = parts;
  const { settings } = live;
  const { ledger, clock, steps, stores } = runtime;
  const admin = createAdmin({
    settings,
    installing: openInstalling({
      settings,
      tickets,
      ledger,
      clock,
      contextOf: runtime.shopContext,
      isProven: runtime.proofs.isProven,
      ready: ({ platform, shop }) => shopConnected(steps, platform.name, shop),
    }),
    storing: openStoring(
      { ledger, clock, live, alerts: steps.alerts, contextOf: runtime.shopContext },
      async () => {
        await takeStores(steps, await stores.refresh());
      },
    ),
    commands: openAllCommands(runtime, settings, mcp).commands,
    desk: openDesk(ledger, { settings, now: clock.now }),
    log,
  });
  const channel = await openAdminChannel(admin, { directory: place.directory, key: secrets.admin, log });
  return () => channel.close();
}
