import { type Amount, decimal, toAmount } from '../core/money.ts';
import type { Order } from '../core/order.ts';
import type { PlanInput, PlannedDocument } from './input.ts';
import { type Verdict, verdict } from './make-action.ts';
import { nothingLeft } from './refunds/sentences.ts';
import { byMoney, isNegative, moneyLeft } from './settled.ts';

/**
 * What can be said about an order before its money is mapped: documents that are on their way or done, orders
 * that need none, and orders a person must look at. Null = go on to map it.
 */
export function verdictBeforeMapping(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  return (
    (current ? byDocument(current, input) : null) ??
    history(input, current) ??
    byMoney(input, current) ??
    unneeded(input) ??
    suspicious(input)
  );
}

/** The order's factura that counts: cancelled ones keep their identity, but nothing more. */
export function currentFactura(documents: readonly PlannedDocument[]): PlannedDocument | undefined {
  return documents.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
}

/** A document that has a number or may have left is never planned anew. */
function byDocument(current: PlannedDocument, { order }: PlanInput): Verdict | null {
  switch (current.state) {
    case 'authorized':
      if (current.annulledAt)
        return verdict(
          'nothing',
          'factura-annulled',
          'La factura de este pedido figura ANULADA en el portal del SRI. Si la venta sigue en pie, emita a mano otra factura.',
        );
      return verdict('nothing', 'already-invoiced', 'La factura de este pedido ya está autorizada.');
    case 'sending':
    case 'processing':
      return verdict('wait', 'in-process', 'La factura de este pedido está en proceso de autorización.');
    case 'uncertain':
      return verdict(
        'wait',
        'uncertain',
        'La factura fue enviada y se está averiguando si el servicio la recibió.',
      );
    case 'rejected':
      // Everything went back, and its number was never registered: nothing is left to correct it for.
      if (moneyLeft(order).lte(0)) return nothingLeft;
      return verdict(
        'hold',
        current.code ?? 'rejected',
        current.reason ??
          'El servicio rechazó la factura sin dar un motivo. Revise los datos del pedido y del emisor.',
      );
    case 'manual':
      return verdict(
        'manual',
        current.code ?? 'manual',
        current.reason ?? 'La factura necesita una decisión. Compruebe en el servicio si fue autorizada.',
      );
    default:
      return null;
  }
}

/** Only sales nobody has taken up yet are history: a held one was paid in our time. */
function history({ order, invoiceFrom }: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  const unsettled = order.settlement === 'unpaid' || order.settlement === 'partially-paid';
  const waits = unsettled && order.notAccepted?.waits !== false;
  const paidAt = new Date(order.paidAt ?? order.placedAt);
  if (current || waits || paidAt >= invoiceFrom) return null;
  return verdict(
    'nothing',
    'before-start',
    'El pedido se pagó antes de la fecha desde la que se factura (invoiceFrom).',
  );
}

function unneeded({ order, store }: PlanInput): Verdict | null {
  if (decimal(order.total).isZero() && store.policy.freeOrders === 'nothing') {
    return verdict('nothing', 'free', 'El pedido no cobró nada y por política no se factura.');
  }
  const { as } = store.policy.giftCardsSold;
  if ((as === 'nothing' || as === 'exclude') && onlyGiftCards(order)) {
    return verdict(
      'nothing',
      'only-gift-cards',
      'El pedido solo vende tarjetas de regalo: es un anticipo, y se factura lo que se compre con ellas.',
    );
  }
  if (!decimal(order.total).isZero() && !isNegative(order) && moneyLeft(order).lte(0)) return nothingLeft;
  if (order.test && store.issuer.ambiente === 2) {
    return verdict('nothing', 'test-order', 'Es un pedido de prueba y no se factura en producción.');
  }
  return null;
}

/** Nothing else was charged, discounts on them aside. */
function onlyGiftCards({ lines, charges }: Order): boolean {
  const rest = [...lines.filter(({ kind }) => kind !== 'gift-card'), ...charges];
  return (
    lines.some(({ kind }) => kind === 'gift-card') && rest.every(({ net, tax }) => isZero(net) && isZero(tax))
  );
}

const isZero = (amount: Amount): boolean => decimal(amount).isZero();

/** An access key of ours on the order that the ledger does not know: somebody invoiced it already. */
export function foreignKey({ order, documents }: PlanInput): string | undefined {
  const ours = new Set(documents.map((document) => document.accessKey));
  return order.accessKeys.find((key) => !ours.has(key));
}

function suspicious(input: PlanInput): Verdict | null {
  const { order } = input;
  const foreign = foreignKey(input);
  if (foreign) {
    return verdict(
      'hold',
      'foreign-access-key',
      `El pedido ya lleva la clave de acceso ${foreign}, que este sistema no registra. Compruebe si ya fue facturado antes de continuar.`,
    );
  }
  if (order.currency !== 'USD') {
    return verdict(
      'hold',
      'currency',
      `El pedido cobró ${toAmount(order.total)} ${order.currency} y solo se factura en dólares de los Estados Unidos. Venda en USD en la tienda, o emita esta factura a mano por su valor en dólares.`,
    );
  }
  return null;
}
