import { describe, expect, test } from 'vitest';
import { fingerprintOf, type Order } from '../../src/domain/order.ts';
import type { PlannedDocument, Relative } from '../../src/planner/action.ts';
import { soldTwice } from '../../src/planner/split-orders.ts';
import { authorized } from '../support/authorized.ts';
import { line, order } from '../support/orders.ts';
import { actions, refund, storeWith } from './refunds/shapes.ts';

const shirt = line({ id: '1', price: '60.00', sku: 'CAM', name: 'Camiseta' });
const book = line({ id: '2', price: '40.00', sku: 'LIB', name: 'Libro' });
const made = (id: string, lines: Order['lines'], more: Partial<Order> = {}): Order =>
  order({ id, name: `#${id}`, lines: lines.map((one) => ({ ...one, id: `${id}${one.id}` })), ...more });
const whole = made('1', [shirt, book]);
const ofShirt = made('2', [shirt], { parentId: '1' });
const ofBook = made('3', [book], { parentId: '1' });

type Seen = Partial<Pick<Relative, 'isInvoiced' | 'billed' | 'apartFrom'>>;
const seen = (one: Order, more: Seen = {}): Relative => ({
  ...one,
  isInvoiced: false,
  billed: null,
  ...more,
});
/** With a factura of what it sold when that was sent. */
const invoiced = (one: Order, sold = one): Relative =>
  seen(one, { isInvoiced: true, billed: authorized(sold).sent });

type Choice = 'hold' | 'parent' | 'children';
const choosing = (subOrders: Choice) => ({ ...storeWith(), policy: { ...storeWith().policy, subOrders } });
const said = (
  sold: Order,
  relatives: readonly (Order | Relative)[],
  subOrders: Choice = 'hold',
  documents: readonly PlannedDocument[] = [],
) => {
  const others = relatives.map((one) => ('billed' in one ? one : seen(one)));
  const [action] = actions(sold, documents, { relatives: others, store: choosing(subOrders) });
  return [action?.action, action?.code, action?.reason];
};
const code = (...given: Parameters<typeof said>) => said(...given)[1];
const reason = (...given: Parameters<typeof said>) => said(...given)[2];

const accept =
  'Solo si su total no es parte del de aquellos ni lo incluye, acéptelo con «facturapuente accept» y el id de este documento.';
const decide =
  'Si son la misma venta, facturarlos todos la declararía dos veces: decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).';

