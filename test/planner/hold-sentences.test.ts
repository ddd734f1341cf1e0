import { describe, expect, it } from 'vitest';
import { bareRefund, type Order } from '../../src/domain/order.ts';
import type { PlanInput } from '../../src/planner/action.ts';
import { plan } from '../../src/planner/plan.ts';
import { noon, order, store } from '../support/orders.ts';

function heldOf(sale: Order, known: Pick<PlanInput, 'reused' | 'paid'> = {}): string {
  const given = { order: sale, documents: [], store, invoiceFrom: new Date(0), now: noon };
  const [action] = plan({ ...given, ...known });
  return action?.action === 'hold' ? `${action.code}: ${action.reason}` : 'not held';
}

/** What a merchant reads: what is wrong with which figures, and in the last sentence what to do. */
const sentences: [Order, string, Pick<PlanInput, 'reused' | 'paid'>?][] = [
  [
    { ...order(), unclearEdit: true, refunds: [bareRefund('7', null)] },
    'refund-contradiction: Al pedido le falta algo de lo que vendió, y lo que la tienda dice de sus reembolsos (7) no permite saber si se quitó al editarlo o se devolvió, ni cuánto se cobró por lo que queda. La API de la tienda sí lo dice: con la tienda conectada se decide solo; si no, emita los documentos a mano.',
  ],
];

describe('a hold says what is wrong, with its figures, and what to do', () => {
  it.each(sentences)('case %#', (sale, sentence, known) => {
    expect(heldOf(sale, known)).toBe(sentence);
  });
});
