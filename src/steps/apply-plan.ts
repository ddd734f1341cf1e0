import { type Document, documentCodes } from '../core/document.ts';
import type { Order } from '../core/order.ts';
import { seriesOf } from '../core/series.ts';
import type { Store } from '../core/settings.ts';
import type { NewDocument } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { Action } from '../planning/action.ts';
import { askSubmit, askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';

interface Planned {
  store: Store;
  order: Order;
  documents: readonly Document[];
  actions: readonly Action[];
}

/**
 * Writes the planner's word into the ledger in one transaction: the order as read, the decision, the document
 * with its number or its hold, and the work that follows. A reading older than the stored one changes nothing.
 */
export async function applyPlan(deps: StepDeps, planned: Planned): Promise<void> {
  const { ledger, clock } = deps;
  const { store, order } = planned;
  const now = clock.now();
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  await ledger.transaction(async (tables) => {
    const newest = await tables.orders.save({
      ...key,
      storeId: store.id,
      name: order.name,
      snapshot: order,
      sourceUpdatedAt: order.updatedAt,
      now,
    });
    if (!newest) return;
    await tables.orders.decide(key, planned.actions.map(withoutBody), now);
    for (const action of planned.actions) {
      if (action.kind === 'factura') await applyFactura(tables, planned, action, now);
    }
  });
}

async function applyFactura(tables: Tables, planned: Planned, action: Action, now: Date): Promise<void> {
  const current = planned.documents.find(
    (document) => document.kind === 'factura' && document.state !== 'cancelled',
  );
  const stopped =
    action.action === 'emit' ? await tables.sequences.stopped(seriesOf(planned.store, 'factura')) : null;
  const { code, reason } = stopped === null ? action : { code: 'series-stopped', reason: stopped };
  const kind = stopped === null ? action.action : 'hold';
  const patch = { code, reason, charged: action.charged, total: action.document };
  // A document that is sent keeps the trace of what was sent (submit-document.ts).
  const note = kind === 'hold' ? { code, buyerReason: action.buyerReason, trace: action.trace } : { code };

  if (!current) {
    if (kind !== 'emit' && kind !== 'hold') return;
    const state = kind === 'emit' ? 'ready' : 'held';
    const created = await tables.documents.create({
      ...newDocument(planned, action, now),
      ...patch,
      note,
      state,
    });
    // Somebody else created it a moment ago: their plan stands, and the next sync sees it.
    if (created) await follow(tables, created, now);
    return;
  }
  if (current.state !== 'held' && current.state !== 'ready') return;
  const to = kind === 'emit' ? 'ready' : kind === 'hold' ? 'held' : kind === 'nothing' ? 'cancelled' : null;
  if (to === null || (to === current.state && reason === current.reason)) return;
  if (to === 'ready' && current.state === 'ready') return;
  const moved = await tables.documents.move(current.id, {
    from: [current.state],
    to,
    patch,
    note,
    now,
  });
  if (moved) await follow(tables, moved, now);
}

async function follow(tables: Tables, document: Document, now: Date): Promise<void> {
  if (document.state === 'ready') await askSubmit(tables, document, now);
  // A hold that was dropped must not stand on the order for ever.
  if (document.state === 'held' || document.state === 'cancelled') await askWriteBack(tables, document, now);
}

function newDocument(
  { store, order }: Planned,
  action: Action,
  now: Date,
): Omit<NewDocument, 'state' | 'code' | 'reason'> {
  return {
    ...action.identity,
    key: action.key,
    storeId: store.id,
    orderId: order.id,
    orderName: order.name,
    account: store.account.id,
    keyHash: store.account.keyHash,
    ruc: store.issuer.ruc,
    codDoc: documentCodes.factura,
    establecimiento: store.series.establecimiento,
    puntoEmision: store.series.puntoEmision,
    firstSecuencial: store.series.first,
    charged: action.charged,
    total: action.document,
    now,
  };
}

/** The decision is kept for explanations; the body is made anew at sending time. */
function withoutBody({ body: _body, identity: _identity, ...rest }: Action): unknown {
  return rest;
}