describe('an order whose lines others sell that were split from it', () => {
  test('is held until the merchant says which is invoiced', () => {
    expect(said(whole, [ofShirt, ofBook])).toEqual([
      ...['hold', 'sub-orders'],
      `Del pedido salieron otros que venden lo mismo (#2, #3). ${decide} ${accept}`,
    ]);
    expect(reason({ ...whole, hasSubOrders: true }, [])).toBe(
      `El pedido se dividió en otros, que venden lo mismo. ${decide} ${accept}`,
    );
  });

  test('is invoiced with policy.subOrders: parent, unless one of them was', () => {
    expect(code(whole, [ofShirt, ofBook], 'parent')).toBe('paid');
    expect(reason(whole, [invoiced(ofShirt), ofBook], 'parent')).toBe(
      `Del pedido salieron otros que venden lo mismo (#2, #3). #2 ya tiene su factura 001-001-000000123, y otra declararía la venta dos veces: ponga policy.subOrders en children, con lo que esta no lleva ninguna. ${accept}`,
    );
  });

  test('needs no document with policy.subOrders: children, if they charge all of it', () => {
    expect(code(whole, [ofShirt, ofBook], 'children')).toBe('invoiced-with-other');
    expect(reason(whole, [ofShirt], 'children')).toBe(
      `El pedido cobró 115.00 y los que salieron de él (#2) suman 69.00. Si falta alguno por leer, saldrá solo; si no, ponga policy.subOrders en parent. ${accept}`,
    );
    expect(reason({ ...whole, hasSubOrders: true }, [], 'children')).toBe(
      `El pedido se dividió en otros, de los que no se conoce ninguno sin cancelar, y por policy.subOrders se facturan ellos. Si falta alguno por leer, saldrá solo; si no, ponga policy.subOrders en parent. ${accept}`,
    );
  });

  test('that charges another sum than the facturas of those is for a person, whatever the policy', () => {
    for (const choice of ['hold', 'parent', 'children'] as const) {
      expect(reason(whole, [invoiced(ofShirt)], choice)).toBe(
        `El pedido cobró 115.00 y los que salieron de él (#2) suman 69.00. Si falta alguno por leer, saldrá solo; si no, emita a mano una factura por los 46.00 que faltan, menos lo que se devolvió. ${accept}`,
      );
      expect(reason(whole, [seen({ ...ofShirt, total: '126.50' }, { isInvoiced: true })], choice)).toBe(
        `El pedido cobró 115.00 y los que salieron de él (#2) suman 126.50. Si se cobró solo lo primero, emita a mano una nota de crédito por los 11.50 que sus facturas dicen de más. ${accept}`,
      );
    }
    const unpaid = { ...ofBook, settlement: 'unpaid' as const };
    expect(reason(whole, [invoiced(ofShirt), unpaid], 'parent')).toContain(
      'ponga policy.subOrders en children, con lo que se facturan también los demás.',
    );
    expect(reason(whole, [invoiced(ofShirt), unpaid], 'children')).not.toContain('parent');
  });

  test('waits for a person while one of them is not paid: nobody knows whether it will be', () => {
    expect(said(whole, [ofShirt, { ...ofBook, settlement: 'unpaid' }], 'children')).toEqual([
      ...['hold', 'sub-orders'],
      `Del pedido salieron otros que venden lo mismo y aún no están todos pagados (#3): cuando lo estén se facturan ellos y este no lleva factura. Si se cobraron con este, páselos en la tienda a un estado de pagado, o ponga policy.subOrders en parent. ${accept}`,
    ]);
  });

  test.each<[string, Order]>([
    ['sells something else', made('2', [line({ price: '60.00', sku: 'OTRO' })], { parentId: '1' })],
    ['is cancelled', { ...ofShirt, settlement: 'cancelled' }],
    ['renews a subscription', { ...ofShirt, paidApart: true }],
  ])('is invoiced as any order where the other %s', (_what, other) => {
    for (const choice of ['hold', 'parent', 'children'] as const)
      expect([code(whole, [other], choice), choice]).toEqual(['paid', choice]);
  });

  test('is not invoiced for the money it kept when it was cancelled, while one of them sells its lines', () => {
    const store = { ...choosing('children').policy, cancelledOrders: 'invoice' as const };
    const [action] = actions({ ...whole, settlement: 'cancelled' }, [], {
      relatives: [invoiced(ofShirt)],
      store: { ...choosing('children'), policy: store },
    });
    expect(action?.code).toBe('sub-orders');
  });
});

