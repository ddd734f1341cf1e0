import type { Document } from '../domain/document.ts';
import type { MoveNote } from '../domain/move-note.ts';
import type { Order } from '../domain/order.ts';
import { paidTotalOf } from '../domain/order-fingerprint.ts';
import { shadowShop } from '../domain/shadow.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import { askSync } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { overtaken, type Retried } from './retried.ts';

/**
 * A person has looked at the shop and says that what it tells now is right: that this is another sale, or another refund,
 * under an id that was given again, or that the total of now was charged. From here on the id, or the total, means that.
 * @param seen the version of the document that person was shown; another one is not accepted.
 */
export async function acceptReading(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  document: Document,
  by: string,
  seen = document.version,
): Promise<Retried> {
  const bind = binds[document.code ?? ''];
  if (!mayBeAccepted(document) || !bind) return notAsked;
  if (seen !== document.version) return overtaken;
  const now = clock.now();
  const bound = await ledger.transaction(async (tables) => {
    const note: MoveNote = { cause: 'accepted', code: document.code ?? '', by };
    const moved = await tables.documents.move(document.id, { from: ['held'], to: 'held', note, now });
    if (moved?.version !== document.version + 1) return false;
    await bind(tables, document, now);
    await askSync(tables, document, now);
    return true;
  });
  return bound
    ? { kind: 'looked-again', says: 'Queda aceptado: el pedido se lee otra vez y se planifica así.' }
    : overtaken;
}

/** Whether it is held for what only a person can say of the shop's word. */
export const mayBeAccepted = ({ state, code }: Pick<Document, 'state' | 'code'>): boolean =>
  state === 'held' && Object.hasOwn(binds, code ?? '');

const binds: Record<string, (tables: Tables, document: Document, now: Date) => Promise<void>> = {
  /** What its buyer was asked, and what was paid, was of the order before it. */
  async 'order-id-reused'({ orders, questions }, document) {
    const { fingerprint } = document;
    if (fingerprint) for (const key of places(document)) await orders.bind(key, { fingerprint, paid: null });
    await questions.drop(document);
  },
  'refund-id-reused': ({ documents }, { id }, now) => documents.acceptRefund(id, now),
  /** The total that person was shown; another one since is held again. */
  async 'changed-after-payment'({ orders }, document) {
    const charged = paidTotalOf((await orders.ofDocument(document))?.snapshot as Order);
    if (!charged) return;
    const paid = { ...charged, total: document.charged };
    for (const key of places(document)) await orders.bind(key, { paid });
  },
};

/** The order, and its shadow, which is the same sale. */
const places = ({ platform, shop, orderId }: Document): OrderKey[] =>
  [shop, shadowShop(shop)].map((one) => ({ platform, shop: one, orderId }));

const notAsked: Retried = {
  kind: 'refused',
  says: 'Ese documento no espera que nadie acepte lo que dice la tienda: use facturapuente retry sin --accept.',
};
