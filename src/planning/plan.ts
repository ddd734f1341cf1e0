import { type DocumentIdentity, type DocumentKind, documentKey } from '../core/document.ts';
import { type Amount, decimal, toAmount } from '../core/money.ts';
import type { Action, Trace } from './action.ts';
import { currentFactura, type Verdict, verdictBeforeMapping } from './eligibility.ts';
import type { PlanInput } from './input.ts';
import { mapFactura } from './map-factura.ts';

/**
 * Compares what should exist for an order with what does exist. Pure: the same input always gives the same
 * actions, and applying them makes the next plan say `nothing` or `wait`.
 */
export function plan(input: PlanInput): Action[] {
  return [planFactura(input), ...input.order.refunds.map((refund) => planRefund(input, refund.id))];
}

function planFactura(input: PlanInput): Action {
  const { order, store, now } = input;
  const facturas = input.documents.filter((document) => document.kind === 'factura');
  // A cancelled document keeps its identity for ever; the order's next one is another.
  const ordinal = facturas.filter((document) => document.state === 'cancelled').length + 1;
  const identity = identityOf(input, 'factura', order.id, ordinal);
  const charged = toAmount(order.total);
  const say = (verdict: Said, trace: Trace = {}): Action => action(identity, verdict, charged, trace);

  const early = verdictBeforeMapping(input, currentFactura(input.documents));
  if (early) return say(early);

  const sale = mapFactura(order, store, identity, { now, secuencial: null });
  if (!sale.ok) {
    const { code, reason, buyerReason, document } = sale;
    const held = say({ action: 'hold', code, reason, buyerReason }, sale.trace);
    return document === null ? held : { ...held, document, difference: minus(document, charged) };
  }
  const { body, total, charged: due, trace } = sale.mapped;
  const emit = { action: 'emit', code: 'paid', reason: emitReason(trace.money.outside) } as const;
  // By policy gift cards sold are no part of the document: it must reach what was charged for the rest.
  return { ...say(emit, sale.trace), body, charged: due, document: total, difference: minus(total, due) };
}

const minus = (document: Amount, charged: Amount): Amount => toAmount(decimal(document).minus(charged));

function emitReason(outside: readonly { name: string; amount: Amount }[]): string {
  if (outside.length === 0) return 'El pedido está pagado y se factura por el total cobrado.';
  const cards = outside.map(({ name, amount }) => `«${name}» por ${amount}`).join(', ');
  return `El pedido está pagado y se factura sin las tarjetas de regalo: ${cards}.`;
}

/** Credit notes are not emitted by this version; each refund is named, so that none is overlooked. */
function planRefund(input: PlanInput, refundId: string): Action {
  const identity = identityOf(input, 'nota-credito', refundId, 1);
  const refund = input.order.refunds.find((candidate) => candidate.id === refundId);
  const verdict = {
    action: 'manual' as const,
    code: 'credit-note-by-hand',
    reason: `El reembolso ${refundId} todavía no se convierte en nota de crédito automáticamente. Emita la nota de crédito a mano si la factura ya fue autorizada.`,
  };
  return action(identity, verdict, toAmount(refund?.amount ?? '0'), {});
}

function identityOf(
  input: PlanInput,
  kind: DocumentKind,
  sourceId: string,
  ordinal: number,
): DocumentIdentity {
  const { platform, shop } = input.order;
  return { platform, shop, ambiente: input.store.issuer.ambiente, kind, sourceId, ordinal };
}

type Said = Verdict & { buyerReason?: string | null };

function action(identity: DocumentIdentity, verdict: Said, charged: string, trace: Trace): Action {
  const key = documentKey(identity);
  return {
    key,
    kind: identity.kind,
    buyerReason: null,
    ...verdict,
    identity,
    body: null,
    charged,
    document: null,
    difference: null,
    trace,
  };
}
