import { creditRounding } from '../domain/credit-rounding.ts';
import { annulledWords, type Document, documentNumber } from '../domain/document.ts';
import { isTold } from '../domain/document-event.ts';
import { ShopError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import { isSameOrder } from '../domain/order-fingerprint.ts';
import type { WrittenDocument } from '../domain/platform.ts';
import { isShadowShop } from '../domain/shadow.ts';
import { done, type Step } from '../domain/work.ts';
import type { OrderRow } from '../ledger/shop-tables.ts';
import { tellOutside } from './announce.ts';
import { askSync } from './ask.ts';
import { isAsked, mayAsk } from './buyer/ask-buyer.ts';
import type { StepDeps } from './deps.ts';
import { laterSaleOf, toldOn } from './later-sale.ts';
import { inOrderTurn } from './order-turn.ts';
import { whileHeld } from './prove-shop.ts';
import { isReused } from './read-bound.ts';
import { storeOfDocument } from './unknown-store.ts';

/**
 * Puts a document's access key, number, state and PDF link onto its order: additive, repeatable, and only what
 * the merchant should see (authorised, a person is needed, or no longer needed). A store without API access has nowhere to write.
 */
export function writeBack(deps: StepDeps): Step {
  return inOrderTurn(deps, async (work, mayWrite) => {
    const document = await deps.ledger.documents.get(work.subject);
    // What becomes of a shadow stands in its report alone: not on the order, and nobody hears of it.
    if (!document || isShadowShop(document.shop) || !isTold(document.state)) return done;
    const store = storeOfDocument(deps, document);
    await tellOutside(deps, document);
    const held = await whileHeld(deps, document);
    if (held) return held;
    const shop = deps.shop(store);
    if (!shop) return done;
    // All documents of the order together: a dropped one must not cover the one that came after it.
    const all = await deps.ledger.documents.ofOrder(document);
    const row = await deps.ledger.orders.get(document);
    if (!mayStandOn(row, document) || all.some(isReused)) {
      deps.log.info(
        { store: store.id, order: document.orderId },
        'The id is another order’s; nothing is written',
      );
      return done;
    }
    const documents = all.filter((one) => isTold(one.state) && mayStandOn(row, one));
    const later = laterSaleOf(row?.decision, documents);
    const written = [
      // First: what counts is the factura there is.
      ...(later !== null && toldOn(documents) ? [notice(document.orderId, later)] : []),
      ...(await Promise.all(documents.map((one) => toWritten(deps, one)))),
    ];
    const orderKey = row?.fingerprint?.key ?? null;
    try {
      await shop.writeBack(document.orderId, written, mayWrite, orderKey);
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'order-id-reused') throw error;
      // Its next reading tells people.
      await askSync(deps.ledger, document, deps.clock.now());
      return done;
    }
    await deps.ledger.documents.written(document.id, document.state, deps.clock.now());
    deps.log.info(
      { store: store.id, order: document.orderId, state: document.state },
      'Written back onto the order',
    );
    return done;
  });
}

/** Not of an order that had the id before. */
const mayStandOn = (row: OrderRow | undefined, { fingerprint }: Document): boolean =>
  !row?.fingerprint || !fingerprint || isSameOrder(row.fingerprint, fingerprint);

/** For a person: no document stands for it. */
function notice(orderId: string, reason: string): WrittenDocument {
  const facts = { number: null, accessKey: null, authorizedAt: null, pdfUrl: null, xmlUrl: null };
  return { kind: 'factura', sourceId: orderId, state: 'manual', ...facts, reason };
}

async function toWritten(deps: StepDeps, document: Document): Promise<WrittenDocument> {
  const authorized = document.state === 'authorized';
  const version = authorized ? await deps.ledger.linkVersions.of(document.id) : 0;
  return {
    kind: document.kind,
    sourceId: document.sourceId,
    state: document.state,
    number: documentNumber(document),
    accessKey: document.accessKey,
    authorizedAt: document.authorizedAt,
    pageUrl: authorized ? deps.links.page(document.id, version) : null,
    pdfUrl: authorized ? deps.links.pdf(document.id, version) : null,
    xmlUrl: authorized ? deps.links.xml(document.id, version) : null,
    identificationUrl: await askingUrl(deps, document),
    ...((await isBesideUnknownKey(deps, document)) && { besideUnknownKey: true }),
    reason: authorized ? (document.annulledAt ? annulledWords : roundingOf(document)) : document.reason,
  };
}

/** A hold for a key that no ledger of ours knows: what made it may be right, and the ledger the older one. */
async function isBesideUnknownKey({ ledger }: StepDeps, document: Document): Promise<boolean> {
  if (document.code !== 'foreign-access-key') return false;
  const order = (await ledger.orders.get(document))?.snapshot as Order | undefined;
  const known = await Promise.all((order?.accessKeys ?? []).map((key) => ledger.documents.byAccessKey(key)));
  return known.some((one) => one === undefined);
}

/** What the order says of an authorised nota de crédito that is a cent off the money. */
const roundingOf = ({ kind, charged, total }: Document): string | null =>
  kind === 'nota-credito' ? creditRounding(charged, total) : null;

/** Where the buyer of a held factura can say whom it is to name; null where nobody is asked. */
async function askingUrl({ ledger, links, clock }: StepDeps, document: Document): Promise<string | null> {
  const question = isAsked(document) ? await ledger.questions.get(document) : undefined;
  if (!question || !mayAsk(question, clock.now())) return null;
  return links.identification(document.id, new Date(question.expiresAt));
}
