import { hostname, userInfo } from 'node:os';
import { setClock } from '../app/timekeeping.ts';
import { type Config, loadConfig, openClock } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Clock } from '../domain/clock.ts';
import { silentLog, type Tickets } from '../domain/ports.ts';
import type { Store } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/open.ts';
import { openTickets } from '../web/links.ts';

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
