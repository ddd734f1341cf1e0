import { describe, expect, it } from 'vitest';
import { annulmentDeadline } from '../../../mappers/tables/holidays.ts';
import type { Order, Refund } from '../../../src/domain/order.ts';
import { bodyWithoutBuyer } from '../../../src/domain/privacy.ts';
import { inWords } from '../../../src/messages/holds-later.ts';
import { issueDayOf } from '../../../src/planner/eligibility.ts';
import { authorized, credited } from '../../support/authorized.ts';
import { line, order, store } from '../../support/orders.ts';
import { actions, give, part, refund, refundActions, sale, shirt } from './shapes.ts';

const holidays = ['2026-12-07', '2026-12-08'];

describe('the last day to annul a factura online', () => {
  it.each([
    ['2026-11-18', [], '2026-12-07'],
    ['2026-10-31', [], '2026-11-09'],
    ['2026-12-31', [], '2027-01-07'],
    ['2026-11-18', holidays, '2026-12-09'],
    // Sunday 7, and Carnival on Monday and Tuesday; Saturday 7, and Monday 9 for 10 August.
    ['2027-01-15', [], '2027-02-10'],
    ['2027-07-15', [], '2027-08-10'],
    // Day 10 until July of 2025.
    ['2025-07-15', [], '2025-08-11'],
    ['2026-07-15', ['2026-08-10'], '2026-08-07'],
  ])(
    'of %s, with the holidays %j, is %s: day 7 of the next month, or the next working day',
    (day, free, last) => {
      expect(annulmentDeadline(day, free)).toBe(last);
    },
  );

  it('is written as people read it', () => {
    expect(inWords('2026-12-07')).toBe('7 de diciembre de 2026');
  });

  it('of a document issued elsewhere counts from the day its access key begins with', () => {
    expect(issueDayOf('1811202601179214673900110010010000001231234567813')).toBe('2026-11-18');
    expect(issueDayOf('9'.repeat(49))).toBeNull();
    expect(issueDayOf('18112026')).toBeNull();
  });
});

describe('a refund of a factura that a person annulled at the portal of the SRI', () => {
  const annulled = { ...authorized(sale), annulledAt: '2026-11-21T12:00:00Z' };

  it('has no route, and neither has its order: both say so', () => {
    const [order, credit] = actions({ ...sale, refunds: [refund('11.50', [shirt])] }, [annulled]);
    expect(order).toMatchObject({ action: 'nothing', code: 'document-annulled' });
    expect(credit).toMatchObject({
      action: 'manual',
      code: 'document-annulled',
      charged: '11.50',
      body: null,
    });
    expect(credit?.reason).toBe(
      'La factura 001-001-000000123 figura ANULADA en el portal del SRI y ya no se acredita: el reembolso 48 por 11.50 no lleva nota de crédito. Si una parte de la venta sigue en pie, emita a mano otra factura por ella.',
    );
  });
});

describe('a refund of a factura whose buyer is no longer kept', () => {
  it('is for a person: a nota de crédito here would name nobody', () => {
    const factura = authorized(sale);
    const { comprador } = JSON.parse(bodyWithoutBuyer(JSON.stringify(factura.sent)));
    const forgotten = { ...factura, sent: factura.sent && { ...factura.sent, comprador } };
    const action = give(refund('11.50', [shirt]), sale, [forgotten]);
    expect(action).toMatchObject({ action: 'manual', code: 'buyer-forgotten', charged: '11.50', body: null });
    expect(action.reason).toBe(
      'El reembolso 48 devolvió 11.50 y aquí ya no se guarda quién compró con la factura 001-001-000000123, porque terminó su plazo de conservación (retention.documentsYears) o se pidió borrarlo. Consulte con su contador si todavía procede una nota de crédito y, si procede, emítala a mano con los datos de la factura autorizada.',
    );
  });
});

