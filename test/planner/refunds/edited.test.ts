import { describe, expect, test } from 'vitest';
import type { Refund } from '../../../src/domain/order.ts';
import type { Action } from '../../../src/planner/action.ts';
import { plan } from '../../../src/planner/plan.ts';
import {
  addItem,
  documented,
  type Ledger,
  newLedger,
  newShop,
  orderOf,
  readAndSend,
  record,
  type Shop,
  see,
  sendAll,
  takeOut,
} from '../../oracle/edited-shop.ts';
import { noon } from '../../support/orders.ts';

/*
 * A Shopify order that was edited after it was paid: what came out was worth more than what went in, and the shop owes the buyer
 * the rest. Cents.
 */

const shoe = { price: 11_500, units: 1, code: 4 } as const;
const cheap = { price: 6_900, units: 1, code: 4 } as const;

/** Something is sold, and exchanged for something that costs less. */
function exchanged(shop: Shop): void {
  const [first] = shop.items;
  if (first) first.current = 0;
  addItem(shop, cheap);
}

function sold(...items: Parameters<typeof addItem>[1][]): Shop {
  const shop = newShop();
  for (const item of items) addItem(shop, item);
  shop.received = items.reduce((all, { price, units }) => all + price * units, 0);
  return shop;
}

type Item = Shop['items'][0];
/** Its money has not arrived yet. */
const pending = (refund: Refund): Refund => ({ ...refund, amount: '0.00', pending: refund.amount ?? '0.00' });

const codes = (actions: readonly Action[]): string[] => actions.map(({ code }) => code);

describe('115.00 are exchanged for 69.00, and 46.00 go back', () => {
  const steps = {
    edit: exchanged,
    record: (shop: Shop) => record(shop, 0, [{ item: shop.items[0] as Shop['items'][0], units: 1 }]),
    money: (shop: Shop) => record(shop, 4_600),
    read: (shop: Shop, ledger: Ledger) => void readAndSend(shop, ledger),
    see: (shop: Shop, ledger: Ledger) => void see(shop, ledger),
  };
  type Step = keyof typeof steps;

  test.each<[Step[], number, string[]]>([
    [['edit', 'read', 'money', 'read'], 1, ['already-authorised', 'outside-factura']],
    [['edit', 'record', 'read', 'money', 'read'], 1, ['already-authorised', 'netted', 'outside-factura']],
    [['edit', 'money', 'read'], 1, ['already-authorised', 'netted']],
    [['see', 'edit', 'money', 'read'], 1, ['already-authorised', 'netted']],
    [['read', 'edit', 'read', 'money', 'read'], 2, ['already-authorised', 'already-authorised']],
    [['read', 'edit', 'money', 'read'], 2, ['already-authorised', 'already-authorised']],
  ])('%j: documents of 69.00', (all, count, said) => {
    const shop = sold(shoe);
    const ledger = newLedger();
    for (const step of all) steps[step](shop, ledger);
    expect(documented(ledger.documents)).toBe(6_900);
    expect(ledger.documents).toHaveLength(count);
    expect(codes(readAndSend(shop, ledger))).toEqual(said);
  });

  test('the factura says what it leaves out, and what is still owed', () => {
    const shop = sold(shoe);
    exchanged(shop);
    expect(planned(shop)).toBe(
      'El pedido se editó después de pagado: se recibieron 115.00 y se factura por los 69.00 que vale ahora; quedan 46.00 por devolver al comprador, que no se facturan.',
    );
    record(shop, 4_600);
    expect(planned(shop)).toBe(
      'El pedido se editó después de pagado: se recibieron 115.00 y se factura por los 69.00 que vale ahora; los otros 46.00 ya se devolvieron.',
    );
  });
});

describe('what was owed when the factura was sent', () => {
  test('and what came back before it count for nothing of what is added later', () => {
    const shop = sold(shoe);
    const ledger = newLedger();
    exchanged(shop);
    const book = addItem(shop, { price: 2_000, units: 1, code: 4 });
    shop.received += 2_000;
    Object.assign(shop, { goodwill: 2_000, fallsByGoodwill: false });
    record(shop, 6_600, [], -6_600);
    book.current = 0;
    record(shop, 2_000, [{ item: book, units: 1 }]);
    readAndSend(shop, ledger);
    addItem(shop, { price: 2_000, units: 1, code: 4 });
    shop.received += 2_000;
    const [, added] = readAndSend(shop, ledger);
    expect(added).toMatchObject({ code: 'edited-after-invoice', charged: '20.00' });
  });

  test('is not taken off a return of what the factura states', () => {
    const shop = sold(shoe);
    const ledger = newLedger();
    exchanged(shop);
    readAndSend(shop, ledger);
    const item = shop.items[1] as Shop['items'][0];
    item.current = 0;
    record(shop, 6_900, [{ item, units: 1 }]);
    readAndSend(shop, ledger);
    expect(documented(ledger.documents)).toBe(0);
    record(shop, 4_600);
    expect(codes(readAndSend(shop, ledger))).toEqual([
      'already-authorised',
      'already-authorised',
      'outside-factura',
    ]);
  });
});

