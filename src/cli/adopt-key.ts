import { hostname, userInfo } from 'node:os';
import { loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { type Document, type DocumentKind, documentNumber } from '../core/document.ts';
import { LedgerError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { openLinks } from '../http/links.ts';
import { openObservation } from '../observation.ts';
import { openRuntime } from '../runtime.ts';
import { openLiveSettings } from '../settings.ts';
import { takeKey } from '../steps/take-key.ts';
import { findDocument } from './find-document.ts';

export interface AdoptFlags {
  config?: string;
  store?: string;
  kind?: DocumentKind;
  sinComprobar: boolean;
}

/**
 * Gives the document the key and answers what became of it. On SQLite it takes the ledger's lock. Throws LedgerError:
 * `ledger-held` while `start` runs, `document-unknown`, `document-ambiguous`, and `key-refused` with the reason.
 */
export async function adoptKey(name: string, accessKey: string, flags: AdoptFlags): Promise<string> {
  const { config: path, sinComprobar: vouched } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const live = await openLiveSettings(config);
  const observation = await openObservation(config, 'adopt', silentLog);
  try {
    const { log, observer } = observation;
    const secrets = await openSecrets(config);
    const links = openLinks(secrets.links, config.publicUrl);
    const runtime = await openRuntime({ config, live, secrets, links, log, observer });
    try {
      const document = await findDocument(runtime.ledger, live.settings, name, flags);
      const by = `${userInfo().username}@${hostname()}`;
      const taken = await takeKey(runtime.steps, document, { accessKey, by, vouched });
      if (taken.kind === 'refused') {
        throw new LedgerError('key-refused', taken.reason, `The key was refused: ${taken.reason}`);
      }
      return tell(document, taken);
    } finally {
      await runtime.close();
    }
  } finally {
    await observation.close();
  }
}

function tell(document: Document, { kind, checked }: { kind: string; checked: boolean }): string {
  const what = `${document.kind === 'factura' ? 'La factura' : 'La nota de crédito'} ${documentNumber(document)} del pedido ${document.orderName}`;
  const next = 'Con facturapuente start en marcha se escribe en el pedido.';
  if (kind === 'processing')
    return `${what} está en proceso: se seguirá preguntando al servicio por ella. ${next}\n`;
  const how = checked ? 'comprobada con su XML' : 'sin comprobar, por cuenta de quien dio la clave';
  return `${what} queda autorizada, ${how}. ${next}\n`;
}