describe('a refund that fails after its nota de crédito', () => {
  const back = refund('11.50', [shirt]);
  const documents = [authorized(sale), credited(sale, back, [authorized(sale)])];

  it.each([
    ['0.00', '0.00', 'manual refund-deleted'],
    ['5.00', '0.00', 'manual refund-deleted'],
    ['0.00', '11.50', 'nothing already-authorised'],
    [null, '0.00', 'nothing already-authorised'],
  ])('is for a person where the shop says %s returned and %s on its way', (amount, pending, becomes) => {
    const said = give({ ...back, amount, pending, parts: [] }, sale, documents);
    expect(`${said.action} ${said.code}`).toBe(becomes);
  });

  it('says what stands and what did not go back', () => {
    expect(give({ ...back, amount: '0.00', parts: [] }, sale, documents).reason).toBe(
      'El reembolso 48 figura ahora con 0.00 devueltos y su nota de crédito 001-001-000000001 se emitió por 11.50: la devolución falló en la tienda. Si ese dinero volverá al comprador, devuélvalo otra vez por fuera de la tienda, sin registrar otro reembolso; si no, anule la nota de crédito en el portal del SRI con la aceptación del comprador, o emita otra factura por la diferencia.',
    );
  });
});

describe('more money than is left of the factura', () => {
  const over = refund('47.51');

  it('is for a person, who may still annul it online until day 7', () => {
    const action = give(over, sale, [authorized(sale)]);
    expect(action).toMatchObject({ action: 'manual', code: 'over-credit', charged: '47.51', body: null });
    expect(action.reason).toBe(
      'El reembolso 48 devolvió 47.51 y de la factura 001-001-000000123 solo queda 47.50 por acreditar. Emita a mano una nota de crédito por hasta 47.50 y revise con su contador el resto. Si la venta quedó sin efecto, también puede anular la factura en línea en el portal del SRI hasta el 7 de diciembre de 2026 (día 7 del mes siguiente).',
    );
  });

  it('is told no such thing once that day is over', () => {
    const late = give(over, sale, [authorized(sale)], { now: new Date('2026-12-08T05:00:00Z') });
    expect(late.reason).not.toContain('anular');
    // Quito is five hours behind: the 7th is not over before.
    const justInTime = give(over, sale, [authorized(sale)], { now: new Date('2026-12-08T04:59:00Z') });
    expect(justInTime.reason).toContain('hasta el 7 de diciembre de 2026');
  });

  it('is told no such thing of a factura that has notas de crédito, and what to do where nothing is left', () => {
    const all = refund('47.50', [], { id: '1' });
    const documents = [authorized(sale), credited(sale, all, [authorized(sale)])];
    const [, second] = refundActions({ ...sale, refunds: [all, refund('5.00', [], { id: '2' })] }, documents);
    expect(second?.reason).toBe(
      'El reembolso 2 devolvió 5.00 y la factura 001-001-000000123 ya está acreditada por completo. Revise con su contador ese dinero, que ya no cabe en una nota de crédito.',
    );
  });
});

describe('a sale invoiced elsewhere', () => {
  const since = { invoiceFrom: new Date('2026-11-25T00:00:00Z'), now: new Date('2026-11-28T12:00:00Z') };

  it('before we began: a refund in our time is for the system that invoiced it', () => {
    const ours = refund('11.50', [shirt], { at: '2026-11-27T10:00:00Z' });
    const action = give(ours, sale, [], since);
    expect(action).toMatchObject({ action: 'manual', code: 'invoiced-elsewhere', charged: '11.50' });
    expect(action.reason).toBe(
      'El pedido se facturó fuera de este sistema. Emita la nota de crédito de 11.50 por el reembolso 48 en el sistema que emitió la factura. Si la venta quedó sin efecto y la factura no es de consumidor final, también puede anular la factura en línea en el portal del SRI hasta el 7 de diciembre de 2026 (día 7 del mes siguiente).',
    );
  });

  it('and given back before we began is history', () => {
    const early = refund('11.50', [shirt], { at: '2026-11-21T10:00:00Z' });
    expect(give(early, sale, [], since)).toMatchObject({ action: 'nothing', code: 'before-start' });
  });

  it('whose refund has no date counts from when the order was last touched', () => {
    const touched = { ...sale, updatedAt: '2026-11-27T10:00:00Z' };
    expect(give(refund('11.50'), touched, [], since).code).toBe('invoiced-elsewhere');
    expect(give(refund('11.50'), sale, [], since).code).toBe('before-start');
  });

  it('under an access key of its own: the last day counts from the day in the key', () => {
    const foreign = { ...sale, accessKeys: ['1809202601179214673900110010010000001231234567813'] };
    const action = give(refund('11.50', [shirt]), foreign);
    expect(action).toMatchObject({ action: 'manual', code: 'invoiced-elsewhere' });
    expect(action.reason).not.toContain('anular');
    const fresh = { ...sale, accessKeys: ['1811202601179214673900110010010000001231234567813'] };
    expect(give(refund('11.50', [shirt]), fresh).reason).toContain('hasta el 7 de diciembre de 2026');
  });
});

