import type { Alert } from '../../domain/alerts.ts';
import { owner } from '../../domain/scope.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import type { OpenOfShop } from '../../ledger/open-documents.ts';
import { keepOnly } from '../alerts.ts';
import type { StepDeps } from '../deps.ts';

type AbsentDeps = Pick<StepDeps, 'ledger' | 'alerts' | 'storeOf'>;

const code = 'store-missing';

/**
 * Warns of stores that left the config while documents of theirs are on their way: those wait, and nobody sends them.
 * A store must be missing at two looks of one process: during a deploy the older processes do not know the newer ones'
 * stores for a moment. Over when the store is back or nothing of it is on its way any more.
 */
export function openAbsentStoreWatch({ ledger, alerts, storeOf }: AbsentDeps): () => Promise<void> {
  let before = new Set<string>();
  return async () => {
    const absent = new Map<string, OpenOfShop>();
    // A shadow has no tax value; whoever ends it wants nothing more of its documents.
    for (const one of await ledger.openDocuments.byShop())
      if (!storeOf(one.platform, one.shop) && !isShadowShop(one.shop))
        absent.set(`${one.platform} ${one.shop}`, one);
    for (const [subject, one] of absent) if (before.has(subject)) await alerts.raise(alertOf(subject, one));
    await keepOnly({ ledger, alerts }, code, ({ subject }) => absent.has(subject));
    before = new Set(absent.keys());
  };
}

function alertOf(subject: string, { storeId, platform, shop, count }: OpenOfShop): Alert {
  const documents = count === 1 ? 'un comprobante suyo' : `${count} comprobantes suyos`;
  return {
    code,
    subject,
    about: owner.shop({ platform, shop }),
    what: `La tienda «${storeId}» (${shop}) ya no está en la configuración, con ${documents} en camino: esperan sin enviarse ni consultarse.`,
    cure: 'Devuélvala a la configuración, o regístrela con «store add»: lo que espera sigue solo. Después espere a que termine y quítela.',
  };
}