describe('an order that was split from another one', () => {
  test('is held by default, and invoiced or not as the merchant says', () => {
    expect(said(ofShirt, [whole])).toEqual([
      ...['hold', 'sub-orders'],
      `El pedido sale del pedido #1 y vende lo mismo. ${decide} ${accept}`,
    ]);
    expect(said(ofShirt, [whole], 'parent')).toEqual([
      ...['nothing', 'invoiced-with-other'],
      'Sus líneas se facturan con el pedido #1, del que sale.',
    ]);
    expect(code(ofShirt, [whole], 'children')).toBe('paid');
    expect(code(ofShirt, [invoiced(whole)], 'children')).toBe('sub-orders');
  });

  test('is not sent to a policy that would hold it as well', () => {
    const more = made('2', [shirt, line({ id: '8', price: '30.00', sku: 'OTRO' })], { parentId: '1' });
    const rest = made('2', [shirt], { parentId: '1', paidAt: '2026-11-25T15:00:00Z' });
    for (const choice of ['hold', 'parent', 'children'] as const) {
      expect(reason(more, [invoiced(whole)], choice)).toContain('Facture a mano lo que falte. ');
      expect(reason(rest, [invoiced(whole)], choice)).toContain('pero no se pagaron a la vez');
    }
  });

  test('sells what the factura of the other one billed, also where an edit took that out of it', () => {
    const left = { ...whole, lines: whole.lines.slice(0, 1), total: '69.00' };
    expect(reason(ofBook, [invoiced(left, whole)])).toBe(
      `El pedido sale del pedido #1 y vende lo mismo. #1 ya tiene su factura 001-001-000000123, y otra declararía la venta dos veces: ponga policy.subOrders en parent, con lo que esta no lleva ninguna. ${accept}`,
    );
    expect(code(ofBook, [invoiced(left, whole)], 'children')).toBe('sub-orders');
    expect(code(ofBook, [invoiced(left, whole)], 'parent')).toBe('invoiced-with-other');
    for (const choice of ['hold', 'parent', 'children'] as const)
      expect(code(ofBook, [invoiced(left)], choice)).toBe('paid');
  });

  test('is reported as invoiced twice beside a factura that billed it, unless a person said otherwise', () => {
    const left = { ...whole, lines: whole.lines.slice(0, 1), total: '69.00' };
    const fingerprint = { ...fingerprintOf(ofBook), apartFrom: ['1'] };
    const twice = (documents: readonly PlannedDocument[], other: Relative, one = ofBook) =>
      soldTwice(one, documents, [other])?.name;
    expect(twice([authorized(ofBook)], invoiced(left, whole))).toBe('#1');
    expect(twice([authorized(ofBook)], invoiced(whole), { ...ofBook, lines: [] })).toBe('#1');
    expect(twice([authorized(ofBook)], invoiced(left))).toBeUndefined();
    expect(twice([authorized(ofBook, { fingerprint })], invoiced(whole))).toBeUndefined();
  });

  test('does not sell again what left another one of the same order after its factura', () => {
    const emptied = invoiced({ ...ofBook, lines: [] }, ofBook);
    const again = { ...ofBook, id: '4', name: '#4' };
    expect(reason(again, [whole, emptied], 'children')).toBe(
      `El pedido vende lo que el pedido #3, dividido del mismo, ya no tiene y su factura 001-001-000000123 incluye: otra lo declararía dos veces. ${accept}`,
    );
    expect(code(again, [whole, invoiced(ofBook)], 'children')).toBe('paid');
    expect(code(again, [whole, { ...emptied, apartFrom: ['4'] }], 'children')).toBe('paid');
  });

  test('explains why the other one, whose factura billed it, sells less now', () => {
    const left = { ...whole, lines: whole.lines.slice(0, 1), total: '69.00' };
    const codesOf = (relatives: readonly Relative[]) =>
      actions(left, [authorized(whole)], { relatives }).map((one) => one.code);
    expect(codesOf([seen(ofBook)])).toEqual(['already-authorised']);
    const reduced = ['already-authorised', 'edited-after-invoice'];
    expect(codesOf([])).toEqual(reduced);
    expect(codesOf([seen(ofBook, { apartFrom: ['1'] })])).toEqual(reduced);
    expect(codesOf([seen({ ...ofBook, settlement: 'cancelled' })])).toEqual(reduced);
  });

  test.each([
    ['sells something that the other does not', [shirt, line({ id: '8', price: '30.00', sku: 'OTRO' })]],
    ['sells more units', [{ ...shirt, quantity: '2', subtotal: '120.00', net: '120.00', tax: '18.00' }]],
    ['sells it at another price', [line({ ...shirt, price: '12.00', subtotal: '12.00', net: '12.00' })]],
  ])('is held where it %s, although the other is invoiced', (_what, lines) => {
    const other = made('2', lines, { parentId: '1' });
    expect(reason(other, [whole], 'parent')).toBe(
      `El pedido, de ${other.total}, sale del pedido #1, de 115.00, y vende, además de lo de aquel, otras cosas, más unidades o a otro precio: no se sabe qué se factura con él. Facture a mano lo que falte, o ponga policy.subOrders en children. ${accept}`,
    );
    expect(code(other, [whole])).toBe('sub-orders');
  });

  test('is held where it and the others split with it sell more than the first order', () => {
    const again = { ...ofShirt, id: '4', name: '#4' };
    expect(reason(again, [whole, ofShirt], 'parent')).toContain(
      'y vende, junto con #2, además de lo de aquel',
    );
    expect(code(again, [whole, { ...ofShirt, settlement: 'cancelled' }], 'parent')).toBe(
      'invoiced-with-other',
    );
  });

  test.each<Choice>(['parent', 'children'])(
    'is held where the shop may have taken it out of the other one, and nobody knows which total was paid: %s',
    (choice) => {
      const units = (id: string, quantity: number, more: Partial<Order> = {}) =>
        made(
          id,
          [line({ id: '1', price: '60.00', sku: 'CAM', name: 'Camiseta', quantity: `${quantity}` })],
          more,
        );
      const [rest, one] = [units('1', 1), units('2', 1, { parentId: '1' })];
      const [invoicedOne, other] = choice === 'parent' ? [rest, one] : [one, rest];
      expect(code(invoicedOne, [other], choice)).toBe('paid');
      expect(reason(other, [invoicedOne], choice)).toBe(
        `El pedido, de 69.00, vende lo mismo que ${invoicedOne.name}, de 69.00, y la tienda no dice si un total incluye el otro o se cobraron los dos. Si lo incluye, este no necesita nada más. ${accept}`,
      );
      expect(reason(other, [invoiced(invoicedOne)])).toContain(
        'la tienda no dice si un total incluye el otro',
      );
      const [two, again] = [units('1', 2), units('3', 1, { parentId: '1' })];
      const parts = choice === 'parent' ? [one, two] : [two, one];
      expect(reason(parts[0] as Order, [parts[1] as Order], choice)).toContain('la tienda no dice');
      expect(code(parts[0] as Order, [parts[1] as Order, again], choice)).toMatch(/^invoiced-with/);
      const [left, right] =
        choice === 'parent'
          ? [one, seen({ ...rest, hasSubOrders: true })]
          : [{ ...rest, hasSubOrders: true as const }, seen(one)];
      expect(code(left, [right], choice)).toMatch(/^invoiced-with/);
    },
  );

  test('is known to be of the other one where its factura billed more units than it has left', () => {
    const [two, rest] = ['2', '1'].map((quantity) =>
      made('1', [line({ id: '1', price: '60.00', sku: 'CAM', name: 'Camiseta', quantity })]),
    ) as [Order, Order];
    expect(code(ofShirt, [invoiced(rest, two)], 'parent')).toBe('invoiced-with-other');
  });

  test('waits for a person while the other is not paid', () => {
    expect(said(ofShirt, [{ ...whole, settlement: 'unpaid' }], 'parent')).toEqual([
      ...['hold', 'sub-orders'],
      `El pedido sale del pedido #1, que vende lo mismo y aún no está pagado: cuando lo esté se factura aquel y este no lleva factura; si aquel se cancela, se factura este. ${accept}`,
    ]);
    expect(code(ofShirt, [{ ...whole, settlement: 'cancelled' }], 'parent')).toBe('paid');
  });

  test('has its refunds credited by hand where the other one is invoiced, also while it is held', () => {
    const back = { ...ofShirt, refunds: [refund('69.00')] };
    const at = { relatives: [seen(whole)] };
    const held: PlannedDocument = { ...authorized(ofShirt), state: 'held', sent: null, secuencial: null };
    for (const documents of [[], [held]]) {
      const [, credit] = actions(back, documents, { ...at, store: choosing('parent') });
      expect([credit?.action, credit?.code, credit?.reason]).toEqual([
        ...['manual', 'refund-of-split-order'],
        'El reembolso 48 devolvió 69.00. Sus líneas se facturan con el pedido #1, del que sale. Si es de lo que esa factura vende y no está también allí, registre allí el reembolso, sin devolver otra vez el dinero, y sale su nota de crédito; si no, no hay nada que hacer.',
      ]);
      const [, waiting] = actions(back, documents, { ...at, store: choosing('hold') });
      expect([waiting?.action, waiting?.reason]).toEqual([
        'wait',
        'El reembolso 48 devolvió 69.00 de un pedido del que aún no se sabe si se factura con otro: se resuelve cuando eso se decida.',
      ]);
    }
  });

  test('is not sold a second time because it was cancelled with its money kept', () => {
    const store = choosing('parent');
    const policy = { ...store.policy, cancelledOrders: 'invoice' as const };
    const cancelled = { ...ofShirt, settlement: 'cancelled' as const };
    const more = { relatives: [invoiced(whole)], store: { ...store, policy } };
    expect(actions(cancelled, [], more)[0]).toMatchObject({
      action: 'nothing',
      code: 'invoiced-with-other',
    });
    const [, credit] = actions({ ...cancelled, refunds: [refund('69.00')] }, [], more);
    expect(credit?.code).toBe('refund-of-split-order');
  });
});

