import { describe, expect, it } from 'vitest';
import { bareRefund, deletedStatus, type Order, type Refund } from '../../src/domain/order.ts';
import type { Action, PlannedDocument } from '../../src/planner/action.ts';
import { plan } from '../../src/planner/plan.ts';
import { authorized } from '../support/authorized.ts';
import { line, noon, order, store } from '../support/orders.ts';

type More = { policy?: Partial<typeof store.policy>; documents?: PlannedDocument[]; invoiceFrom?: Date };

function actions(
  sold: Order,
  { policy = {}, documents = [], invoiceFrom = new Date(0) }: More = {},
): Action[] {
  const seller = { ...store, policy: { ...store.policy, ...policy } };
  return plan({ order: sold, documents, store: seller, invoiceFrom, now: noon });
}
const factura = (sold: Order, more: More = {}): Action | undefined => actions(sold, more)[0];

/** 115.00 at 15 %. */
const sale = order({ lines: [line({ price: '100.00' })] });
const back = (amount: string | null, more: Partial<Refund> = {}): Refund => ({
  ...bareRefund('1', amount),
  parts: [],
  ...more,
});

describe('a cancelled order whose money was kept', () => {
  const cancelled = { ...sale, settlement: 'cancelled' as const };

  it.each([
    ['was never paid', { ...cancelled, paidAt: null }, 'nothing', 'cancelled'],
    ['cost nothing', { ...cancelled, lines: [], total: '0.00' }, 'nothing', 'cancelled'],
    ['was deleted for ever', { ...cancelled, status: deletedStatus }, 'nothing', 'cancelled'],
    ['stands in the trash', { ...cancelled, status: 'trash' }, 'nothing', 'cancelled'],
    ['went back whole', { ...cancelled, refunds: [back('115.00')] }, 'nothing', 'fully-refunded'],
    [
      'is on its way back',
      { ...cancelled, refunds: [back('0.00', { pending: '115.00' })] },
      'wait',
      'refund-pending',
    ],
    [
      'went back in an unknown amount',
      { ...cancelled, refunds: [back(null)] },
      'hold',
      'refund-contradiction',
    ],
  ])('is something else where it %s', (_what, sold, action, code) => {
    expect(factura(sold)).toMatchObject({ action, code });
  });

  describe('after its factura left', () => {
    const documents = [authorized(sale)];
    const reported = (sold: Order, more: More = {}) =>
      actions(sold, { documents, ...more }).filter(({ code }) => code === 'cancelled-kept');

    it.each([
      ['none went back', [], '115.00'],
      ['some went back', [back('50.00')], '65.00'],
      ['some is on its way', [back('50.00', { pending: '15.00' })], '50.00'],
    ])('is told to a person beside it: %s', (_what, refunds, kept) => {
      const [said, ...others] = reported({ ...cancelled, refunds });
      expect(others).toEqual([]);
      expect(said).toMatchObject({ kind: 'factura', action: 'manual' });
      expect(said?.reason).toBe(
        `El pedido se canceló después de su factura 001-001-000000123, que sigue en pie, y quedan ${kept} cobrados. Si la venta se deshizo, registre en la tienda el reembolso de ese dinero, del que sale la nota de crédito; si queda como venta, ponga policy.cancelledOrders en invoice.`,
      );
    });

    it('is told, too, where the money never came: cash on delivery that was invoiced at once', () => {
      expect(reported({ ...cancelled, paidAt: null })[0]?.reason).toContain(
        'y quedan 115.00 que la tienda no registra como cobrados.',
      );
    });

    it('is told also where cancelled orders carry no document: this one does', () => {
      expect(reported(cancelled, { policy: { cancelledOrders: 'nothing' } })).toHaveLength(1);
    });

    it.each([
      ['went back', { ...cancelled, refunds: [back('115.00')] }],
      ['is on its way back', { ...cancelled, refunds: [back('0.00', { pending: '115.00' })] }],
      ['went back in an unknown amount', { ...cancelled, refunds: [back(null)] }],
      ['is of an order deleted for ever', { ...cancelled, status: deletedStatus }],
    ])('is nothing to tell where it %s', (_what, sold) => {
      expect(reported(sold)).toEqual([]);
    });

    it('is told of an order in the trash, which has to be restored', () => {
      expect(reported({ ...cancelled, status: 'trash' }).map(({ code, reason }) => [code, reason])).toEqual([
        [
          'cancelled-kept',
          `El pedido se envió a la papelera después de su factura 001-001-000000123, que sigue en pie, y quedan 115.00 cobrados. Restáurelo; si la venta se deshizo, registre en la tienda el reembolso de ese dinero, del que sale la nota de crédito.`,
        ],
      ]);
    });

    it('is nothing to tell where the policy keeps it as a sale, or the factura was annulled', () => {
      expect(reported(cancelled, { policy: { cancelledOrders: 'invoice' } })).toEqual([]);
      const annulled = documents.map((one) => ({ ...one, annulledAt: '2026-11-21T12:00:00Z' }));
      expect(reported(cancelled, { documents: annulled })).toEqual([]);
    });
  });

  it('is history where it was paid before the start', () => {
    expect(factura(cancelled, { invoiceFrom: noon })).toMatchObject({ code: 'before-start' });
  });
});

