import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlannedDocument } from '../../src/planner/action.ts';
import { draws, whole } from '../support/chance.ts';
import {
  addItem,
  balance,
  type Code,
  documented,
  kept,
  type Ledger,
  pick,
  readAndSend,
  record,
  type Shop,
  see,
  takeOut,
  worthOf,
} from './edited-shop.ts';
import { said, sumOf } from './judge.ts';
import { store as demo } from './store.ts';

/*
 * Lives of a Shopify order that is edited: things come out and others in, the buyer pays or gets back the difference, sends
 * things back, and the order is read whenever. In the end the documents state what the shop keeps, or a person was asked.
 */

const lives = draws(3_000, 1_000_000);

const moves = [
  'remove',
  'add',
  'swap',
  'pay',
  'give-back',
  'give-back',
  'give-some',
  'return',
  'return',
  'two-records',
  'exchange',
  'goodwill',
  'cancel',
  'reopen',
  'read',
  'read',
  'see',
] as const;

const move = fc.record({
  what: fc.constantFrom(...moves),
  which: fc.nat(7),
  units: fc.integer({ min: 1, max: 3 }),
  price: fc.oneof(fc.constantFrom(1_150, 2_300, 4_600, 6_900, 11_500), fc.integer({ min: 50, max: 20_000 })),
  code: fc.constantFrom<Code>(4, 4, 0),
  /** A record of the lines that an edit takes out, without money. */
  isRecorded: fc.boolean(),
});
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

