import { ecuadorDay } from '../../domain/calendar.ts';
import { decimal, toAmount } from '../../domain/money.ts';
import type { Refund } from '../../domain/refund.ts';
import type { Action } from '../action.ts';
import { currentFactura, foreignKey } from '../eligibility.ts';
import type { PlanInput, PlannedDocument } from '../input.ts';
import { type Verdict, verdict } from '../make-action.ts';
import { issueDayOf } from './annulment.ts';
import { creditOf, nettedBy } from './covered.ts';
import * as say from './sentences.ts';

/**
 * What can be said of a refund before its money is laid upon the factura: what exists already, money that did not
 * move, and a factura that is not authorised. `factura` is the planner's word on the order itself. null = go on.
 */
export function refundVerdict(input: PlanInput, refund: Refund, factura: Action): Verdict | null {
  const { documents } = input;
  const before = nettedBy(documents, refund.id);
  return (
    byDocument(creditOf(documents, refund.id)) ??
    (before ? say.netted(refund, before.number) : null) ??
    byMoney(refund) ??
    byFactura(input, refund, factura) ??
    reusedId(input, refund)
  );
}

/** Its id is that of a refund of another order, or of another one of this order; where the order itself is another, that is known. */
function reusedId({ documents, others = [] }: PlanInput, refund: Refund): Verdict | null {
  const other = creditOf(others, refund.id);
  if (!other || others.some(({ kind }) => kind === 'factura')) return null;
  return creditOf(documents, refund.id)?.fingerprint?.accepted ? null : say.reusedId(refund, other);
}

/** A nota de crédito that has left, or may have, is never planned anew. */
function byDocument(current: PlannedDocument | undefined): Verdict | null {
  switch (current?.state) {
    case 'authorized':
      return verdict(
        'nothing',
        'already-credited',
        'La nota de crédito de este reembolso ya está autorizada.',
      );
    case 'sending':
    case 'processing':
      return verdict(
        'wait',
        'in-process',
        'La nota de crédito de este reembolso está en proceso de autorización.',
      );
    case 'uncertain':
      return verdict(
        'wait',
        'uncertain',
        'La nota de crédito fue enviada y se está averiguando si el servicio la recibió.',
      );
    case 'rejected':
      return verdict(
        'hold',
        current.code ?? 'rejected',
        current.reason ?? 'El servicio rechazó la nota de crédito.',
      );
    case 'manual':
      // Without a number it is the planner's own word, and may have changed.
      return current.secuencial === null
        ? null
        : verdict(
            'manual',
            current.code ?? 'manual',
            current.reason ?? 'La nota de crédito necesita una decisión.',
          );
    default:
      return null;
  }
}

function byMoney(refund: Refund): Verdict | null {
  const { amount, pending } = refund;
  if (!decimal(pending).isZero()) return say.pendingMoney(refund);
  if (amount === null) return say.unknownMoney(refund);
  if (!decimal(toAmount(amount)).isZero()) return null;
  return refund.moneyIn ? say.moneyElsewhere(refund, refund.moneyIn) : say.noMoney(refund);
}

function byFactura(input: PlanInput, refund: Refund, factura: Action): Verdict | null {
  const current = currentFactura(input.documents);
  switch (current?.state) {
    case 'authorized':
      return null;
    case 'sending':
    case 'processing':
    case 'uncertain':
      return say.inProcess(refund);
    case 'rejected':
    case 'manual':
      return factura.code === say.nothingLeft.code ? say.nothingToInvoice(refund) : say.unsettled(refund);
    case undefined:
      return withoutFactura(input, refund, factura);
    default:
      return before(refund, factura);
  }
}

const before = (refund: Refund, { action }: Action): Verdict => say.beforeInvoice(refund, action === 'hold');

function withoutFactura(input: PlanInput, refund: Refund, factura: Action): Verdict {
  const { order, now, store, invoiceFrom } = input;
  const at = { now, holidays: store.policy.creditNotes.holidays };
  const paid = ecuadorDay(new Date(order.paidAt ?? order.placedAt));
  const money = toAmount(refund.amount ?? '0');
  const foreign = foreignKey(input);
  if (foreign !== undefined) return say.elsewhere(refund, money, issueDayOf(foreign) ?? paid, at);
  switch (factura.code) {
    case 'before-start':
      // Where the source does not say when, it was after the order was last touched at the latest.
      return new Date(refund.at ?? order.updatedAt) >= invoiceFrom
        ? say.elsewhere(refund, money, paid, at)
        : say.history(refund);
    case 'fully-refunded':
      return say.nothingToInvoice(refund);
    default:
      return factura.action === 'nothing' ? say.notInvoiced(refund) : before(refund, factura);
  }
}