describe('an order that is no longer paid after its factura', () => {
  const documents = [authorized(sale)];
  const reported = (more: Partial<Order>, given: More = {}) =>
    actions({ ...sale, ...more }, { documents, ...given }).filter(
      ({ code }) => code === 'unpaid-after-invoice',
    );
  const notIn = (value: string) => ({ setting: 'paidStatuses', value, waits: false });
  const failed = { settlement: 'unpaid', status: 'failed', notAccepted: notIn('failed') } as const;

  it('is reported beside it, with what makes the two agree', () => {
    const [one, ...others] = reported(failed);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ kind: 'factura', action: 'manual', charged: '115.00' });
    expect(one?.reason).toBe(
      'El pedido dejó de figurar pagado después de su factura 001-001-000000123, que sigue en pie (estado «failed»), y la tienda no tiene el reembolso de 115.00. Si el dinero se cobró, devuelva el pedido a un estado de pagado; si la venta se deshizo, registre en la tienda el reembolso de ese dinero, del que sale la nota de crédito. Si la venta quedó sin efecto, también puede anular la factura en línea en el portal del SRI hasta el 7 de diciembre de 2026 (día 7 del mes siguiente).',
    );
  });

  it.each(['voided', 'pending', 'expired', 'authorized'])('whatever Shopify says of it: %s', (status) => {
    expect(reported({ settlement: 'unpaid', status, paidAt: null })).toHaveLength(1);
  });

  it('also in part, where no edit explains it', () => {
    const [one] = reported({ settlement: 'partially-paid', status: 'partially_paid' });
    expect(one?.reason).toContain('dejó de figurar pagado por completo');
    const grown = order({ lines: [line({ price: '100.00' }), line({ id: '2', price: '10.00' })] });
    expect(reported({ ...grown, settlement: 'partially-paid', status: 'partially_paid' })).toEqual([]);
  });

  it('in a status that a plugin made, which may be accepted', () => {
    const [one] = reported({ ...failed, status: 'chargeback', notAccepted: notIn('chargeback') });
    expect(one?.reason).toContain(
      'Si el dinero se cobró, agregue «chargeback» a paidStatuses en la conexión de la tienda',
    );
  });

  it.each([
    ['the goods are on their way', { ...failed, notAccepted: { ...notIn('processing'), waits: true } }],
    [
      'its connection invoiced it before its money came',
      { ...failed, notAccepted: { setting: 'invoiceUnpaidMethods', value: 'cod', waits: false } },
    ],
    ['what was charged went back', { ...failed, refunds: [back('115.00')] }],
    ['it is on its way back', { ...failed, refunds: [back('0.00', { pending: '115.00' })] }],
    ['it went back in an unknown amount', { ...failed, refunds: [back(null)] }],
  ])('is nothing to report where %s', (_what, more) => {
    expect(reported(more)).toEqual([]);
  });

  it('is nothing to report where the factura was annulled', () => {
    const annulled = documents.map((one) => ({ ...one, annulledAt: '2026-11-21T12:00:00Z' }));
    expect(reported(failed, { documents: annulled })).toEqual([]);
  });
});