const backOf = (one: Order): Order => ({ ...one, settlement: 'refunded', refunds: [refund(one.total)] });
const marked = { ...whole, hasSubOrders: true as const };
const codesOf = (one: Order, relatives: readonly Order[], choice: Choice): string[] => {
  const more = { relatives: relatives.map((other) => seen(other)), store: choosing(choice) };
  return actions(one, [], more).map((action) => `${action.action} ${action.code}`);
};

describe('a split order whose money all went back before there was a factura', () => {
  const none = ['nothing fully-refunded', 'nothing fully-refunded'];

  test.each<Choice>(['hold', 'parent', 'children'])('needs no document on either side: %s', (choice) => {
    const all = [marked, ofShirt, ofBook].map(backOf);
    for (const one of all)
      expect(
        codesOf(
          one,
          all.filter((other) => other !== one),
          choice,
        ),
      ).toEqual(none);
  });

  test('takes with it the order that would be invoiced with it', () => {
    expect(said(ofShirt, [backOf(marked)], 'parent')).toEqual([
      ...['nothing', 'fully-refunded'],
      'El pedido vende lo mismo que #1, que se devolvió por completo antes de facturarse: no lleva factura.',
    ]);
    expect(codesOf(marked, [backOf(ofShirt), backOf(ofBook)], 'children')).toEqual(none.slice(0, 1));
    expect(codesOf(backOf(marked), [backOf(ofShirt), ofBook], 'children')).toEqual([
      'nothing invoiced-with-other',
      'manual refund-of-split-order',
    ]);
    expect(codesOf(backOf(ofShirt), [marked], 'parent')).toEqual([
      'nothing invoiced-with-other',
      'manual refund-of-split-order',
    ]);
  });
});