describe('a webhook whose refunds do not say how much an edited order was paid for', () => {
  /** A person is asked before there is a factura. */
  function expectAsked(shop: Shop, code: string): void {
    const [factura] = sendAll(orderOf(shop), newLedger());
    expect([factura?.action, factura?.code]).toEqual(['hold', code]);
    expect(factura?.reason).toContain('no permite saber si se quitó al editarlo o se devolvió');
  }

  test('because the money went back in another currency, is for a person', () => {
    const shop = Object.assign(sold(shoe), { saysReceived: false, isForeign: true });
    exchanged(shop);
    record(shop, 4_600);
    expectAsked(shop, 'refund-contradiction');
  });

  test('because all that is known of it went back and something is still sold, is for a person', () => {
    const shop = Object.assign(sold({ price: 5_000, units: 2, code: 4 }), { saysReceived: false });
    const [two] = shop.items as [Item];
    const shipping = addItem(shop, { price: 10_000, units: 1, code: 4 }, true);
    Object.assign(shop, { received: 20_000, totalKeepsShipping: false });
    takeOut(shipping, 1);
    two.current = 0;
    addItem(shop, { price: 5_000, units: 1, code: 4 });
    record(shop, 5_000, [{ item: two, units: 2 }]);
    record(shop, 10_000);
    expectAsked(shop, 'refund-contradiction');
  });

  test('says nothing of an edit after its factura: its refund is for a person', () => {
    const shop = Object.assign(sold(shoe), { saysReceived: false });
    const ledger = newLedger();
    readAndSend(shop, ledger);
    exchanged(shop);
    record(shop, 4_600);
    Object.assign(shop, { isForeign: true });
    expect(codes(readAndSend(shop, ledger))).toEqual(['already-authorised', 'refund-contradiction']);
  });
});

describe('a refund of an edited order whose money is on its way when the factura is sent', () => {
  test('is not credited when the money arrives: its units are not on the factura', () => {
    const book = { price: 3_000, units: 2, code: 0 } as const;
    const shop = sold({ price: 4_600, units: 1, code: 4 }, book);
    const ledger = newLedger();
    const [first, books] = shop.items as [Item, Item];
    first.current = 0;
    addItem(shop, { price: 4_600, units: 1, code: 4 });
    books.current = 1;
    record(shop, 3_000, [{ item: books, units: 1 }]);
    const waiting = { ...orderOf(shop), refunds: orderOf(shop).refunds.map(pending) };
    sendAll(waiting, ledger);
    expect(documented(ledger.documents)).toBe(7_600);
    expect(codes(readAndSend(shop, ledger))).toEqual(['already-authorised', 'netted']);
    expect(documented(ledger.documents)).toBe(7_600);
  });
});

describe('an order that was exchanged and then cancelled with its money kept', () => {
  test.each([['before'], ['after']])('is for a person %s its factura', (when) => {
    const shop = sold({ price: 4_600, units: 1, code: 4 });
    const ledger = newLedger();
    (shop.items[0] as Item).current = 0;
    const other = addItem(shop, { price: 4_600, units: 1, code: 4 });
    if (when === 'after') readAndSend(shop, ledger);
    other.current = 0;
    record(shop, 0, [{ item: other, units: 1 }]);
    const cancelled = { ...orderOf(shop), settlement: 'cancelled' as const, status: 'paid, cancelled' };
    const asked = sendAll(cancelled, ledger).find(({ code }) => code === 'cancelled-kept');
    expect(asked?.reason).toContain('quedan 46.00 cobrados');
  });
});

