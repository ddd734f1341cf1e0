import { linksOf } from '../app/links.ts';
import { openLiveSettings } from '../app/settings.ts';
import { keptIn } from '../app/stores.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { silentLog } from '../domain/log.ts';
import type { Settings } from '../domain/settings.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/read.ts';
import type { Links } from '../web/links.ts';

/** What a command looks at beside `start`, changing nothing: the ledger, and every store of config and ledger. */
export interface Look {
  config: Config;
  settings: Settings;
  reader: LedgerReader;
  links: Links;
}

/** Runs `look` and closes the ledger. Throws ConfigError and LedgerError. */
export async function looking<T>(
  { config: path }: { config?: string },
  look: (at: Look) => Promise<T>,
): Promise<T> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const live = await openLiveSettings(config);
  const secrets = await openSecrets(config);
  const reader = openLedgerReader({ ...config.ledger, sealKey: secrets.seal }, silentLog);
  try {
    live.adopt(await keptIn(reader));
    const links = linksOf(config, secrets);
    return await look({ config, settings: live.settings, reader, links });
  } finally {
    await reader.close();
  }
}
