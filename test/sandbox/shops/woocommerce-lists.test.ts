import { describe, expect, onTestFinished, test } from 'vitest';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { type RecordedCall, recordedCalls, recordedRest } from '../../adapters/woocommerce/recordings.ts';
import { keys } from '../../adapters/woocommerce/shop.ts';
import { hasShared } from '../../support/shared.ts';
import { signedUrl } from './support.ts';

type Row = Record<string, unknown> & { id: number };
const rowsOf = (call: RecordedCall) => call.json as Row[];

async function open(orders: readonly unknown[], storage: 'hpos' | 'posts' = 'hpos') {
  const shop = await openWooCommerceShop({ orders, ...keys, system: { storage } });
  onTestFinished(() => shop.close());
  const ask = async (path: string) => {
    const answer = await fetch(signedUrl(shop, 'GET', path));
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Row[] };
  };
  return { shop, ask };
}
const ids = (rows: Row[]) => rows.map(({ id }) => id);

describe.skipIf(!hasShared)('lists of the stand-in beside the recordings', () => {
  /** Every order of the recorded lists, as its list shows it. */
  const recorded = () => {
    const rows = ['0181', '0182', '0183'].flatMap((number) => rowsOf(recordedRest(number)));
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  };

  test.each(['0181', '0182', '0183'])('%s: rows and their order are those recorded', async (number) => {
    const call = recordedRest(number);
    const { ask } = await open(recorded());
    const asked = Object.entries(call.request.params ?? {}).map(([name, value]) => `${name}=${value}`);
    const { status, json } = await ask(`orders?${asked.join('&')}`);
    // The recorded pages are abridged: what moved up into their gaps is not compared.
    const there = ids(json).filter((id) => ids(rowsOf(call)).includes(id));
    expect([status, there]).toEqual([200, ids(rowsOf(call))]);
    expect(Object.keys(json[0] ?? {})).toEqual(Object.keys(rowsOf(call)[0] ?? {}));
  });

  test('a page beyond the end and one too large answer as recorded', async () => {
    const { ask } = await open(recorded());
    const beyond = await ask('orders?page=99');
    expect([beyond.status, beyond.json]).toEqual([200, recordedRest('0185').json]);
    for (const name of ['x-wp-total', 'x-wp-totalpages'])
      expect(beyond.headers.get(name)).toBe(recordedRest('0185').headers[name]);
    const many = await ask('orders?per_page=500');
    expect([many.status, many.json]).toEqual([400, recordedRest('0186').json]);
  });

  test('the refunds of the shop have the recorded keys, newest first', async () => {
    const call = recordedCalls().find(({ file }) => file.startsWith('0184')) as RecordedCall;
    const [order] = recorded();
    const { shop, ask } = await open([order, { ...order, id: 9_000 }]);
    shop.refund(String(order?.id), { amount: '1.00' });
    shop.refund('9000', { amount: '2.00' });
    const { json } = await ask('refunds?per_page=20');
    expect(json.map(({ parent_id }) => parent_id)).toEqual([9_000, order?.id]);
    expect(Object.keys(json[0] ?? {})).toEqual(Object.keys(rowsOf(call)[0] ?? {}));
  });
});

/** Facts measured on a shop west of Greenwich (UTC−5), orders in tables of their own and among the posts. */
test.each([
  ['2026-11-20T10:07:40', 'true', 'exact', 'exact'],
  ['2026-11-20T10:07:40', undefined, 'late', 'late'],
  ['2026-11-20T05:07:40', undefined, 'exact', 'exact'],
  ['2026-11-20T05:07:40', 'true', 'early', 'early'],
  ['2026-11-20T10:07:40Z', undefined, 'exact', 'exact'],
  ['2026-11-20T05:07:40-05:00', undefined, 'exact', 'exact'],
  ['2026-11-20T10:07:40Z', 'true', 'early', 'early'],
  ['2026-11-20T10:07:40.000Z', undefined, 'late', 'exact'],
  ['2026-11-20T10:07:40.000Z', 'true', 'early', 'early'],
])(
  'modified_after=%s with dates_are_gmt=%s is %s with HPOS and %s without',
  async (after, gmt, ...meanings) => {
    const changed = (id: number, time: string) => ({
      id,
      status: 'processing',
      date_modified_gmt: time,
      meta_data: [],
    });
    const orders = [
      changed(1, '2026-11-20T10:07:40'),
      changed(2, '2026-11-20T10:07:41'),
      changed(3, '2026-11-20T15:07:41'),
    ];
    const query = `modified_after=${encodeURIComponent(after)}${gmt ? `&dates_are_gmt=${gmt}` : ''}&order=asc&orderby=id`;
    for (const [at, storage] of (['hpos', 'posts'] as const).entries()) {
      const { ask } = await open(orders, storage);
      const { json } = await ask(`orders?${query}&_fields=id`);
      const expected = { exact: [2, 3], late: [3], early: [1, 2, 3] }[meanings[at] ?? 'exact'];
      expect([storage, ids(json)]).toEqual([storage, expected]);
    }
  },
);
