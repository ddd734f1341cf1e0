import { hostname, userInfo } from 'node:os';
import { linksOf } from '../app/platforms.ts';
import { openLiveSettings } from '../app/settings.ts';
import { keptIn } from '../app/stores.ts';
import { setClock } from '../app/timekeeping.ts';
import { type Config, loadConfig, openClock } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Clock } from '../domain/clock.ts';
import { silentLog, type Tickets } from '../domain/ports.ts';
import type { Settings, Store } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/open.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/read.ts';
import { type Links, openTickets } from '../web/links.ts';

export interface ConfigFlag {
  config?: string | undefined;
}

/** The config file that `--config` names, or the one in this folder. Throws ConfigError. */
export const readConfig = ({ config: path }: ConfigFlag): Promise<Config> =>
  loadConfig({ path, cwd: process.cwd(), env: process.env });

/** What a command writes through. */
export interface OwnLedger {
  ledger: Ledger;
  clock: Clock;
  tickets: Tickets;
}

/** Throws LedgerError. */
export async function openOwnLedger(config: Config): Promise<OwnLedger> {
  const clock = openClock(config.testClock);
  const secrets = await openSecrets(config);
  const options = { ...config.ledger, encryptionKey: secrets.cipher, as: 'command' } as const;
  const ledger = await openLedger(options, clock, silentLog);
  await setClock(ledger, clock);
  return { ledger, clock, tickets: openTickets(secrets.tickets, clock) };
}

type ReaderOptions = Parameters<typeof openLedgerReader>[0];

async function withReader<T>(options: ReaderOptions, task: (reader: LedgerReader) => Promise<T>): Promise<T> {
  const reader = openLedgerReader(options, silentLog);
  try {
    return await task(reader);
  } finally {
    await reader.close();
  }
}

/** Reads the ledger, also beside a running `start`; encrypted values stay closed. Throws ConfigError and LedgerError. */
export async function withLedger<T>(
  flags: ConfigFlag,
  task: (reader: LedgerReader, config: Config) => Promise<T>,
): Promise<T> {
  const config = await readConfig(flags);
  return withReader(config.ledger, (reader) => task(reader, config));
}

/** As `withLedger`, with encrypted values and every store of config and ledger. */
export async function withStores<T>(
  flags: ConfigFlag,
  task: (opened: { config: Config; settings: Settings; reader: LedgerReader; links: Links }) => Promise<T>,
): Promise<T> {
  const config = await readConfig(flags);
  const live = await openLiveSettings(config);
  const secrets = await openSecrets(config);
  return withReader({ ...config.ledger, encryptionKey: secrets.cipher }, async (reader) => {
    live.adopt(await keptIn(reader));
    return task({ config, settings: live.settings, reader, links: linksOf(config, secrets) });
  });
}

/** A fictional issuer, so that `plan` and `demo` need no credentials. */
export const demoIssuer: Pick<Store, 'issuer' | 'series'> = {
  issuer: {
    ambiente: 1,
    ruc: '1790012345001',
    razon_social: 'Tienda de Ejemplo Cía. Ltda.',
    nombre_comercial: 'Tienda de Ejemplo',
    direccion_matriz: 'Av. Amazonas N34-451 y Atahualpa, Quito',
    direccion_establecimiento: 'Av. Amazonas N34-451 y Atahualpa, Quito',
    obligado_contabilidad: 'SI',
  },
  series: { establecimiento: '001', puntoEmision: '001', first: 1, firstCreditNote: 1 },
};

/** Who runs this command, for histories and the audit log: "ana@maquina". */
export const whoAmI = (): string => `${userInfo().username}@${hostname()}`;

/** JSON as commands print it. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
