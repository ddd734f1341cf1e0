import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { reconcileNow } from '../support/reconciliation.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

/** What an order's id, a refund's id, a total and the shop's time meant when they were first read stands above what comes later. */
let bench: JobBench;
afterEach(() => bench?.close());

const open = async (options: JobBenchOptions = {}) => {
  bench = await openJobBench(options);
};
const minutes = (count: number) => count * 60_000;
const gmt = (instant: Date) => instant.toISOString().slice(0, 19);
const shopNow = () => gmt(bench.clock.now());
type Stored = Record<string, unknown> & { id: number };
const stored = (id: string) => structuredClone(bench.shop.order(id)) as unknown as Stored;

async function settle(): Promise<void> {
  await bench.run();
  await bench.decided();
  await bench.wait(5);
}

async function sell(id: string): Promise<void> {
  await bench.sync(id);
  await settle();
}

const documents = async () =>
  (await bench.documents()).map(({ kind, orderId, state, code, total }) =>
    [kind, orderId, state, state === 'authorized' ? total : code].join(' '),
  );
async function held(code: string): Promise<Document> {
  const found = (await bench.documents()).find((one) => one.state === 'held' && one.code === code);
  if (!found) throw new Error(`No document is held for ${code}.`);
  return found;
}
const accept = async (document: Document) => {
  const { kind } = await retryDocument(bench.deps, document, 'ana@conector', { accept: true });
  await settle();
  return kind;
};

/** The order of 1202 under another id, of another key and a minute ago: the shop was restored, and gave the id again. */
function giveAgain(id: string, change: Record<string, unknown> = {}): void {
  const now = shopNow();
  const times = { date_created_gmt: now, date_paid_gmt: now, date_modified_gmt: now };
  bench.shop.remove(id);
  const like = { ...stored('1202'), ...times, id: Number(id), number: id, refunds: [] };
  bench.shop.put({ ...like, order_key: `wc_order_nuevo${id}`, ...change });
}

const edit = (id: string, change: Record<string, unknown>) =>
  bench.shop.put({ ...stored(id), date_modified_gmt: shopNow(), ...change });

/** Puts one more thing on the order, or takes a part of its price away: a fee of so much with its IVA. */
function addFee(id: string, net: number): void {
  const order = stored(id) as Stored & { fee_lines: object[]; total: string; total_tax: string };
  const tax = Math.round(net * 15) / 100;
  const fee = {
    ...{ id: 9_901, name: 'Empaque', tax_class: '', tax_status: 'taxable', total: net.toFixed(2) },
    ...{ total_tax: tax.toFixed(2), taxes: [{ id: 1, total: tax.toFixed(2) }], meta_data: [] },
  };
  edit(id, {
    fee_lines: [...order.fee_lines, fee],
    total: (Number(order.total) + net + tax).toFixed(2),
    total_tax: (Number(order.total_tax) + tax).toFixed(2),
  });
}

const withoutId = (id: string) => {
  const order = stored(id) as Stored & { billing: object; meta_data: { key: string }[] };
  return { meta_data: [], billing: { ...order.billing, company: '' } };
};

