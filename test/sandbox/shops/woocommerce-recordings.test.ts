import { describe, expect, test } from 'vitest';
import { type RecordedCall, recordedCalls, recordedRest } from '../../adapters/woocommerce/recordings.ts';
import { hasShared } from '../../support/shared.ts';
import { call, comparable, comparableHeaders, openShop, timeOf } from './support.ts';

type Meta = { key: string };
type Body = { id: number; meta_data?: Meta[] } & Record<string, unknown>;

/** Rows of meta data come as the database likes, and the trash keeps a time of its own. */
function unordered(json: unknown): unknown {
  const body = structuredClone(json) as Body;
  if (Array.isArray(body?.meta_data)) {
    body.meta_data = body.meta_data
      .map((row) => (row.key === '_wp_trash_meta_time' ? { ...row, value: 'then' } : row))
      .toSorted((a, b) => a.key.localeCompare(b.key));
  }
  return body;
}

describe.skipIf(!hasShared)('asked what WooCommerce was asked, the stand-in answers what it answered', () => {
  const made = recordedCalls().filter(
    ({ request }) => request.method === 'post' && request.path === 'orders',
  );
  const isOfOrder = (id: number, part: string) => (one: RecordedCall) =>
    one.request.path === `orders/${id}${part}` && !one.request.params?.dp;

  test.each([
    ['s02, paid and completed by the API', 30],
    ['s18, written back', 29],
    ['d01, trash and deletion', 74],
  ])('%s', async (_name, id) => {
    const { shop, set } = await openShop();
    const created = made.find(({ json }) => (json as Body).id === id)?.json;
    shop.put(created);
    const calls = recordedCalls().filter(isOfOrder(id, ''));
    expect(calls.length).toBeGreaterThan(2);
    for (const { file, request, status, headers, json } of calls) {
      set(timeOf(json) ?? '2026-11-20T10:09:09');
      const query = request.params?.force ? '?force=true' : '';
      // Between the recorded calls the order was taken out of the trash by hand.
      if (request.params?.force) shop.restore(id);
      const answer = await call(shop, request.method.toUpperCase(), `${request.path}${query}`, request.body);
      const seen = comparable(unordered(answer.json), created);
      expect([file, answer.status, seen]).toEqual([file, status, comparable(unordered(json), created)]);
      expect([file, comparableHeaders(answer.headers)]).toEqual([file, comparableHeaders(headers)]);
    }
  });

  test.each(made.map((one) => [one.file, one] as const))(
    '%s: the order is shown as it was',
    async (_file, one) => {
      const created = one.json as Body;
      const { shop } = await openShop([created]);
      const [shown] = recordedCalls().filter(isOfOrder(created.id, ''));
      const { status, headers, json } = await call(shop, 'GET', `orders/${created.id}`);
      expect([status, keysOf(json)]).toEqual([200, keysOf(created)]);
      if (shown) expect(comparableHeaders(headers)).toEqual(comparableHeaders(shown.headers));
    },
  );

  test('notes are made and listed as recorded, the note of the mail among them', async () => {
    const { shop, set } = await openShop([recordedRest('0016').json]);
    set('2026-11-20T10:07:55');
    for (const number of ['0104', '0105']) {
      const { request, status, headers, json } = recordedRest(number);
      const answer = await call(shop, 'POST', request.path, request.body);
      expect([number, answer.status]).toEqual([number, status]);
      expect(withoutIds(answer.json)).toEqual(withoutIds(json));
      expect(comparableHeaders(answer.headers)).toEqual(comparableHeaders(headers));
    }
    const { json, headers } = recordedRest('0109');
    const listed = await call(shop, 'GET', 'orders/29/notes');
    expect(withoutIds(listed.json)).toEqual(withoutIds((json as Body[]).filter(({ id }) => id >= 64)));
    expect(comparableHeaders(listed.headers)).toEqual(comparableHeaders(headers));
  });

  test.each(['0180', '0185', '0186'])(
    '%s: an order that is gone and pages that are not there',
    async (number) => {
      const { request, status, headers, json } = recordedRest(number);
      const { shop } = await openShop([recordedRest('0016').json]);
      const query = new URLSearchParams(request.params as Record<string, string>).toString();
      const answer = await call(shop, 'GET', `${request.path}?${query}`);
      expect([answer.status, answer.json]).toEqual([status, json]);
      expect(comparableHeaders(answer.headers)).toEqual(comparableHeaders(headers));
    },
  );

  test('a page with more behind it links to the next one with the signature of this one', async () => {
    const recorded = recordedRest('0181');
    const { shop } = await openShop(made.map(({ json }) => json));
    const query = 'per_page=5&page=1&orderby=date&order=asc';
    const { headers } = await call(shop, 'GET', `orders?${query}`);
    for (const link of [headers.get('link') ?? '', recorded.headers.link ?? ''])
      expect(link).toMatch(/^<[^>]+[?&]page=2\b[^>]*>; rel="next"$/);
    expect(headers.get('link')).toContain('oauth_signature=');
    expect(recorded.headers.link).toContain('oauth_signature=');
  });
});

/** Keys with the kinds of their values. */
function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null)
    return [`${path} ${value === null ? 'null' : typeof value}`];
  return Object.entries(value).flatMap(([key, below]) => keysOf(below, `${path}/${key}`));
}

function withoutIds(json: unknown): unknown {
  return JSON.parse(
    JSON.stringify(json)
      .replace(/"id":\d+/g, '"id":0')
      .replace(/http:\/\/[^/]+/g, '')
      .replace(/notes\/\d+/g, 'notes/…'),
  );
}