describe('an order of which an edit left less than its money', () => {
  const policy = (cancelledOrders: 'hold' | 'invoice' | 'nothing'): Ledger => {
    const { store, ...ledger } = newLedger();
    return { ...ledger, store: { ...store, policy: { ...store.policy, cancelledOrders } } };
  };
  const first = (shop: Shop, ledger = newLedger(), changes = {}) =>
    sendAll({ ...orderOf(shop), ...changes }, ledger)[0];

  test('at all is no free order: its money is owed, until it is back', () => {
    const shop = sold(shoe);
    exchanged(shop);
    takeOut(shop.items[1] as Item, 1);
    expect(first(shop)).toMatchObject({ action: 'hold', code: 'cancelled-kept' });
    expect(first(shop)?.reason).toBe(
      'Al pedido se le quitó todo al editarlo después de pagado, y quedan 115.00 por devolver al comprador. Devuelva ese dinero en la tienda, con lo que no lleva factura; si la venta sigue en pie, agregue de nuevo al pedido lo que se vendió.',
    );
    expect(first(shop, policy('nothing'))).toMatchObject({ action: 'nothing', code: 'no-money' });
    expect(first(shop, policy('nothing'))?.reason).toContain('quedan 115.00 por devolver');
    record(shop, 11_500);
    expect(first(shop)?.code).toBe('fully-refunded');
  });

  test('and that was cancelled is invoiced by policy once what is owed is back', () => {
    const shop = sold({ price: 4_600, units: 1, code: 4 });
    takeOut(shop.items[0] as Item, 1);
    const other = addItem(shop, { price: 2_300, units: 2, code: 4 });
    takeOut(other, 1);
    const cancelled = { settlement: 'cancelled', status: 'paid, cancelled' };
    expect(first(shop, policy('hold'), cancelled)?.reason).toContain('quedan 46.00 cobrados');
    expect(first(shop, policy('invoice'), cancelled)).toMatchObject({
      action: 'hold',
      code: 'cancelled-kept',
    });
    expect(first(shop, policy('invoice'), cancelled)?.reason).toContain(
      'de lo cobrado quedan 23.00 que no son de nada que venda',
    );
    record(shop, 2_300);
    const ledger = policy('invoice');
    first(shop, ledger, cancelled);
    expect(documented(ledger.documents)).toBe(2_300);
  });
});

describe('an even exchange after the factura', () => {
  const book = { price: 11_500, units: 1, code: 0 } as const;

  function evenly(): { shop: Shop; ledger: Ledger } {
    const shop = sold(shoe, book);
    const ledger = newLedger();
    readAndSend(shop, ledger);
    const item = shop.items[0] as Shop['items'][0];
    item.current = 0;
    record(shop, 0, [{ item, units: 1 }]);
    addItem(shop, shoe);
    return { shop, ledger };
  }

  test('leaves a record of lines that no later amount of the same sum is for', () => {
    const { shop, ledger } = evenly();
    readAndSend(shop, ledger);
    record(shop, 11_500);
    const asked = readAndSend(shop, ledger).find(({ action }) => action === 'hold');
    expect(asked?.code).toBe('refund-without-lines');
    expect(asked?.reason).toContain(
      'El pedido se editó después de pagado, y la tienda no dice si ese dinero es de lo que se quitó. Decida en policy.creditNotes.amountOnly',
    );
  });

  test('under the rate of what left needs nothing, whatever else is on the factura', () => {
    const { shop, ledger } = evenly();
    expect(codes(readAndSend(shop, ledger))).toEqual(['already-authorised', 'no-money']);
  });
});

describe('something exchanged for another rate after the factura', () => {
  const book = { price: 11_500, units: 1, code: 0 } as const;

  /** The book goes for a shoe, beside another shoe. */
  function forAnother(price = 11_500): { shop: Shop; ledger: Ledger; gone: Item } {
    const shop = sold(shoe, book);
    const ledger = newLedger();
    readAndSend(shop, ledger);
    const gone = shop.items[1] as Item;
    gone.current = 0;
    addItem(shop, { price, units: 1, code: 4 });
    return { shop, ledger, gone };
  }
  const reason = (all: readonly Action[]) => all.find(({ code }) => code === 'edited-after-invoice')?.reason;
  const byHand = (money: string, sum: string) =>
    `El pedido se editó después de la factura 001-001-000000123: «Producto 3» se pagó con ${money} de lo que se quitó, y no todo lleva la misma tarifa de IVA. Emita a mano una nota de crédito por esos ${money} de lo que se quitó y una factura por los ${sum} de lo que se agregó.`;

  test.each([
    ['names nothing', 0, 'refund-without-lines'],
    ['names what left', 1, 'already-authorised'],
  ])('leaves a refund of the rest that %s to its own nota de crédito', (_what, units, code) => {
    const { shop, ledger, gone } = forAnother(6_900);
    record(shop, 4_600, units ? [{ item: gone, units }] : []);
    const said = readAndSend(shop, ledger);
    expect(reason(said)).toBe(
      `${byHand('69.00', '69.00')} Lo que devolvió el reembolso 11 va aparte, en su propia nota de crédito: no lo incluya en esta.`,
    );
    expect(codes(said)).toContain(code);
  });

  test.each([
    ['alone', [2]],
    ['with all the rest', [0, 2]],
  ])('and that came back %s is credited by hand: it is on no factura', (_what, which) => {
    const { shop, ledger } = forAnother();
    const lines = which.map((at) => ({ item: shop.items[at] as Item, units: 1 }));
    for (const { item } of lines) item.current = 0;
    record(shop, 11_500 * lines.length, lines);
    const said = readAndSend(shop, ledger);
    expect(reason(said)).toBeUndefined();
    expect(codes(said)).toContain('refund-not-invoiced');
    expect(said.at(-1)?.reason.includes('Lo demás de este reembolso')).toBe(lines.length > 1);
    expect(documented(ledger.documents)).toBe(23_000);
  });

  test('is also by hand where the rate that came back is on the factura for another thing', () => {
    const { shop, ledger } = forAnother();
    const added = shop.items[2] as Item;
    record(shop, 11_500, [{ item: added, units: 1 }]);
    const woo = { ...orderOf(shop), platform: 'woocommerce', total: '230.00' };
    delete woo.overpaid;
    expect(codes(sendAll(woo, ledger))).toContain('refund-not-invoiced');
  });
});

