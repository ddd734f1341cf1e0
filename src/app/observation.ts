import type { Config } from '../config/load.ts';
import { ConfigError } from '../domain/errors.ts';
import { IssuerRecord, issuerName, issuersUnder } from '../domain/issuer-record.ts';
import type { Log } from '../domain/ports.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { tracedLog } from '../observability/log.ts';
import {
  type Metrics,
  type Observer,
  openMetrics,
  openObserver,
  openSpans,
} from '../observability/observer.ts';
import { openRecord } from '../setup/deps.ts';
import { emptyRecord } from '../setup/issuer.ts';
import { packageVersion } from './platforms.ts';

export interface Observation {
  log: Log;
  metrics: Metrics;
  observer: Observer;
  close(): Promise<void>;
}

/** Throws ConfigError `package-missing` when tracing is enabled and not installed. */
export async function openObservation(config: Config, role: string, given: Log): Promise<Observation> {
  const log = tracedLog(given);
  const metrics = openMetrics({ version: packageVersion, role });
  const spans = await openSpans(config.tracing, packageVersion);
  const observer = openObserver({ metrics, spans, log });
  return {
    log,
    metrics,
    observer,
    // A collector that does not answer must not keep a process from stopping.
    close: () => spans.close().catch((error) => log.warn({ err: error }, 'The last spans were lost')),
  };
}

/**
 * Throws ConfigError `production-unconfirmed` where no person has confirmed ambiente 2: by `install --production` or the RUC
 * in `production`. An issuer with authorised documents needs no confirmation, so that an upgrade stops no shop.
 */
export async function refuseUnconfirmed(
  stores: Settings['stores'],
  { production }: Pick<Config, 'production'>,
  { credentials, counts }: Pick<Ledger, 'credentials' | 'counts'>,
): Promise<void> {
  const records = {
    get: (under: string, name: string) => credentials.get({ platform: under, shop: name }),
    put: async () => false,
  };
  for (const { id, account, issuer } of stores.values()) {
    if (issuer.ambiente !== 2 || production.includes(issuer.ruc)) continue;
    const name = issuerName(account.id, issuer.ruc);
    const { value } = await openRecord(
      records,
      { under: issuersUnder, name, shape: IssuerRecord, empty: emptyRecord(account) },
      account,
    );
    if (value.production || (await counts.isIssuing(account.id, issuer.ruc))) continue;
    const { ruc } = issuer;
    throw new ConfigError('production-unconfirmed', { store: id, ruc });
  }
}

/** Stores of the ledger were checked by `store add`, and must not keep all others from starting. */
export const askedAtStart = (
  stores: Settings['stores'],
  { stores: written }: Pick<Config, 'stores'>,
): Settings['stores'] => new Map([...stores].filter(([id]) => Object.hasOwn(written, id)));