describe('an order paid in part', () => {
  const partly = { ...sale, settlement: 'partially-paid' as const, status: 'partially_paid' };
  const ago = (days: number) => ({ paidAt: new Date(noon.getTime() - days * 24 * 3_600_000).toISOString() });

  it.each([
    ['waits for the rest', ago(6), 'wait partially-paid'],
    ['is held after a week', ago(7), 'hold partially-paid'],
    [
      'waits longer where a deposit was agreed',
      { ...ago(30), deposit: { paid: '30.00', of: '115.00', total: 'order' as const } },
      'wait partially-paid',
    ],
  ])('%s', (_what, more, becomes) => {
    const said = factura({ ...partly, ...more });
    expect(`${said?.action} ${said?.code}`).toBe(becomes);
  });

  it('and cancelled kept only what was captured, which no policy invoices for the whole', () => {
    const payments = [{ gateway: 'shopify_payments', title: null, amount: '60.00' }];
    const cancelled = { ...partly, payments, settlement: 'cancelled' as const };
    for (const cancelledOrders of ['hold', 'invoice'] as const)
      expect(factura(cancelled, { policy: { cancelledOrders } })).toMatchObject({
        action: 'hold',
        code: 'cancelled-kept',
        reason:
          'El pedido está cancelado y de los 115.00 de su precio entró solo una parte, de la que quedan 60.00. Devuelva ese dinero en la tienda, o emita a mano el documento por lo que se queda; con policy.cancelledOrders en nothing no lleva ninguno.',
      });
    const given = { refunds: [back('60.00')] };
    expect(factura({ ...cancelled, ...given })).toMatchObject({ code: 'fully-refunded' });
    expect(factura({ ...cancelled, ...given, settlement: 'refunded' })).toMatchObject({
      code: 'fully-refunded',
    });
  });

  it('is history where that was before the start', () => {
    expect(factura({ ...partly, ...ago(30) }, { invoiceFrom: noon })).toMatchObject({ code: 'before-start' });
    expect(factura({ ...partly, ...ago(3) }, { invoiceFrom: noon })).toMatchObject({ action: 'wait' });
  });
});

describe('an order that no setting takes for paid', () => {
  const unpaid = { ...sale, settlement: 'unpaid' as const, status: 'shipped' };
  const shipped = { ...unpaid, notAccepted: { setting: 'paidStatuses', value: 'shipped', waits: false } };
  const cash = { setting: 'invoiceUnpaidMethods', value: 'cod' };

  it('is not, where it is history', () => {
    expect(factura(shipped, { invoiceFrom: noon })).toMatchObject({
      action: 'nothing',
      code: 'before-start',
    });
  });

  it.each([
    [true, 'wait'],
    [false, 'hold'],
  ])(
    'names cash on delivery without a date of payment (the shop may still record it: %s)',
    (waits, action) => {
      const said = factura({ ...unpaid, paidAt: null, notAccepted: { ...cash, waits } });
      expect(said).toMatchObject({ action, code: 'payment-date-missing' });
      expect(said?.reason).toMatch(/agregue «cod» a invoiceUnpaidMethods/);
    },
  );

  const byHand = { setting: 'invoiceUnpaidMethods', value: '', waits: false };
  const undated = { settlement: 'unpaid' as const, status: 'completed', paidAt: null, notAccepted: byHand };
  const card = line({ kind: 'gift-card', rate: null });
  it.each([
    ['given away', order({ lines: [line({ price: '0.00' })] }), 'no-money'],
    ['given back whole', { ...sale, refunds: [back('100.00'), back('15.00')] }, 'fully-refunded'],
    ['of gift cards alone', order({ lines: [card] }), 'only-gift-cards'],
  ])('needs no date of payment where nothing is left to invoice: %s', (_what, sold, code) => {
    expect(factura({ ...sold, ...undated })).toMatchObject({ action: 'nothing', code });
  });

  it('needs one where a free order is invoiced, and where something is left', () => {
    const free = order({ lines: [line({ price: '0.00' })] });
    const some = { ...sale, refunds: [back('100.00')] };
    expect(factura({ ...free, ...undated }, { policy: { freeOrders: 'emit' } })?.action).toBe('hold');
    expect(factura({ ...some, ...undated })?.code).toBe('payment-date-missing');
  });
});

it('an order whose fees are more than what it sells is not said to be refunded', () => {
  const fee = { ...line({ price: '-15.00' }), id: '2', kind: 'fee' as const, name: 'Vale' };
  const { quantity: _quantity, ...vale } = fee;
  expect(factura(order({ lines: [line()], charges: [vale] }))).toMatchObject({
    action: 'hold',
    code: 'negative-amount',
  });
});

it('a status the shop does not tell is said so', () => {
  expect(factura({ ...sale, settlement: 'unpaid', status: '' })?.reason).toBe(
    'El pedido aún no está pagado por completo (la tienda no dice el estado del pago).',
  );
});