describe('an amount for what an edit took out', () => {
  const book = { price: 5_000, units: 1, code: 0 } as const;
  const hat = { price: 3_000, units: 1, code: 4 } as const;

  /** The hat is paid after the factura and taken out again. */
  function hatOut(): { shop: Shop; ledger: Ledger } {
    const shop = sold(shoe, cheap);
    const ledger = newLedger();
    readAndSend(shop, ledger);
    const added = addItem(shop, hat);
    shop.received += 3_000;
    expect(codes(readAndSend(shop, ledger))).toContain('edited-after-invoice');
    takeOut(added, 1);
    expect(codes(readAndSend(shop, ledger))).toEqual(['already-authorised']);
    return { shop, ledger };
  }

  test.each([
    ['all', 3_000],
    ['a part', 2_000],
    ['more than', 4_000],
  ])('that the factura does not state credits nothing: %s of it goes back', (_what, money) => {
    const { shop, ledger } = hatOut();
    record(shop, money);
    const said = readAndSend(shop, ledger);
    expect(codes(said)).toEqual(['already-authorised', 'refund-not-invoiced']);
    expect(said[1]?.reason).toContain('«Producto 3», que se agregó al pedido después de la factura');
    expect(documented(ledger.documents)).toBe(18_400);
  });

  test('leaves what comes back later to the factura', () => {
    const { shop, ledger } = hatOut();
    record(shop, 3_000);
    record(shop, 1_150, [], -1_150);
    readAndSend(shop, ledger);
    expect(documented(ledger.documents)).toBe(17_250);
  });

  test.each([['before'], ['after']])('is of the one removed thing of that worth, %s the factura', (when) => {
    const shop = sold(shoe, book);
    const shipping = addItem(shop, { price: 575, units: 1, code: 4 }, true);
    shop.received += 575;
    const ledger = newLedger();
    if (when === 'after') readAndSend(shop, ledger);
    takeOut(shipping, 1);
    takeOut(shop.items[1] as Item, 1);
    record(shop, 575);
    record(shop, 5_000);
    readAndSend(shop, ledger);
    expect(documented(ledger.documents)).toBe(11_500);
  });

  test('and of another worth asks for nothing that Shopify cannot do', () => {
    const shop = sold(shoe, book);
    const ledger = newLedger();
    readAndSend(shop, ledger);
    takeOut(shop.items[1] as Item, 1);
    record(shop, 4_000);
    const asked = readAndSend(shop, ledger).at(-1);
    expect(asked?.code).toBe('refund-without-lines');
    expect(asked?.reason).not.toContain('Registre en la tienda');
  });

  test('is for a person where what left and what came in for it were both taken out', () => {
    const shop = sold(shoe, { ...book, code: 4 });
    const ledger = newLedger();
    readAndSend(shop, ledger);
    takeOut(shop.items[1] as Item, 1);
    takeOut(addItem(shop, book), 1);
    record(shop, 5_000);
    expect(codes(readAndSend(shop, ledger))).toEqual(['already-authorised', 'refund-not-invoiced']);
  });
});

/** The reason of the factura. */
function planned(shop: Shop): string | undefined {
  const input = { documents: [], store: newLedger().store, invoiceFrom: new Date(0), now: noon };
  return plan({ ...input, order: orderOf(shop) })[0]?.reason;
}
