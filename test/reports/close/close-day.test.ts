import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import type { Document } from '../../../src/domain/document.ts';
import { acceptReading } from '../../../src/jobs/retry.ts';
import { verdictOf } from '../../../src/operations/run/close.ts';
import { closeDay } from '../../../src/reports/close/close.ts';
import type { ClosedDay } from '../../../src/reports/close/day-close.ts';
import { closeText } from '../../../src/reports/close/text.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { byHand, close, codes, day, settle } from '../day.ts';

/** The close of a day on the real ledger, sandbox, client and shop. */
let bench: JobBench;
const hour = 60 * 60_000;
const open = async (options: Parameters<typeof openJobBench>[0] = {}) => {
  bench = await openJobBench(options);
};
afterEach(() => bench?.close());

const nextMorning = '2026-11-21T12:00:00Z';
const morning = new Date('2026-11-20T15:00:00Z');
const change = (order: unknown, id: string, more: object) => ({
  ...structuredClone(order as object),
  id: Number(id),
  number: id,
  ...more,
});
const all = ['1201', '1202', '1203', '1204', '1205'];
const authorised = (tipo: string) =>
  bench.sandbox.documents().filter((one) => one.tipo === tipo && (one.estado === 4 || one.estado === 9));
const sumOf = (tipo: string) =>
  authorised(tipo)
    .reduce((sum, { figures }) => sum + Number(figures?.importeTotal), 0)
    .toFixed(2);
const issuedOf = ({ close: { issued } }: ClosedDay, kind: string) => {
  const found = issued.find((one) => one.kind === kind);
  if (!found) throw new Error(`The close says nothing of ${kind}.`);
  return found;
};

describe('a day in order', () => {
  it('is green, and shop, ledger and service agree to the document and the cent', async () => {
    await open();
    await settle(bench, ...all);
    bench.shop.refund('1201', { amount: '10.00' });
    await settle(bench, '1201');
    bench.setTime(nextMorning);
    const closed = await close(bench);
    expect(closed.close).toMatchObject({
      result: 'green',
      differences: [],
      unanswered: [],
      provisional: false,
    });
    const facturas = issuedOf(closed, 'factura');
    expect(facturas.ours).toEqual(facturas.service);
    expect(facturas.ours).toMatchObject({ count: authorised('01').length, total: sumOf('01') });
    expect(facturas.shop).toMatchObject({ count: facturas.ours.count, total: facturas.ours.total });
    const credits = issuedOf(closed, 'nota-credito');
    expect(credits.ours).toEqual(credits.service);
    // No base gives 10.00 with 15 %: the cent is said, and is no difference.
    expect(credits.ours).toMatchObject({ count: 1, total: '9.99' });
    expect(credits.shop).toMatchObject({ count: 1, total: '10.00' });
    expect(closed.explained).toContainEqual({
      kind: 'nota-credito',
      store: 'tienda',
      order: '#1201',
      fate: 'rounded',
      code: 'credit-rounding',
      reason:
        'Se devolvieron 10.00 y la nota de crédito es por 9.99, un centavo menos: ninguna base en centavos da esa suma con su IVA. Lo que falta va en la próxima nota de crédito de la factura, si la hay.',
    });
    const { sold, issued, waiting, unneeded, underWay, missing } = closed.close.sales;
    expect(sold.count).toBe(
      issued.count +
        underWay.count +
        missing.count +
        [...waiting, ...unneeded].reduce((sum, { count }) => sum + count, 0),
    );
  });

  it('counts what waits for a person and what needs no document by its reason, and stays green', async () => {
    const like = wooOrders(morning);
    const unnamed = change(like[4], '1301', { meta_data: [] });
    const free = change(like[0], '1302', {
      total: '0.00',
      total_tax: '0.00',
      line_items: [],
      shipping_lines: [],
      coupon_lines: [],
      tax_lines: [],
    });
    await open({ orders: [...like, unnamed, free] });
    await settle(bench, ...all, '1301', '1302');
    bench.advance(hour);
    const closed = await close(bench);
    expect(closed.close.differences).toEqual([]);
    expect(closed.close.result).toBe('green');
    expect(closed.close.sales).toMatchObject({
      sold: { count: 7 },
      issued: { count: 5 },
      waiting: [{ code: 'buyer-id-missing', count: 1 }],
      unneeded: [{ code: 'no-money', count: 1, total: '0.00' }],
    });
    expect(closed.explained.map(({ fate, reason }) => [fate, reason.length > 20])).toEqual([
      ['waiting', true],
      ['unneeded', true],
    ]);
  });

  it('counts an order of another currency, and adds none of its money to the dollars', async () => {
    const like = wooOrders(morning).slice(0, 1);
    await open({ orders: [...like, change(like[0], '1301', { currency: 'COP', total: '135000.00' })] });
    await settle(bench, '1201', '1301');
    bench.advance(hour);
    const { sales } = (await close(bench)).close;
    expect(sales).toMatchObject({
      sold: { count: 2, total: sales.issued.total },
      issued: { count: 1 },
      waiting: [{ code: 'currency', count: 1, total: '0.00' }],
    });
  });
});

