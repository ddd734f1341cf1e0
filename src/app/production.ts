import type { Config } from '../config/load.ts';
import { ConfigError } from '../domain/errors.ts';
import { IssuerRecord, issuerName, issuersUnder } from '../domain/issuer-record.ts';
import type { Settings, Store } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { emptyRecord } from '../setup/issuer.ts';
import { openRecord } from '../setup/records.ts';

/**
 * Throws ConfigError `production-unconfirmed` where a store would issue in ambiente 2 and no person has said that this
 * is meant: by `install --production`, which the ledger remembers, or by its RUC in `production` of the config. Whoever
 * issues already goes on: an upgrade must not end a shop's invoicing in the night.
 */
export async function refuseUnconfirmed(
  stores: Settings['stores'],
  { production }: Pick<Config, 'production'>,
  { credentials, counts }: Pick<Ledger, 'credentials' | 'counts'>,
): Promise<void> {
  const records = {
    get: (platform: string, shop: string) => credentials.get({ platform, shop }),
    put: async () => false,
  };
  for (const { id, account, issuer, shadow } of stores.values()) {
    // While only its shadow works nothing leaves in production.
    if (issuer.ambiente !== 2 || shadow?.only || production.includes(issuer.ruc)) continue;
    const name = issuerName(account.id, issuer.ruc);
    const asked = { under: issuersUnder, name, shape: IssuerRecord, empty: emptyRecord(account) };
    const { value } = await openRecord(records, asked, account);
    if (value.production || (await counts.isIssuing(account.id, issuer.ruc))) continue;
    throw unconfirmed(id, issuer);
  }
}

/**
 * The stores whose production is asked for at start: those of the config. One of the ledger was asked for when
 * `store add` took it in, and must not keep all others from starting.
 */
export const askedAtStart = (
  stores: Settings['stores'],
  { stores: written }: Pick<Config, 'stores'>,
): Settings['stores'] => new Map([...stores].filter(([id]) => Object.hasOwn(written, id)));

function unconfirmed(id: string, { ruc }: Store['issuer']): ConfigError {
  return new ConfigError(
    'production-unconfirmed',
    `La tienda «${id}» emitiría en producción (ambiente 2) y nadie lo ha confirmado: cada factura de ${ruc} tendrá valor tributario y gastará un crédito. Si es lo que quiere, ejecute «facturapuente install --production» (o escriba production: ['${ruc}']); si no, use ambiente: 1.`,
    `Store ${id} is in ambiente 2 and nobody confirmed it; run \`install --production\`, or name the RUC in \`production\` or FACTURAPUENTE_PRODUCTION.`,
  );
}
