import { documentCodes } from '../../core/document.ts';
import type { Order } from '../../core/order.ts';
import type { Store } from '../../core/settings.ts';
import type { StepDeps } from '../deps.ts';
import { meetStored, placeOf } from './meet.ts';

/**
 * The access keys that are written on an order and that the ledger knows under none of its documents are asked about: what
 * the service shows of them says by its reference whose they are. The key itself proves nothing, it may have been copied.
 */
export async function meetKeysOf(deps: StepDeps, store: Store, order: Order): Promise<void> {
  for (const accessKey of order.accessKeys) {
    const { series } = placeOf(accessKey);
    const { ruc, ambiente } = store.issuer;
    const codes: readonly string[] = Object.values(documentCodes);
    if (series.ruc !== ruc || series.ambiente !== ambiente || !codes.includes(series.codDoc)) continue;
    if (await deps.ledger.documents.byAccessKey(accessKey)) continue;
    const { account } = store;
    const answer = await deps.service(account, null, account.keyHash).descargarXml(accessKey);
    if (answer.kind === 'found')
      await meetStored(deps, {
        ...{ accessKey, stored: answer.facts, account: account.id, keyHash: account.keyHash },
      });
  }
}