describe('a day is red', () => {
  it('when a document was removed from the ledger by hand', async () => {
    await settled();
    byHand(bench, `delete from documents where secuencial = '000000001'`);
    const removed = ['document-removed', 'document-unknown', 'number-gap', 'sale-without-document'];
    expect(await verdict()).toEqual(['red', ...removed]);
    // Only the key names the store: without it the close of all stores still says so.
    byHand(bench, `update attempts set access_key = null where secuencial = '000000001'`);
    expect(await verdict()).toEqual(['red', ...removed]);
  });

  it('when a person annulled a document at the portal and the shop still counts its sale, and no more once it is undone', async () => {
    await settled();
    const key = (await bench.ledger.documents.list({ limit: 9 })).find(({ orderId }) => orderId === '1201');
    await fetch(`${bench.sandbox.url}/__sandbox/anulaciones`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ claveacceso: key?.accessKey }),
    });
    expect(await verdict()).toEqual(['red', 'document-annulled']);
    const { annulled } = await close(bench);
    expect(annulled.map(({ orderId }) => orderId)).toEqual(['1201']);
    bench.shop.change('1201', { status: 'cancelled' });
    expect(await verdict()).toEqual(['green']);
  });

  it('when everything about a document was removed, attempts and history too', async () => {
    await settled();
    const of = `(select id from documents where secuencial = '000000002')`;
    byHand(
      bench,
      `delete from history where document_id in ${of}`,
      `delete from attempts where document_id in ${of}`,
      `delete from documents where secuencial = '000000002'`,
    );
    expect(await verdict()).toEqual(['red', 'document-unknown', 'number-gap', 'sale-without-document']);
  });

  it.each([
    [
      'in the ledger',
      () => byHand(bench, `update documents set total = '33.76' where secuencial = '000000001'`),
    ],
    [
      'in what was sent',
      () => byHand(bench, `update attempts set total = '33.76' where secuencial = '000000001'`),
    ],
    ['in the shop', () => bench.shop.change('1201', { total: '33.76' })],
    [
      'at the service, and another one that is no rounding',
      () => bench.sandbox.faults.add({ spoilXml: { campo: 'importeTotal', valor: '33.77' } }),
    ],
  ])('when one cent was changed %s', async (_where, change) => {
    await settled();
    change();
    const closed = await close(bench);
    expect(new Set([closed.close.result, ...codes(closed)])).toEqual(new Set(['red', 'document-differs']));
    expect(closed.close.roundings).toBeUndefined();
  });

  it('when the service does not know a document', async () => {
    await settled();
    bench.sandbox.reset();
    expect(await verdict()).toEqual(['red', 'state-differs', 'state-differs']);
  });

  it.each([
    ['no longer has the order of a document', () => bench.shop.remove('1202')],
    ['threw the order of a document away', () => bench.shop.trash('1202')],
  ])('when the shop %s', async (_what, undo) => {
    await settled();
    undo();
    expect(await verdict()).toEqual(['red', 'document-without-sale']);
  });

  it('when a refund has no nota de crédito', async () => {
    await settled();
    bench.shop.refund('1201', { amount: '10.00' });
    bench.advance(hour);
    expect(await verdict()).toEqual(['red', 'sale-without-document']);
  });

  it('when a sale has two facturas, each right by itself', async () => {
    const [order] = wooOrders(morning);
    await open({ orders: [order, change(order, '1299', {})] });
    await settle(bench, '1201', '1299');
    bench.advance(hour);
    expect(await verdict()).toEqual(['green']);
    byHand(
      bench,
      `update documents set order_id = '1201', source_id = '1201',
        fingerprint = (select fingerprint from documents where source_id = '1201') where source_id = '1299'`,
    );
    bench.shop.remove('1299');
    expect(await verdict()).toEqual(['red', 'authorized-twice', 'key-not-on-order']);
  });

  it('when an order and the one it was split from have a factura each', async () => {
    const [order] = wooOrders(morning);
    await open({ orders: [order, change(order, '1299', {})] });
    await settle(bench, '1201', '1299');
    bench.advance(hour);
    expect(await verdict()).toEqual(['green']);
    byHand(
      bench,
      "update orders set parent_id = '1201', snapshot = json_set(snapshot, '$.parentId', '1201') where order_id = '1299'",
    );
    bench.shop.put(change(bench.shop.order('1299'), '1299', { parent_id: 1201 }));
    expect(await verdict()).toEqual(['red', 'authorized-twice']);
  });

  it('when a sale was invoiced twice, once under a former address of its shop', async () => {
    const before = 'http://antes.example.ec';
    const [order, other] = wooOrders(morning);
    await open({ orders: [order, change(order, '1299', { number: '1201' }), other] });
    await bench.ledger.stores.register({ id: 'antes', platform: 'woocommerce', shop: before, now: morning });
    await settle(bench, '1201', '1202', '1299');
    byHand(
      bench,
      `update documents set order_id = '1201', source_id = '1201', shop = '${before}' where source_id = '1299'`,
    );
    bench.shop.remove('1299');
    bench.advance(hour);
    expect(await verdict()).toEqual(['red', 'authorized-twice']);
  });

  it('when two stores of the config are one shop, and each invoiced the sale', async () => {
    await settled();
    const again = { ...bench.store, id: 'otra' };
    const { close: closed } = await closeDay(bench.deps, {
      day,
      stores: [bench.store, again],
      scope: '*',
    });
    expect(closed.result).toBe('red');
    expect(closed.differences.map(({ code }) => code)).toEqual(['authorized-twice', 'authorized-twice']);
  });

  it('when the shop gave the id of an invoiced order to another sale, and no more once a person accepted it', async () => {
    await settled();
    const [, other] = wooOrders(morning);
    const reuse = (at: string) => {
      const times = { date_created_gmt: at, date_paid_gmt: at, date_modified_gmt: at };
      bench.shop.put(change(other, '1201', { ...times, order_key: 'wc_order_otro' }));
    };
    // On the same day, and on a later one; amounts of two sales are not compared.
    reuse('2026-11-20T16:00:00');
    expect(await verdict()).toEqual(['red', 'document-of-other-sale']);
    reuse('2026-11-21T16:00:00');
    bench.setTime('2026-11-21T16:05:00Z');
    const later = async () => codes(await close(bench, '2026-11-21'));
    expect(await later()).toEqual(['document-of-other-sale']);
    await settle(bench, '1201');
    const [held] = await bench.ledger.documents.list({ states: ['held'], limit: 1 });
    await acceptReading(bench.deps, held as Document, 'ana@conector');
    await settle(bench, '1201');
    expect(await later()).toEqual([]);
  });

  it('when a key that was written onto its order stands there no more', async () => {
    await settled();
    bench.shop.put(wooOrders(morning)[0]);
    expect(await verdict()).toEqual(['red', 'key-not-on-order']);
  });

  it('when a sale of our time was taken for history, and not by the merchant’s own word', async () => {
    await settled();
    const [order] = wooOrders(morning);
    bench.shop.put(
      change(order, '1301', {
        date_created_gmt: '2026-11-20T16:00:00',
        date_paid_gmt: '2026-11-20T16:00:00',
        date_modified_gmt: '2026-11-20T16:00:00',
      }),
    );
    const invoiceFrom = new Date('2026-11-21T17:00:00Z');
    const of = (store: typeof bench.store) =>
      closeDay({ ...bench.deps, invoiceFrom: () => invoiceFrom }, { day, stores: [store], scope: '*' });
    const { policy } = bench.store;
    const silent = (await of(bench.store)).close;
    expect([silent.result, ...silent.differences.map(({ code, order }) => `${code} ${order}`)]).toEqual([
      'red',
      'sale-passed-over #1301',
    ]);
    expect((await of({ ...bench.store, policy: { ...policy, invoiceFrom } })).close.result).toBe('green');
  });

  it('when the authority authorised a number of our series that we never gave', async () => {
    await settled();
    const foreign = await emitByHand('001-001', '000000900');
    await reported(foreign);
    const closed = await close(bench);
    expect(codes(closed)).toContain('document-unknown');
    expect(closed.close.foreign).toEqual([]);
  });
});