describe('an id that was given again to another order', () => {
  it('is held with an alert that names both orders, and nothing is emitted, credited or written for it', async () => {
    await open();
    await sell('1201');
    bench.advance(minutes(60));
    giveAgain('1201');
    const asked = bench.shop.requests.length;
    await sell('1201');
    expect(await documents()).toEqual(['factura 1201 authorized 33.75', 'factura 1201 held order-id-reused']);
    const { reason, ordinal } = await held('order-id-reused');
    expect(ordinal).toBe(2);
    expect(reason).toContain('20/11/2026');
    expect(reason).toContain('#1201');
    expect(bench.alerts).toContain('order-id-reused');
    bench.shop.refund('1201', { amount: '5.00' });
    await sell('1201');
    expect(await documents()).toHaveLength(2);
    expect(bench.sandbox.documents()).toHaveLength(1);
    const writes = bench.shop.requests.slice(asked).filter(({ method }) => method !== 'GET');
    expect(writes).toEqual([]);
  });

  it('does not get what is still to be written of the order that had it before', async () => {
    await open();
    await bench.read();
    expect((await bench.document()).state).toBe('processing');
    bench.advance(minutes(10));
    giveAgain('1201');
    await settle();
    expect((await bench.documents()).find(({ ordinal }) => ordinal === 1)?.state).toBe('authorized');
    expect(bench.shop.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(bench.alerts).toEqual(['order-id-reused']);
  });

  it('is a sale of its own once a person says so, and so are its refunds', async () => {
    await open();
    await sell('1201');
    bench.advance(minutes(60));
    giveAgain('1201');
    await sell('1201');
    const other = await held('order-id-reused');
    expect(await accept(other)).toBe('looked-again');
    const now = await bench.ledger.documents.get(other.id);
    expect(now?.state).toBe('authorized');
    expect(bench.sandbox.documents()).toHaveLength(2);
    expect(bench.alerts).toContain('order-id-reused over');
    const refund = bench.shop.refund('1201', { amount: now?.total ?? '' });
    await sell('1201');
    const credit = await bench.document();
    expect(credit).toMatchObject({
      kind: 'nota-credito',
      sourceId: String(refund.id),
      state: 'authorized',
    });
    expect(credit.charged).toBe(now?.total);
  });

  it('is no matter where the order before it was never paid, or was deleted before it had a document', async () => {
    await open();
    edit('1201', { status: 'pending', date_paid_gmt: null });
    await bench.read();
    bench.advance(minutes(10));
    giveAgain('1201');
    await sell('1201');
    expect((await bench.document()).state).toBe('authorized');
    expect(bench.alerts).toEqual([]);
  });

  it('is the same order where only its date or its number was changed', async () => {
    await open();
    await sell('1201');
    edit('1201', { date_created_gmt: '2026-11-01T12:00:00', number: '77' });
    bench.shop.refund('1201', { amount: '33.75' });
    await sell('1201');
    expect(await documents()).toEqual([
      'factura 1201 authorized 33.75',
      'nota-credito 1201 authorized 33.75',
    ]);
  });

  it('never makes a document of the order before it from the order of now', async () => {
    await open({ policy: { finalConsumer: { allowed: false } } });
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await bench.read();
    const first = await bench.document();
    expect(first.state).toBe('rejected');
    bench.advance(minutes(10));
    giveAgain('1201');
    await sell('1201');
    expect((await bench.ledger.documents.get(first.id))?.state).toBe('rejected');
    await accept(await held('order-id-reused'));
    await retryDocument(bench.deps, first, 'ana@conector');
    await settle();
    expect(await documents()).toEqual([
      'factura 1201 held order-replaced',
      expect.stringMatching(/^factura 1201 authorized /),
    ]);
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('is recognised where nothing was stored of it yet, from before an upgrade', async () => {
    await open({ policy: { creditNotes: { amountOnly: 'prorate' } } });
    await sell('1201');
    const row = await bench.ledger.orders.get({
      platform: 'woocommerce',
      shop: bench.shop.url,
      orderId: '1201',
    });
    expect(row?.fingerprint).not.toBeNull();
    forgetFingerprints();
    bench.advance(minutes(60));
    giveAgain('1201');
    bench.shop.refund('1201', { amount: '5.00' });
    await sell('1201');
    expect(await documents()).toEqual(['factura 1201 authorized 33.75', 'factura 1201 held order-id-reused']);
    await accept(await held('order-id-reused'));
    expect((await documents())[1]).toMatch(/^factura 1201 authorized /);
    expect(bench.sandbox.documents()).toHaveLength(2);
  });
});

describe('a refund’s id that was given again', () => {
  /** 1201 was credited; then the id of its refund is that of a refund of 1202. */
  async function reused(): Promise<number> {
    await open({ policy: { creditNotes: { amountOnly: 'prorate' } } });
    await sell('1201');
    await sell('1202');
    const refund = bench.shop.refund('1201', { amount: '5.00' });
    await sell('1201');
    bench.advance(minutes(60));
    const own = { ...refund, amount: '3.00', date_created_gmt: shopNow() };
    const named = { id: Number(refund.id), reason: '', total: '-3.00' };
    bench.shop.put({ ...stored('1202'), date_modified_gmt: shopNow(), refunds: [named] }, [own]);
    return Number(refund.id);
  }

  it('to another order is held, and the shop is not asked over and over', async () => {
    await reused();
    await bench.read('1202');
    const asked = bench.shop.requests.length;
    await bench.read('1202');
    expect(await held('refund-id-reused')).toMatchObject({ orderId: '1202', kind: 'nota-credito' });
    expect((await held('refund-id-reused')).reason).toContain('#1201');
    expect(bench.alerts).toContain('refund-id-reused');
    expect(bench.shop.requests.length - asked).toBeLessThanOrEqual(3);
    await sell('1202');
    expect(bench.sandbox.documents()).toHaveLength(3);
  });

  it('to another refund of the same order is held, and what was credited stays credited', async () => {
    await open();
    await sell('1201');
    const refund = bench.shop.refund('1201', { amount: '5.00' });
    await sell('1201');
    bench.advance(minutes(60));
    const again = async (amount: string) => {
      const named = { id: Number(refund.id), reason: '', total: `-${amount}` };
      const own = { ...refund, amount, date_created_gmt: shopNow() };
      bench.shop.put({ ...stored('1201'), date_modified_gmt: shopNow(), refunds: [named] }, [own]);
      await sell('1201');
    };
    await again('33.75');
    await accept(await held('refund-id-reused'));
    const credit = await bench.document();
    expect(credit).toMatchObject({ state: 'manual', code: 'over-credit', ordinal: 2 });
    expect(bench.sandbox.documents()).toHaveLength(2);
  });

  it('gets its nota de crédito once a person says that it is another refund', async () => {
    await reused();
    await bench.read('1202');
    expect(await accept(await held('refund-id-reused'))).toBe('looked-again');
    expect(await documents()).toContain('nota-credito 1202 authorized 3.00');
    await sell('1201');
    await sell('1202');
    expect(bench.sandbox.documents()).toHaveLength(4);
  });
});

describe('an order whose total changed after it was paid', () => {
  /** The shop tells of the payment; ten minutes later the order costs so much more. */
  async function paidThenEdited(net: number): Promise<void> {
    await deliver('1201');
    bench.advance(minutes(10));
    addFee('1201', net);
  }

  it('up while it was held is held with both figures', async () => {
    await open({ policy: { finalConsumer: { allowed: false } } });
    const whole = stored('1201');
    edit('1201', withoutId('1201'));
    await bench.read();
    bench.advance(minutes(10));
    addFee('1201', 10);
    edit('1201', { meta_data: whole.meta_data, billing: whole.billing });
    await bench.read();
    expect((await held('changed-after-payment')).reason).toMatch(/33\.75.*45\.25/);
    expect(bench.sandbox.documents()).toEqual([]);
  });

  it('down is found by what the shop sent when it was paid', async () => {
    await open();
    await paidThenEdited(-10);
    await bench.read();
    expect((await held('changed-after-payment')).reason).toContain('33.75');
  });

  it('is found where the shop’s clock ran a day ahead when it was paid, and was put right before the edit', async () => {
    await open();
    const ahead = gmt(new Date(bench.clock.now().getTime() + minutes(24 * 60)));
    const times = { date_modified_gmt: ahead, date_paid_gmt: ahead, date_created_gmt: ahead };
    bench.shop.put({ ...stored('1201'), ...times } as never);
    await paidThenEdited(10);
    // The shop reports the edit as well.
    await deliver('1201');
    await bench.read();
    expect((await held('changed-after-payment')).reason).toContain('33.75');
    expect(bench.sandbox.documents()).toEqual([]);
  });

  it('is invoiced as it is now by policy, or once a person says that this was charged', async () => {
    await open({ policy: { changedAfterPayment: 'current' } });
    await paidThenEdited(10);
    await sell('1201');
    expect(await documents()).toEqual(['factura 1201 authorized 45.25']);
    await bench.close();
    await open();
    await paidThenEdited(10);
    await bench.read();
    expect(await accept(await held('changed-after-payment'))).toBe('looked-again');
    expect(await documents()).toEqual(['factura 1201 authorized 45.25']);
  });

  it('is invoiced when the edit is taken back, and not held for a refund', async () => {
    await open();
    await deliver('1201');
    bench.advance(minutes(10));
    const before = stored('1201');
    addFee('1201', 10);
    await bench.read();
    await held('changed-after-payment');
    bench.advance(minutes(10));
    bench.shop.put({ ...before, date_modified_gmt: shopNow() });
    bench.shop.refund('1201', { amount: '3.75' });
    await sell('1201');
    expect(await documents()).toEqual(['factura 1201 authorized 30.00']);
  });

  it('before anybody was charged is nothing', async () => {
    await open();
    edit('1201', { status: 'pending', date_paid_gmt: null });
    await bench.read();
    addFee('1201', 10);
    bench.advance(minutes(10));
    edit('1201', { status: 'processing', date_paid_gmt: shopNow() });
    await sell('1201');
    expect(await documents()).toEqual(['factura 1201 authorized 45.25']);
  });
});

describe('a shop whose clock ran ahead and was put right', () => {
  it.each([4_000, minutes(24 * 60)])('by %d ms loses no later refund', async (ahead) => {
    await open();
    const changed = { date_modified_gmt: gmt(new Date(bench.clock.now().getTime() + ahead)) };
    bench.shop.put({ ...stored('1201'), ...changed });
    await sell('1201');
    bench.advance(-minutes(5) + 1_000);
    bench.shop.refund('1201', { amount: '33.75' });
    bench.advance(minutes(5));
    await sell('1201');
    await settle();
    expect(await documents()).toContain('nota-credito 1201 authorized 33.75');
    expect(bench.alerts).toContain('shop-clock-back');
  });

  it('is searched for orders without a webhook', async () => {
    await open();
    const ahead = gmt(new Date(bench.clock.now().getTime() + minutes(24 * 60)));
    bench.shop.put({ ...stored('1201'), date_modified_gmt: ahead });
    await reconcileNow(bench);
    await settle();
    bench.shop.refund('1201', { amount: '33.75' });
    await reconcileNow(bench);
    await settle();
    await settle();
    expect(await documents()).toContain('nota-credito 1201 authorized 33.75');
  });

  it('and one old answer, out of a cache, changes nothing', async () => {
    await open();
    const paid = stored('1201');
    bench.advance(minutes(1));
    bench.shop.refund('1201', { amount: '33.75' });
    await bench.read();
    const refunded = stored('1201');
    expect(await documents()).toEqual([]);
    bench.shop.put(paid);
    await bench.read();
    bench.shop.put(refunded);
    await settle();
    expect(await documents()).toEqual([]);
    expect(bench.alerts).toEqual([]);
  });
});

describe('an order that carries the keys of another one, as renewals and duplicates do', () => {
  const ours = (id: string) => (stored(id) as Stored & { meta_data: { key: string }[] }).meta_data;
  /** Another order with all the meta data of 1201, paid by itself or together with it. */
  async function duplicated(change: Record<string, unknown>): Promise<void> {
    bench = await openJobBench();
    await sell('1201');
    const { number: _number, ...like } = stored('1201');
    expect(ours('1201').map(({ key }) => key)).toContain('_facturapuente_clave_acceso');
    bench.advance(minutes(60));
    bench.shop.put({ ...like, id: 1301, order_key: 'wc_order_copia', ...change });
    await sell('1301');
  }

  it('is a sale of its own where it was paid by itself, and gets keys of its own', async () => {
    await duplicated({ date_paid_gmt: '2026-11-20T15:30:00' });
    expect(await documents()).toEqual(['factura 1201 authorized 33.75', 'factura 1301 authorized 33.75']);
    const [original, copy] = await bench.documents();
    expect(copy?.accessKey).not.toBe(original?.accessKey);
    expect(JSON.stringify(ours('1301'))).toContain(copy?.accessKey);
  });

  it('is held where it has the payment of the other one, and says whose key it is', async () => {
    await duplicated({});
    expect((await held('unknown-access-key')).reason).toContain('que es del pedido #1201');
    expect(bench.sandbox.documents()).toHaveLength(1);
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
  it('that was restored, and gave the ids 104 to 106 again: every sale once, and nothing taken for another', async () => {
    bench = await openJobBench({ orders: [], now: '2026-11-22T14:39:07Z' });
    const lives = ['103', '104', '105', '106'].map(recorded);
    const put = (order: Stored | undefined, refunds?: object[]) => order && bench.shop.put(order, refunds);
    for (const [first] of lives.slice(0, 3)) {
      put({ ...(first as Stored), refunds: [] });
      await sell(String(first?.id));
    }
    for (const [first, ...later] of lives.slice(1)) {
      put(later.at(-1) ?? first);
      await sell(String(first?.id));
    }
    const reported = await documents();
    expect(reported.filter((one) => one.endsWith('order-id-reused'))).toEqual([
      'factura 104 held order-id-reused',
      'factura 105 held order-id-reused',
    ]);
    for (const [id, total] of [
      ['103', '10.85'],
      ['104', '23.49'],
      ['105', '18.20'],
      ['106', '10.85'],
    ])
      expect(reported).toContain(`factura ${id} authorized ${total}`);
    for (const id of ['104', '105']) {
      const document = (await bench.documents()).find(
        ({ orderId, code }) => orderId === id && code === 'order-id-reused',
      );
      await accept(document as Document);
    }
    expect((await documents()).filter((one) => / authorized /.test(one)).sort()).toEqual([
      'factura 103 authorized 10.85',
      'factura 104 authorized 15.54',
      'factura 104 authorized 23.49',
      'factura 105 authorized 18.20',
      'factura 105 authorized 28.40',
      'factura 106 authorized 10.85',
    ]);
  });

  it('whose order 61 was paid at 10.85 and edited to 30.84 a second later: not billed twice with the one that pays the rest', async () => {
    bench = await openJobBench({ orders: [], now: '2026-11-22T14:38:00Z' });
    for (const id of ['61', '62'])
      for (const order of recorded(id)) {
        bench.shop.put(order);
        await deliver(id, order.date_modified_gmt as string);
      }
    await sell('61');
    expect((await held('changed-after-payment')).reason).toContain('cobró 10.85 USD');
    await sell('62');
    expect(await documents()).toContain('factura 62 authorized 19.99');
  });
});

/** As a ledger is that was kept by an older version. */
function forgetFingerprints(): void {
  const db = new DatabaseSync(bench.ledgerFile);
  db.exec('update documents set fingerprint = null');
  db.exec('update orders set fingerprint = null, paid = null, readings = 0');
  db.close();
}

/** The shop's webhook of the moment, kept as the endpoint keeps it. */
async function deliver(orderId: string, time = shopNow()): Promise<void> {
  await bench.ledger.accept({
    connection: 'tienda',
    dedupeKey: `order.updated:${orderId}:${time}:${stored(orderId).total}`,
    topic: 'order.updated',
    platform: 'woocommerce',
    shop: bench.shop.url,
    orderId,
    body: new TextEncoder().encode(JSON.stringify(stored(orderId))),
    receivedAt: bench.clock.now(),
    job: null,
  });
}