const life = fc.record({
  lines: fc.array(
    fc.record({
      price: fc.integer({ min: 50, max: 20_000 }),
      units: fc.integer({ min: 1, max: 3 }),
      code: fc.constantFrom<Code>(4, 4, 0),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  oneRate: fc.boolean(),
  fallsByGoodwill: fc.boolean(),
  saysReceived: fc.boolean(),
  totalKeepsShipping: fc.boolean(),
  isForeign: fc.constantFrom(false, false, true),
  shipping: fc.option(
    fc.record({ price: fc.integer({ min: 50, max: 2_000 }), code: fc.constantFrom<Code>(4, 0) }),
  ),
  takesCurrent: fc.boolean(),
  cancelled: fc.constantFrom('hold' as const, 'invoice' as const),
  leavesOwed: fc.constantFrom(false, false, true),
  moves: fc.array(move, { minLength: 1, maxLength: 7 }),
});
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

/** What cannot happen does not. */
function happens(shop: Shop, one: Move): void {
  const item = pick(shop, one.which);
  const units = Math.min(one.units, item?.current ?? 0);
  const owed = balance(shop);
  switch (one.what) {
    case 'remove':
    case 'swap':
      if (!item || item.unit * units > kept(shop)) return;
      takeOut(item, units);
      if (one.isRecorded && !item.isShipping) record(shop, 0, [{ item, units }]);
      if (one.what === 'swap') addItem(shop, one);
      shop.isEdited = true;
      return;
    case 'add':
      addItem(shop, one);
      shop.isEdited = true;
      return;
    case 'pay':
      if (owed >= 0) return;
      shop.received -= owed;
      return;
    case 'give-back':
    case 'give-some': {
      if (owed <= 0) return;
      record(shop, one.what === 'give-back' ? owed : Math.ceil(owed / 2));
      return;
    }
    case 'return':
    case 'two-records': {
      const money = (item?.unit ?? 0) * units;
      if (!item || owed < 0 || money > kept(shop)) return;
      item.current -= units;
      if (one.what === 'return') record(shop, money, [{ item, units }]);
      else {
        record(shop, 0, [{ item, units }], money);
        record(shop, money, [], -money);
      }
      return;
    }
    case 'exchange': {
      if (!item || owed < 0 || one.price >= item.unit * units || item.unit * units > kept(shop)) return;
      item.current -= units;
      addItem(shop, { ...one, units: 1 });
      record(shop, item.unit * units - one.price, [{ item, units }]);
      shop.isEdited = true;
      return;
    }
    case 'cancel':
    case 'reopen':
      shop.isCancelled = one.what === 'cancel';
      return;
    case 'goodwill': {
      const money = Math.min(one.price, Math.floor(kept(shop) / 2));
      if (owed !== 0 || money <= 0) return;
      shop.goodwill += money;
      record(shop, money, [], -money);
      return;
    }
    default:
  }
}

interface Outcome {
  end: 'equal' | 'asked' | 'nothing';
  codes: string[];
  isEdited: boolean;
}

function lived({
  lines,
  oneRate,
  fallsByGoodwill,
  saysReceived,
  totalKeepsShipping,
  isForeign,
  shipping,
  leavesOwed,
  takesCurrent,
  cancelled: cancelledOrders,
  moves: all,
}: Life): Outcome {
  const shop: Shop = {
    ...{ items: [], received: 0, backs: [], goodwill: 0, fallsByGoodwill, saysReceived },
    ...{ totalKeepsShipping, isForeign, isCancelled: false, isEdited: false },
  };
  const rated = <One extends { code: Code }>(one: One): One => (oneRate ? { ...one, code: 4 } : one);
  for (const line of lines) addItem(shop, rated(line));
  if (shipping) addItem(shop, { ...rated(shipping), units: 1 }, true);
  shop.received = worthOf(shop);
  const changedAfterPayment = takesCurrent ? 'current' : 'hold';
  const documents: PlannedDocument[] = [];
  const ledger: Ledger = {
    documents,
    known: undefined,
    store: { ...demo, policy: { ...demo.policy, changedAfterPayment, cancelledOrders } },
  };
  for (const one of all) {
    happens(shop, rated(one));
    if (one.what === 'see') see(shop, ledger);
    if (one.what === 'read') readAndSend(shop, ledger);
  }
  if (balance(shop) < 0) shop.received -= balance(shop);
  if (balance(shop) > 0 && !leavesOwed) record(shop, balance(shop));
  const actions = readAndSend(shop, ledger);
  const asking = actions.filter(({ action }) => ['hold', 'manual', 'wait'].includes(action));
  const codes = asking.map(({ code }) => code);
  if (asking.length > 0) return { end: 'asked', codes, isEdited: shop.isEdited };
  // What is still owed may be on a document until it goes back.
  const unclear = balance(shop);
  const over = documented(documents) - kept(shop);
  const off = over > 0 ? Math.max(0, over - unclear) : over;
  const credits = documents.filter(({ kind }) => kind === 'nota-credito').length;
  if (Math.abs(off) > Math.min(credits, 1))
    throw new Error(
      `documents of ${documented(documents)}, the shop keeps ${kept(shop)}: ${actions.map(({ code, reason }) => `${code}: ${reason}`).join('; ')}`,
    );
  if (balance(shop) === 0 && shop.goodwill === 0) demandRates(shop, documents);
  return { end: documents.length === 0 ? 'nothing' : 'equal', codes, isEdited: shop.isEdited };
}

/** Where every amount has its reason, each rate of IVA has its own. */
function demandRates(shop: Shop, documents: readonly PlannedDocument[]): void {
  for (const code of [4, 0] as const) {
    const stated = sumOf(
      documents.map((document) => (document.kind === 'factura' ? 1 : -1) * statedAt(document, code)),
    );
    const due = worthOf({ ...shop, items: shop.items.filter((item) => item.code === code) });
    if (Math.abs(stated - due) > 1) throw new Error(`${stated} under code ${code}, the shop keeps ${due}`);
  }
}

const statedAt = ({ sent }: PlannedDocument, code: Code): number =>
  sent ? (said(sent).get(code)?.gross ?? 0) : 0;

test('an edited order ends with documents of what the shop keeps, or a person is asked', {
  timeout: 14_400_000,
}, () => {
  const seen: Record<string, number> = {};
  fc.assert(
    fc.property(life, (one) => {
      const { end, codes, isEdited } = lived(one);
      for (const what of [isEdited ? `${end}, edited` : end, ...codes]) seen[what] = (seen[what] ?? 0) + 1;
    }),
    { numRuns: lives },
  );
  if (whole) console.info(seen);
  expect(seen['equal, edited']).toBeGreaterThan(lives / 4);
});