describe('a document of another program on the same RUC', () => {
  it('is named apart with its amount, and does not make the day red', async () => {
    await open();
    await settle(bench, ...all);
    bench.advance(hour);
    const foreign = await emitByHand('009-001', '000000007');
    await reported(foreign);
    const { close: closed } = await close(bench);
    expect(closed.result).toBe('green');
    expect(closed.foreign).toMatchObject([{ number: '009-001-000000007', codDoc: '01', accessKey: foreign }]);
    expect(Number(closed.foreign[0]?.total)).toBeGreaterThan(0);
  });
});

describe('a document a webhook told of and no ledger knows', () => {
  const secuencial = '000000900';

  it('is none where the service does not have it', async () => {
    await settled();
    await reported((await emitByHand('001-001', secuencial)).replace(secuencial, '000004242'));
    expect(await verdict()).toEqual(['green']);
  });

  it('is not asked about where the webhook of another account told it', async () => {
    await settled();
    await reported(await emitByHand('001-001', secuencial), 'otra');
    const account = { ...bench.store.account, id: 'otra', keys: [] };
    const accounts = new Map([...bench.deps.accounts, ['otra', account] as const]);
    const { close: closed } = await closeDay(
      { ...bench.deps, accounts },
      { day, stores: [bench.store], scope: '*' },
    );
    expect(closed).toMatchObject({ result: 'green', differences: [], foreign: [] });
  });

  it('leaves the day incomplete where the service does not answer about it', async () => {
    await settled();
    await reported(await emitByHand('001-001', secuencial));
    const service = bench.deps.service;
    const deps = {
      ...bench.deps,
      service: (...asked: Parameters<typeof service>) => ({
        ...service(...asked),
        descargarXml: (async (key: string) =>
          key.slice(30, 39) === secuencial
            ? { kind: 'unknown' }
            : service(...asked).descargarXml(key)) as never,
      }),
    };
    const { close: closed } = await closeDay(deps, { day, stores: [bench.store], scope: '*' });
    expect(closed).toMatchObject({ result: 'incomplete', differences: [] });
  });
});