describe.each<Choice>(['hold', 'parent', 'children'])('a split order that was cancelled: %s', (choice) => {
  const dead = (one: Order): Order => ({ ...one, settlement: 'cancelled', status: 'cancelled' });
  const [top, one, two] = [marked, ofShirt, ofBook].map(dead) as [Order, Order, Order];

  test('is asked about once, where the money was paid', () => {
    expect(reason(top, [one, two], choice)).toContain('quedan 115.00 cobrados');
    expect(said(one, [top, two], choice)).toEqual([
      ...['nothing', 'cancelled'],
      'El pedido está cancelado, y lo que se cobró es del pedido #1, del que sale: se decide en aquel.',
    ]);
  });

  test('is not asked about once that money went back, on whichever side', () => {
    const back = { ...top, refunds: [refund('115.00')] };
    expect(codesOf(back, [one, two], choice)).toEqual(['nothing fully-refunded', 'nothing fully-refunded']);
    expect(code(one, [back, two], choice)).toBe('cancelled');
    const others = [one, two].map((part) => ({ ...part, refunds: [refund(part.total)] }));
    expect(code(top, others, choice)).toBe('fully-refunded');
    expect(codesOf({ ...top, refunds: [refund('46.00')] }, [one, two], choice)[0]).toBe(
      'hold cancelled-kept',
    );
  });

  test('keeps no money that those invoiced for it have', () => {
    expect(code(top, [invoiced(ofShirt), ofBook], choice)).toBe('invoiced-with-other');
    expect(reason(top, [ofShirt, two], choice)).toBe(
      'El pedido está cancelado y quedan 46.00 cobrados, además de lo de los pedidos que salieron de él (#2). Devuelva ese dinero en la tienda, o emita a mano el documento por lo que se queda.',
    );
    expect(code({ ...top, refunds: [refund('46.00')] }, [ofShirt, two], choice)).toBe('invoiced-with-other');
  });

  test('has its own money where it was paid apart, sells more or lost the other one', () => {
    const kept = 'quedan 69.00 cobrados';
    expect(reason(one, [{ ...top, status: 'trash', thrownAway: true } as never], choice)).toContain(kept);
    expect(reason({ ...one, paidApart: true }, [top], choice)).toContain(kept);
    expect(reason({ ...one, total: '690.00', payments: [] }, [top], choice)).toContain(
      'quedan 690.00 cobrados',
    );
    expect(reason({ ...one, paidAt: '2026-11-20T18:00:00Z' }, [dead(whole)], choice)).toContain(kept);
    const half = dead(made('1', [shirt]));
    expect(reason(one, [half], choice)).toContain(kept);
    expect(reason(half, [ofShirt], choice)).toContain(kept);
  });
});

