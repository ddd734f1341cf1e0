import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { acceptReading, retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { is, read, type Step, table } from '../support/job-table.ts';
import { reconcileNow } from '../support/reconciliation.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

/** What an order's id, a refund's id, a total and the shop's time meant when they were first read stands above what comes later. */
const gmt = (instant: Date) => instant.toISOString().slice(0, 19);
const shopNow = ({ clock }: JobBench) => gmt(clock.now());
const dayAhead = ({ clock }: JobBench) => gmt(new Date(clock.now().getTime() + 24 * 3_600_000));
type Stored = Record<string, unknown> & { id: number };
const stored = ({ shop }: JobBench, id = '1201') => structuredClone(shop.order(id)) as unknown as Stored;

/** The order is read, what is due leaves and is authorised. */
const sell =
  (id = '1201') =>
  async (bench: JobBench): Promise<void> => {
    await bench.sell(id);
    await bench.wait(5);
  };
const settle = async (bench: JobBench) => {
  await bench.run();
  await bench.decided();
  await bench.wait(5);
};
const later =
  (minutes: number): Step =>
  (bench) =>
    bench.advance(minutes * 60_000);
/** What the shop did no webhook tells. */
const refunded =
  (amount: string): Step =>
  (bench) =>
    bench.shop.refund('1201', { amount });
const edited =
  (change: (bench: JobBench) => Record<string, unknown>) =>
  (bench: JobBench): void =>
    bench.shop.put({ ...stored(bench), date_modified_gmt: shopNow(bench), ...change(bench) });

async function held({ documents }: JobBench, code: string): Promise<Document> {
  const found = (await documents()).find((one) => one.state === 'held' && one.code === code);
  if (!found) throw new Error(`No document is held for ${code}.`);
  return found;
}
const isHeld =
  (code: string, ...message: string[]) =>
  async (bench: JobBench): Promise<void> => {
    const { reason } = await held(bench, code);
    for (const one of message) expect(reason).toContain(one);
  };
/** A person says that the shop's order is right as it is now. */
const accepted =
  (code: string) =>
  async (bench: JobBench): Promise<void> => {
    const document = await held(bench, code);
    const { kind } = await acceptReading(bench.deps, document, 'ana@conector');
    expect(kind).toBe('looked-again');
    await settle(bench);
  };

/** The order of 1202 under the id 1201, of another key and a minute ago: the shop was restored, and gave the id again. */
const givenAgain: Step = (bench) => {
  const now = shopNow(bench);
  const times = { date_created_gmt: now, date_paid_gmt: now, date_modified_gmt: now };
  bench.shop.remove('1201');
  const like = { ...stored(bench, '1202'), ...times, id: 1201, number: '1201', refunds: [] };
  bench.shop.put({ ...like, order_key: 'wc_order_nuevo1201' });
};

/** Puts one more thing on the order, or takes a part of its price away: a fee of so much with its IVA. */
const feeAdded = (net: number) =>
  edited((bench) => {
    const order = stored(bench) as Stored & { fee_lines: object[]; total: string; total_tax: string };
    const tax = Math.round(net * 15) / 100;
    const fee = {
      ...{ id: 9_901, name: 'Empaque', tax_class: '', tax_status: 'taxable', total: net.toFixed(2) },
      ...{ total_tax: tax.toFixed(2), taxes: [{ id: 1, total: tax.toFixed(2) }], meta_data: [] },
    };
    return {
      fee_lines: [...order.fee_lines, fee],
      total: (Number(order.total) + net + tax).toFixed(2),
      total_tax: (Number(order.total_tax) + tax).toFixed(2),
    };
  });

const writes = ({ shop }: JobBench) => shop.requests.filter(({ method }) => method !== 'GET').length;
const nobody = { finalConsumer: { allowed: false } };
const prorate = { creditNotes: { amountOnly: 'prorate' } };
const unpaid = edited(() => ({ status: 'pending', date_paid_gmt: null }));
const first = 'factura 1201 authorized 33.75';
const again = 'factura 1201 held order-id-reused';

describe('an id that was given again to another order', () => {
  const reused: Step[] = [sell(), later(60), givenAgain];
  table({
    'is held with an alert that names both orders, and nothing is emitted, credited or written for it': {
      happens: [
        ...reused,
        async (bench) => {
          const before = writes(bench);
          await bench.sell();
          await bench.wait(5);
          expect(await held(bench, 'order-id-reused')).toMatchObject({ ordinal: 2 });
          bench.shop.refund('1201', { amount: '5.00' });
          await bench.sell();
          await bench.wait(5);
          expect(writes(bench)).toBe(before);
        },
        isHeld('order-id-reused', '20/11/2026', '#1201'),
        (bench) => expect(bench.alerts).toContain('order-id-reused'),
      ],
      ends: { all: [first, again], stored: [4] },
    },
    'does not get what is still to be written of the order that had it before': {
      happens: [read, is({ state: 'processing' }), later(10), givenAgain, settle],
      ends: { all: [first, again], alerts: ['order-id-reused'] },
    },
    'is a sale of its own once a person says so, and so are its refunds': {
      happens: [
        ...[...reused, sell(), accepted('order-id-reused'), is({ state: 'authorized', ordinal: 2 })],
        (bench) => expect(bench.alerts).toContain('order-id-reused over'),
        async (bench) => bench.shop.refund('1201', { amount: (await bench.document()).total ?? '' }),
        sell(),
        async (bench) => {
          const [, factura, credit] = await bench.documents();
          expect(credit?.charged).toBe(factura?.total);
        },
      ],
      ends: { kind: 'nota-credito', state: 'authorized', stored: [4, 4, 4] },
    },
    'is no matter where the order before it was never paid, or was deleted before it had a document': {
      happens: [unpaid, read, later(10), givenAgain, sell()],
      ends: { state: 'authorized', alerts: [] },
    },
    'is the same order where only its date or its number was changed': {
      happens: [
        ...[sell(), edited(() => ({ date_created_gmt: '2026-11-01T12:00:00', number: '77' }))],
        ...[refunded('33.75'), sell()],
      ],
      ends: { all: [first, 'nota-credito 1201 authorized 33.75'] },
    },
    'never makes a document of the order before it from the order of now': {
      policy: nobody,
      faults: [{ failBeforeStoring: 400 }],
      happens: [
        ...[read, is({ state: 'rejected' }), later(10), givenAgain, sell()],
        ...[is({ all: [expect.stringContaining('rejected'), again] }), accepted('order-id-reused')],
        async (bench) => {
          const [rejected] = await bench.documents();
          await retryDocument(bench.deps, rejected as Document, 'ana@conector');
          await settle(bench);
        },
      ],
      ends: {
        all: ['factura 1201 held order-replaced', expect.stringMatching(/^factura 1201 authorized /)],
        stored: [4],
      },
    },
    'is recognised where nothing was stored of it yet, from before an upgrade': {
      policy: prorate,
      happens: [
        ...[sell(), forgetFingerprints, later(60), givenAgain, refunded('5.00'), sell()],
        ...[is({ all: [first, again] }), accepted('order-id-reused')],
      ],
      ends: { all: [first, expect.stringMatching(/^factura 1201 authorized /)], stored: [4, 4] },
    },
  });
});

describe('a refund’s id that was given again', () => {
  /** The refund of 1201 stands on this order now, of another amount. */
  const standsOn =
    (id: string, amount: string): Step =>
    (bench) => {
      const [refund] = bench.shop.refunds('1201');
      const own = { ...refund, amount, date_created_gmt: shopNow(bench) };
      const refunds = [{ id: Number(refund?.id), reason: '', total: `-${amount}` }];
      bench.shop.put({ ...stored(bench, id), date_modified_gmt: shopNow(bench), refunds }, [own]);
    };
  const credited: Step[] = [sell(), sell('1202'), refunded('5.00'), sell(), later(60)];
  const toAnother = [...credited, standsOn('1202', '3.00'), (bench: JobBench) => bench.read('1202')];
  table({
    'to another order is held, and the shop is not asked over and over': {
      policy: prorate,
      happens: [
        ...toAnother,
        async (bench) => {
          const before = bench.shop.requests.length;
          await bench.read('1202');
          expect(bench.shop.requests.length - before).toBeLessThanOrEqual(3);
        },
        ...[isHeld('refund-id-reused', '#1201'), sell('1202')],
        (bench) => expect(bench.alerts).toContain('refund-id-reused'),
      ],
      ends: { kind: 'nota-credito', orderId: '1202', code: 'refund-id-reused', stored: [4, 4, 4] },
    },
    'to another refund of the same order is held, and what was credited stays credited': {
      happens: [
        ...[sell(), refunded('5.00'), sell(), later(60), standsOn('1201', '33.75'), sell()],
        accepted('refund-id-reused'),
      ],
      ends: { state: 'manual', code: 'over-credit', ordinal: 2, stored: [4, 4] },
    },
    'gets its nota de crédito once a person says that it is another refund': {
      policy: prorate,
      happens: [...toAnother, accepted('refund-id-reused'), sell(), sell('1202')],
      ends: {
        all: expect.arrayContaining(['nota-credito 1202 authorized 3.00']),
        stored: [4, 4, 4, 4],
      },
    },
  });
});

describe('an order whose total changed after it was paid', () => {
  /** The shop tells of the payment; ten minutes later the order costs so much more. */
  const paidThenEdited = (net: number): Step[] => [(bench) => deliver(bench), later(10), feeAdded(net)];
  const code = 'changed-after-payment';
  const grown = ['factura 1201 authorized 45.25'];
  table({
    'up while it was held is held with both figures': {
      policy: nobody,
      happens: [
        async (bench) => {
          const { meta_data, billing } = stored(bench) as Stored & { billing: object };
          const without = { meta_data: [], billing: { ...billing, company: '' } };
          await edited(() => without)(bench);
          await bench.read();
          bench.advance(600_000);
          await feeAdded(10)(bench);
          await edited(() => ({ meta_data, billing }))(bench);
          await bench.read();
        },
        isHeld(code, '33.75', '45.25'),
      ],
      ends: { stored: [] },
    },
    'down is found by what the shop sent when it was paid': {
      happens: [...paidThenEdited(-10), read, isHeld(code, '33.75')],
      ends: { stored: [] },
    },
    'is found where it was edited in the second of its payment': {
      happens: [
        edited((bench) => ({ date_paid_gmt: shopNow(bench), date_modified_gmt: shopNow(bench) })),
        ...[(bench: JobBench) => deliver(bench), feeAdded(10), read, isHeld(code, '33.75', '45.25')],
      ],
      ends: { stored: [] },
    },
    'is found where the shop’s clock ran a day ahead when it was paid, and was put right before the edit': {
      happens: [
        edited((bench) => ({
          ...{ date_modified_gmt: dayAhead(bench), date_paid_gmt: dayAhead(bench) },
          date_created_gmt: dayAhead(bench),
        })),
        ...paidThenEdited(10),
        // The shop reports the edit as well.
        ...[(bench: JobBench) => deliver(bench), read, isHeld(code, '33.75')],
      ],
      ends: { stored: [] },
    },
    'is invoiced as it is now once a person says that this was charged': {
      happens: [...paidThenEdited(10), read, accepted(code)],
      ends: { all: grown },
    },
    'is invoiced when the edit is taken back, and not held for a refund': {
      happens: [
        ...[...paidThenEdited(10), read, isHeld(code), later(10)],
        edited(() => ({ fee_lines: [], total: '33.75', total_tax: '3.75' })),
        ...[refunded('3.75'), sell()],
      ],
      ends: { all: ['factura 1201 authorized 30.00'] },
    },
  });
});

describe('a shop whose clock ran ahead and was put right', () => {
  const credited = { all: expect.arrayContaining(['nota-credito 1201 authorized 33.75']) };
  const changedAhead = (ms: number) =>
    edited(({ clock }) => ({ date_modified_gmt: gmt(new Date(clock.now().getTime() + ms)) }));
  const refundedAtOnce: Step[] = [sell(), later(-5 + 1 / 60), refunded('33.75'), later(5), sell(), settle];
  const isTold: Step = (bench) => expect(bench.alerts).toContain('shop-clock-back');
  const searched: Step = async (bench) => {
    await reconcileNow(bench);
    await settle(bench);
  };
  table({
    'by four seconds loses no later refund': {
      happens: [changedAhead(4_000), ...refundedAtOnce, isTold],
      ends: credited,
    },
    'by a day loses no later refund': {
      happens: [changedAhead(24 * 3_600_000), ...refundedAtOnce, isTold],
      ends: credited,
    },
    'is searched for orders without a webhook': {
      happens: [changedAhead(24 * 3_600_000), searched, refunded('33.75'), searched, settle],
      ends: credited,
    },
  });
});

describe('an order that carries the keys of another one, as renewals and duplicates do', () => {
  /** Another order with all the meta data of 1201, paid by itself or together with it. */
  const duplicated =
    (change: Record<string, unknown>): Step =>
    (bench) => {
      const { number: _number, ...like } = stored(bench);
      expect(JSON.stringify(like)).toContain(bench.key());
      bench.shop.put({ ...like, id: 1301, order_key: 'wc_order_copia', ...change });
    };
  table({
    'is a sale of its own where it was paid by itself, and gets keys of its own': {
      happens: [
        ...[sell(), later(60), duplicated({ date_paid_gmt: '2026-11-20T15:30:00' }), sell('1301')],
        (bench) => expect(JSON.stringify(stored(bench, '1301').meta_data)).toContain(bench.key(1)),
      ],
      ends: { all: [first, 'factura 1301 authorized 33.75'], keyOf: 1 },
    },
    'is held where it has the payment of the other one, and says whose key it is': {
      happens: [
        ...[sell(), later(60), duplicated({}), sell('1301')],
        isHeld('unknown-access-key', 'que es del pedido #1201'),
      ],
      ends: { stored: [4] },
    },
    'is invoiced where a person says that it was paid apart, and stays so': {
      happens: [
        ...[sell(), later(60), duplicated({}), sell('1301'), accepted('unknown-access-key')],
        ...[settle, sell('1301')],
      ],
      ends: { all: [first, 'factura 1301 authorized 33.75'] },
    },
  });
});

/** Bodies of a recorded shop about one order, in the order in which they came (skipped without ../shared). */
const recorded = (orderId: string): Stored[] => {
  const folder = sharedPath('data/woocommerce/recordings2/webhooks');
  return readdirSync(folder)
    .filter((file) => new RegExp(`order\\.\\w+-${orderId}\\.json$`).test(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
    .map(({ rawBodyBase64 }) => JSON.parse(Buffer.from(rawBodyBase64, 'base64').toString('utf8')));
};

describe.skipIf(!hasShared)('the recorded WooCommerce shop', () => {
  let bench: JobBench;
  afterEach(() => bench?.close());
  const all = async () =>
    (await bench.documents()).map(({ orderId, state, code, total }) =>
      [orderId, state, state === 'authorized' ? total : code].join(' '),
    );

  it('that was restored, and gave the ids 104 to 106 again: every sale once, and nothing taken for another', async () => {
    bench = await openJobBench({ orders: [], now: '2026-11-22T14:39:07Z' });
    const lives = ['103', '104', '105', '106'].map(recorded);
    const put = (order: Stored | undefined, refunds?: object[]) => order && bench.shop.put(order, refunds);
    for (const [first] of lives.slice(0, 3)) {
      put({ ...(first as Stored), refunds: [] });
      await sell(String(first?.id))(bench);
    }
    for (const [first, ...later] of lives.slice(1)) {
      put(later.at(-1) ?? first);
      await sell(String(first?.id))(bench);
    }
    const reported = await all();
    expect(reported.filter((one) => one.endsWith('order-id-reused'))).toEqual([
      '104 held order-id-reused',
      '105 held order-id-reused',
    ]);
    for (const [id, total] of [
      ['103', '10.85'],
      ['104', '23.49'],
      ['105', '18.20'],
      ['106', '10.85'],
    ])
      expect(reported).toContain(`${id} authorized ${total}`);
    for (const _ of ['104', '105']) await accepted('order-id-reused')(bench);
    expect((await all()).filter((one) => / authorized /.test(one)).sort()).toEqual([
      '103 authorized 10.85',
      '104 authorized 15.54',
      '104 authorized 23.49',
      '105 authorized 18.20',
      '105 authorized 28.40',
      '106 authorized 10.85',
    ]);
  });

  it('whose order 61 was paid at 10.85 and edited to 30.84 a second later: not billed twice with the one that pays the rest', async () => {
    bench = await openJobBench({ orders: [], now: '2026-11-22T14:38:00Z' });
    for (const id of ['61', '62'])
      for (const order of recorded(id)) {
        bench.shop.put(order);
        await deliver(bench, id, order.date_modified_gmt as string);
      }
    await sell('61')(bench);
    await isHeld('changed-after-payment', 'cobró 10.85 USD')(bench);
    await sell('62')(bench);
    expect(await all()).toContain('62 authorized 19.99');
  });
});

/** As a ledger is that was kept by an older version. */
function forgetFingerprints({ ledgerFile }: JobBench): void {
  const db = new DatabaseSync(ledgerFile);
  db.exec('update documents set fingerprint = null');
  db.exec('update orders set fingerprint = null, paid = null, readings = 0');
  db.close();
}

/** The shop's webhook of the moment, kept as the endpoint keeps it. */
async function deliver(bench: JobBench, orderId = '1201', time = shopNow(bench)): Promise<void> {
  await bench.ledger.accept({
    connection: 'tienda',
    dedupeKey: `order.updated:${orderId}:${time}:${stored(bench, orderId).total}`,
    topic: 'order.updated',
    platform: 'woocommerce',
    shop: bench.shop.url,
    orderId,
    body: new TextEncoder().encode(JSON.stringify(stored(bench, orderId))),
    receivedAt: bench.clock.now(),
    job: null,
  });
}
