import { type Attempt, type Document, documentNumber } from '../core/document.ts';
import type { ServiceCalls } from '../service/client.ts';
import { readStored } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { everyKey, keysOfWebhooks } from './every-key.ts';
import { foreseeLost } from './foreseen.ts';
import { isRevoked, serviceOf } from './issued.ts';
import { named, storedDiffers } from './sentences.ts';

/** What the service says of one access key, asked under every API key there is. */
type Verdict = 'ours' | 'named' | 'foreign' | 'processing' | 'unreadable' | 'error' | 'not-found' | 'silent';

export type Search =
  /** Something of this document stands there, or may; `says` is for the person, in Spanish. */
  | { kind: 'stands'; says: string }
  /** Nothing does. What was said of each key, and whether the service's list of webhooks could be read. */
  | { kind: 'none'; asked: Record<string, Verdict>; webhooks: 'read' | 'unread' };

/**
 * Looks for a document of ours under its number by every means the protocol has: each key that was ever told of it or can
 * be foreseen for a lost answer, and
 * each the service's own list of webhooks names for its number, by state and by authorised XML, under each API key of
 * its accounts (a key sees only its own documents; spec, key rules).
 */
export async function searchOurs(
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
): Promise<Search> {
  const store = deps.storeOf(document.platform, document.shop);
  if (!store) return { kind: 'stands', says: 'La tienda de este documento ya no está en la configuración.' };
  const askers = askersOf(deps, document, store.account);
  const told = await keysOfWebhooks(
    askers.map(({ calls }) => calls),
    document,
  );
  const asked: Record<string, Verdict> = {};
  const foreseen = await foreseeLost(deps.ledger, document, attempts);
  for (const key of new Set([...(await everyKey(deps.ledger, document, foreseen)), ...told.keys])) {
    const verdict = await askAbout(deps, askers, key, { document, attempts });
    const says = standing(document, key, verdict);
    if (says !== null) return { kind: 'stands', says };
    asked[key] = verdict;
  }
  return { kind: 'none', asked, webhooks: told.read ? 'read' : 'unread' };
}

interface Asker extends Pick<ReturnType<typeof serviceOf>, 'account' | 'keyHash'> {
  calls: ServiceCalls;
}

/** The service under the key that issued the document, then under every other one of its account and of its store's. */
function askersOf(deps: StepDeps, document: Document, ofStore: Asker['account']): Asker[] {
  const store = { account: ofStore } as Parameters<typeof serviceOf>[2];
  const { account, keyHash } = serviceOf(deps, document, store);
  const every = [
    { account, keyHash },
    ...[account, ofStore].flatMap((one) => one.keys.map((key) => ({ account: one, keyHash: key.keyHash }))),
  ];
  const first = new Map(every.toReversed().map((one) => [one.keyHash, one]));
  return [...first.values()]
    .toReversed()
    .filter((one) => !deps.revoked.has(one.keyHash))
    .map((one) => ({ ...one, calls: deps.service(one.account, null, one.keyHash) }));
}

async function askAbout(
  deps: StepDeps,
  askers: readonly Asker[],
  accessKey: string,
  { document, attempts }: { document: Document; attempts: readonly Attempt[] },
): Promise<Verdict> {
  let verdict: Verdict = 'silent';
  for (const asker of askers) {
    const answer = await asker.calls.consultarComprobante(accessKey);
    if (answer.kind === 'unauthorized') {
      isRevoked(deps, asker);
      continue;
    }
    if (answer.kind !== 'found' && answer.kind !== 'not-found') return 'silent';
    if (answer.kind === 'found' && answer.state !== 'authorized') return answer.state;
    // What it says it does not know may have its XML there all the same.
    const compared = await readStored(asker.calls, accessKey, document, attempts);
    if (compared.agreement === 'foreign' && compared.named) return 'named';
    if (compared.agreement !== 'provisional') return compared.agreement;
    if (answer.kind === 'found') return 'unreadable';
    verdict = 'not-found';
  }
  return verdict;
}

/** Why no new number may be given; null where the key says nothing against it. */
function standing(document: Document, key: string, verdict: Verdict): string | null {
  const number = documentNumber(document);
  switch (verdict) {
    case 'ours':
      return `El servicio muestra autorizada ${named(document)} con la clave ${key}, y con otro número se facturaría dos veces. Dé esa clave: facturapuente adopt ${document.id} ${key}.`;
    case 'named':
      return storedDiffers(document, key);
    case 'processing':
      return `El comprobante con el número ${number} y la clave ${key} está en proceso de autorización y puede ser ${named(document)}. Espere a que termine y repita la orden.`;
    case 'unreadable':
      return `El servicio muestra autorizado un comprobante con el número ${number} y la clave ${key}, pero su XML no se puede leer ahora para saber de qué venta es. Intente de nuevo en unos minutos.`;
    case 'silent':
      return `El servicio no responde ahora a la pregunta por la clave ${key}, y sin su respuesta no se da un número nuevo. Intente de nuevo en unos minutos.`;
    default:
      return null;
  }
}