describe('nothing is green by absence', () => {
  it.each([
    ['the service is down', () => bench.sandbox.close()],
    ['the shop is silent', () => bench.shop.trouble({ status: 503, body: 'Mantenimiento' })],
  ])('when %s', async (_who, trouble) => {
    await open();
    await settle(bench, ...all);
    bench.advance(hour);
    await trouble();
    const { close: closed } = await close(bench);
    expect(closed.result).toBe('incomplete');
    expect(closed.unanswered).toHaveLength(1);
  });
});

describe('a store without access to its API', () => {
  const withoutShop = () =>
    closeDay({ ...bench.deps, shop: () => null }, { day, stores: [bench.store], scope: '*' });

  it('is compared with the service alone, which is its own word and never green', async () => {
    await open();
    await settle(bench, ...all);
    bench.advance(hour);
    const { close: closed } = await withoutShop();
    expect(closed.result).toBe('partial');
    expect(closed.unanswered).toMatchObject([{ source: 'shop-without-access', name: 'tienda' }]);
    const facturas = closed.issued.find(({ kind }) => kind === 'factura');
    expect(facturas?.ours).toEqual(facturas?.service);
    expect(facturas?.ours.count).toBe(authorised('01').length);
  });

  it('is red where ledger and service differ, and incomplete while the service is away', async () => {
    await open();
    await settle(bench, ...all);
    byHand(bench, `update documents set total = '33.76' where secuencial = '000000001'`);
    expect((await withoutShop()).close.result).toBe('red');
    await bench.sandbox.close();
    expect((await withoutShop()).close.result).toBe('incomplete');
  });
});