describe('a refund the shop deleted', () => {
  const first = refund('11.50', [shirt], { id: '1' });
  const done = credited(sale, first, [authorized(sale)]);

  it.each(['held', 'ready', 'manual', 'rejected'] as const)(
    'while its nota de crédito was %s drops it',
    (state) => {
      const [action] = refundActions(sale, [authorized(sale), { ...done, state, sent: null }]);
      expect(action).toMatchObject({ action: 'nothing', code: 'refund-deleted' });
    },
  );
});

describe('an order edited after its factura', () => {
  it.each([
    ['a line was removed', order({ lines: sale.lines.slice(0, 1), charges: sale.charges }), '8.00'],
    [
      'a price was lowered',
      order({
        lines: [line({ quantity: '3', price: '9.00' }), ...sale.lines.slice(1)],
        charges: sale.charges,
      }),
      '3.45',
    ],
  ])(
    'to less (%s) is reported, until the money is refunded or the order is restored',
    (_what, less, money) => {
      const [, reported] = actions(less, [authorized(sale)]);
      expect([reported?.action, reported?.code, reported?.reason]).toEqual([
        'manual',
        'edited-after-invoice',
        `El pedido se editó después de la factura 001-001-000000123 y suma ahora ${less.total}: la factura dice ${money} más. Devuelva el pedido en la tienda a lo que se cobró; si ese dinero se devolvió, registre después su reembolso, del que sale la nota de crédito.`,
      ]);
      const back = { ...less, refunds: [refund(money)] };
      expect(actions(back, [authorized(sale)]).map(({ code }) => code)).not.toContain('edited-after-invoice');
      expect(actions(sale, [authorized(sale)])).toMatchObject([{ code: 'already-authorised' }]);
    },
  );

  it('to less is no more than what was refunded and then taken out', () => {
    const book = part('line:2', '8.00', '0.00');
    const less = order({ lines: sale.lines.slice(0, 1), charges: sale.charges });
    const codes = (refunds: Refund[], factura = authorized(sale)) =>
      actions({ ...less, refunds }, [factura]).map(({ code }) => code);
    expect(codes([refund('8.00', [book])])).not.toContain('edited-after-invoice');
    const netted = authorized({ ...sale, refunds: [refund('8.00', [book])] });
    expect(codes([refund('8.00', [book])], netted)).not.toContain('edited-after-invoice');
    expect(codes([refund('8.00', [part('line:1', '6.96', '1.04')])])).toContain('edited-after-invoice');
  });

  it.each(['unpaid', 'partially-paid', 'paid', 'cancelled'] as const)(
    'is reported while it is %s, and one that was not edited only where it is not paid',
    (settlement) => {
      const keeping = { ...store, policy: { ...store.policy, cancelledOrders: 'invoice' as const } };
      const said = (changed: Order) =>
        actions({ ...changed, settlement, status: 'on-hold' }, [authorized(sale)], { store: keeping });
      const more = order({
        lines: [...sale.lines, line({ id: '5', price: '20.00' })],
        charges: sale.charges,
      });
      expect(said(sale).map(({ code }) => code)).toEqual([
        'already-authorised',
        ...(settlement === 'unpaid' || settlement === 'partially-paid' ? ['unpaid-after-invoice'] : []),
      ]);
      expect(said(order({ lines: sale.lines }))[1]?.code).toBe('edited-after-invoice');
      expect(said(more)[1]?.code).toBe('edited-after-invoice');
      if (settlement !== 'paid')
        expect(said(more)[1]?.reason).toBe(
          'El pedido se editó después de la factura 001-001-000000123 y suma 23.00 más, que la tienda no registra como cobrados (estado «on-hold»). Cuando se cobren, emita a mano una factura complementaria por lo que se agregó; si no se van a cobrar, quite del pedido lo que se agregó.',
        );
    },
  );

  it('is not reported once its factura was annulled, or it was deleted for good', () => {
    const less = order({ lines: sale.lines });
    const annulled = authorized(sale, { annulledAt: '2026-11-19T00:00:00Z' });
    expect(actions(less, [annulled])).toMatchObject([{ code: 'document-annulled' }]);
    const deleted = { ...less, settlement: 'cancelled' as const, status: 'deleted' };
    expect(actions(deleted, [authorized(sale)])).toMatchObject([{ code: 'already-authorised' }]);
  });

  it('to nothing and cancelled is reported until all of it went back', () => {
    const cancelled = (...refunds: Refund[]) =>
      actions({ ...order({ lines: [], total: '0.00' }), settlement: 'cancelled', refunds }, [
        authorized(sale),
      ]);
    expect(cancelled()[1]?.code).toBe('edited-after-invoice');
    expect(cancelled(refund('47.50')).map(({ code }) => code)).toEqual(['already-authorised', 'refunded']);
  });

  it('that sold more instead of what was refunded asks for a factura of all of it', () => {
    const back = refund('8.00', [part('line:2', '8.00', '0.00')]);
    const other = line({ id: '5', price: '20.00' });
    const changed = order({ lines: [...sale.lines.slice(0, 1), other], charges: sale.charges });
    expect(actions({ ...changed, refunds: [back] }, [authorized(sale)])).toMatchObject([
      { code: 'already-authorised' },
      { code: 'edited-after-invoice', charged: '23.00' },
      { code: 'refunded' },
    ]);
  });

  it('that grew after what came back was taken out asks for a factura of the rest', () => {
    const back = refund('34.50', [part('line:1', '30.00', '4.50')]);
    const less = order({
      lines: [line({ id: '2', name: 'Libro', sku: 'LIB', price: '10.00', rate: '0' })],
      charges: sale.charges,
    });
    for (const factura of [authorized(sale), authorized({ ...sale, refunds: [back] })]) {
      const settlement = 'refunded';
      const said = actions({ ...less, settlement, refunds: [back] }, [factura]);
      expect(said[1]).toMatchObject({ code: 'edited-after-invoice', charged: '2.00' });
    }
  });

  it('to more of one row for another row of another rate needs documents by hand', () => {
    const three = line({ quantity: '3' });
    const four = order({ lines: [line({ quantity: '4' })] });
    const swapped = (other: { price: string; rate: string }) =>
      actions(four, [authorized(order({ lines: [three, line({ id: '2', name: 'Libro', ...other })] }))]).map(
        ({ code }) => code,
      );
    expect(swapped({ price: '11.50', rate: '0' })).toEqual(['already-authorised', 'edited-after-invoice']);
    expect(swapped({ price: '10.00', rate: '15' })).toEqual(['already-authorised']);
  });

  it('to less is reported where all that is left went back', () => {
    const less = order({ lines: sale.lines.slice(0, 1), charges: sale.charges });
    const back = { ...less, settlement: 'refunded' as const, refunds: [refund(less.total)] };
    expect(actions(back, [authorized(sale)]).map(({ code }) => code)).toContain('edited-after-invoice');
  });
});