describe('orders of the same things that were not paid at once', () => {
  const later = made('2', [shirt, book], { parentId: '1', paidAt: '2026-11-25T15:00:00Z' });

  test('are not taken for one sale by policy: they may be a deposit and its rest', () => {
    expect(said(later, [whole], 'parent')).toEqual([
      ...['hold', 'sub-orders'],
      `El pedido sale del pedido #1 y vende lo mismo, pero no se pagaron a la vez (#2: 25/11/2026 a las 10:00:00; #1: 20/11/2026 a las 05:00:05): si es la misma venta, se factura con aquel y este no necesita nada más. ${accept}`,
    ]);
    expect(said(whole, [later], 'children')).toEqual([
      ...['hold', 'sub-orders'],
      `Del pedido salieron otros que venden lo mismo (#2), pero no se pagaron a la vez (#1: 20/11/2026 a las 05:00:05; #2: 25/11/2026 a las 10:00:00): si son la misma venta, se facturan aquellos y este no necesita nada más. ${accept}`,
    ]);
  });

  test('unless a plugin says that it split the order', () => {
    const marked = { ...whole, hasSubOrders: true as const };
    expect(code(later, [marked], 'parent')).toBe('invoiced-with-other');
    expect(code(marked, [later], 'children')).toBe('invoiced-with-other');
  });

  test('are not taken for invoiced here where one was paid before the first day', () => {
    const marked = seen({ ...whole, hasSubOrders: true });
    const more = { store: choosing('parent'), invoiceFrom: new Date('2026-11-22T05:00:00Z') };
    const [action] = actions(later, [], { ...more, relatives: [marked] });
    expect([action?.code, action?.reason]).toEqual([
      'sub-orders',
      `El pedido vende lo mismo que #1, que se pagó antes de la fecha desde la que se factura (invoiceFrom) y no se factura aquí: si aquello ya tiene su factura, este no necesita nada más. ${accept}`,
    ]);
    const [beside] = actions(later, [], { ...more, relatives: [{ ...marked, isInvoiced: true }] });
    expect(beside?.code).toBe('invoiced-with-other');
  });

  test('are each invoiced once a person said that one was paid apart from the other', () => {
    const held = authorized(later, { state: 'held', sent: null, secuencial: null });
    const fingerprint = { ...fingerprintOf(later), apartFrom: ['1'] };
    for (const choice of ['hold', 'parent', 'children'] as const) {
      expect(code(later, [invoiced(whole)], choice, [{ ...held, fingerprint }])).toBe('paid');
      expect(code(whole, [seen(later, { apartFrom: ['1'] })], choice)).toBe('paid');
    }
    const third = made('4', [shirt], { parentId: '1' });
    expect(code(whole, [seen(later, { apartFrom: ['1'] }), third])).toBe('sub-orders');
  });
});

describe('a sub-order that was split again', () => {
  const part = made('2', [shirt, book], { parentId: '1' });
  const top = made('1', [shirt, book, line({ id: '3', price: '20.00', sku: 'GOR', name: 'Gorra' })]);
  const cap = made('5', [line({ id: '3', price: '20.00', sku: 'GOR', name: 'Gorra' })], { parentId: '1' });
  const lowest = [made('3', [shirt], { parentId: '2' }), made('4', [book], { parentId: '2' })] as const;
  const all = [top, part, ...lowest, cap];
  const codes = (tree: readonly Order[], choice: Choice) =>
    tree.map((one) =>
      code(
        one,
        tree.filter((other) => other !== one),
        choice,
      ),
    );

  test('is invoiced with the topmost order, or with the lowest ones', () => {
    const within = 'invoiced-with-other';
    expect(codes(all, 'parent')).toEqual(['paid', within, within, within, within]);
    const replaced = 'invoiced-with-other';
    expect(codes(all, 'children')).toEqual([replaced, replaced, 'paid', 'paid', 'paid']);
    expect(codes(all, 'hold')).toEqual(all.map(() => 'sub-orders'));
  });

  test('counts through an order between that was cancelled', () => {
    const tree = all.map((one) => (one === part ? { ...one, settlement: 'cancelled' as const } : one));
    expect(codes(tree, 'parent')).toEqual(['paid', ...Array(4).fill('invoiced-with-other')]);
    expect(code(top, [...lowest.map((one) => invoiced(one)), tree[1] as Order, cap], 'parent')).toBe(
      'sub-orders',
    );
    expect(codes(tree, 'children').slice(0, 1)).toEqual(['invoiced-with-other']);
  });
});