describe('days', () => {
  it('tell sales apart from documents: what is sold before midnight is issued after it', async () => {
    // 23:58 in Ecuador; the orders were paid a minute before.
    await open({ now: '2026-11-21T04:58:00Z', orders: wooOrders(new Date('2026-11-21T04:58:00Z')) });
    bench.setTime('2026-11-21T05:03:00Z');
    await settle(bench, ...all);
    // The first of the series has left alone; the others follow.
    await bench.pass(1, 5, 5);
    bench.advance(hour);
    const [before, after] = [await close(bench, '2026-11-20'), await close(bench, '2026-11-21')];
    expect(before.close).toMatchObject({
      result: 'green',
      sales: { sold: { count: 5 }, issued: { count: 5 }, issuedOtherDay: { count: 5 } },
    });
    expect(issuedOf(before, 'factura').ours.count).toBe(0);
    expect(after.close).toMatchObject({ result: 'green', sales: { sold: { count: 0, total: '0.00' } } });
    expect(issuedOf(after, 'factura')).toMatchObject({ ours: { count: 5 }, ofOtherDays: { count: 5 } });
  });

  it('that are not over say so, whatever adds up until then', async () => {
    await settled();
    const text = async () => closeText({ ...(await close(bench)), kept: null }).split('\n')[0];
    expect((await close(bench)).close).toMatchObject({ result: 'green', provisional: true });
    expect(await text()).toBe(
      `Cierre del ${day} · todas las tiendas · EL DÍA NO TERMINA: hasta ahora cuadra`,
    );
    bench.setTime('2026-11-21T04:59:59Z');
    expect(verdictOf(await close(bench))).toBe(`El ${day} no ha terminado; hasta ahora cuadra.`);
    bench.setTime('2026-11-21T05:00:00Z');
    expect(verdictOf(await close(bench))).toBe(`El ${day} cuadra.`);
    expect(await text()).toBe(`Cierre del ${day} · todas las tiendas · CUADRA`);
  });

  it('are not over for a close that began before midnight, whenever its answers come', async () => {
    await settled();
    bench.setTime('2026-11-21T04:59:50Z');
    const service: typeof bench.deps.service = (...call) => {
      bench.setTime('2026-11-21T05:00:10Z');
      return bench.deps.service(...call);
    };
    const stores = [bench.store];
    const { close: closed } = await closeDay({ ...bench.deps, service }, { day, stores, scope: '*' });
    expect(closed).toMatchObject({
      result: 'green',
      provisional: true,
      closedAt: '2026-11-21T04:59:50.000Z',
    });
    expect(verdictOf({ close: closed })).toBe(`El ${day} no ha terminado; hasta ahora cuadra.`);
  });

  it.each([
    ['red', '2026-11-20T23:00:00Z', 'no ha terminado; hasta ahora no cuadra: hay 0 diferencias.'],
    [
      'incomplete',
      '2026-11-20T23:00:00Z',
      'no ha terminado; hasta ahora no se pudo conciliar: todavía falta algo.',
    ],
    ['green', '2026-11-21T05:05:00Z', 'cuadra; es provisional: hay documentos en trámite.'],
  ] as const)('have one verdict in panel and terminal: %s', (result, closedAt, verdict) => {
    const one = { day, result, closedAt, provisional: true, differences: [] };
    expect(verdictOf({ close: one as never })).toBe(`El ${day} ${verdict}`);
  });
});

async function settled(): Promise<void> {
  await open({ orders: wooOrders(morning).slice(0, 2) });
  await settle(bench, '1201', '1202');
  bench.advance(hour);
}

async function verdict(): Promise<string[]> {
  const closed = await close(bench);
  return [closed.close.result, ...codes(closed)];
}

/** A factura somebody issues beside the product, with the same key and RUC; answers its access key. */
async function emitByHand(place: string, secuencial: string): Promise<string> {
  const [codigo_establecimiento, codigo_puntoemision] = place.split('-');
  const example = bench.sandbox.exampleFactura() as { emisor: object };
  const emisor = {
    ...example.emisor,
    ruc: bench.store.issuer.ruc,
    codigo_establecimiento,
    codigo_puntoemision,
    secuencial,
  };
  const response = await fetch(`${bench.sandbox.url}/api/factura/emision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
    body: JSON.stringify({ ...example, emisor }),
  });
  const { claveacceso } = (await response.json()) as { claveacceso: string };
  await bench.decided();
  return claveacceso;
}

/** As the webhook endpoint stores it. */
async function reported(accessKey: string, by = 'cuenta'): Promise<void> {
  await bench.ledger.accept({
    connection: `service:${by}`,
    dedupeKey: `${accessKey}:1`,
    topic: 'comprobante.autorizado',
    platform: null,
    shop: null,
    orderId: null,
    body: new Uint8Array(),
    receivedAt: bench.clock.now(),
    job: null,
  });
}
