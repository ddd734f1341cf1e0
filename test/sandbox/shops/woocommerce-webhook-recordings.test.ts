import { describe, expect, test } from 'vitest';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import {
  recordedCalls,
  recordedConnection,
  recordedWebhooks,
} from '../../adapters/woocommerce/recordings.ts';
import { hasShared } from '../../support/shared.ts';
import { call, openHooks } from './support.ts';

describe.skipIf(!hasShared)('beside the recordings', () => {
  test('making and listing webhooks is answered as recorded', async () => {
    const { shop } = await openHooks([]);
    const calls = recordedCalls().filter(({ file }) => /^00(0\d|1[0-4])-webhook/.test(file));
    expect(calls).toHaveLength(14);
    const here = (json: unknown) =>
      JSON.parse(JSON.stringify(json).replaceAll('http://127.0.0.1:8081', shop.url));
    for (const { file, request, status, json } of calls) {
      if (request.method === 'get') continue;
      const answer = await call(shop, 'POST', request.path, request.body);
      expect([file, answer.status, answer.json]).toEqual([file, status, here(json)]);
    }
    // The recorded shop pinged a receiver that is not here, and had other webhooks deleted meanwhile.
    await call(shop, 'DELETE', 'webhooks/12?force=true');
    const recorded = here(calls.find(({ request }) => request.method === 'get')?.json) as { id: number }[];
    const listed = (await call(shop, 'GET', 'webhooks?per_page=50')).json as { id: number }[];
    const comparable = (rows: { id: number }[]) =>
      rows
        .map((row) => ({ ...row, date_modified: null, date_modified_gmt: null }))
        .toSorted((a, b) => a.id - b.id);
    expect(comparable(listed)).toEqual(comparable(recorded));
  });

  test('a special secret signs as the shop signed with it', async () => {
    const { shop, receiver, make } = await openHooks([]);
    await make('order.updated', { secret: 'a&b<c>"d\'e ñ &amp; 100%' });
    shop.happened('order.updated', 5);
    await shop.visit();
    const connection = { ...recordedConnection, webhookSecrets: ['a&b<c>"d\'e ñ & 100%'] };
    expect(await receive(receiver.received[1] ?? never(), connection)).toMatchObject({ kind: 'hint' });
  });

  const everyTopic = [...new Set(recordedWebhooks().map(({ topic }) => topic))].filter(
    (one) => one !== 'ping',
  );

  /** What a scenario did to its order after it was made, by the calls recorded of it, and when the queue ran. */
  test.each([
    ['s02', 's02-put-set_paid', 's02-mark-paid'],
    ['s02', 's02-put-completed', 's02-completed'],
    ['s18', 's18-writeback-meta', 's18-writeback'],
    ['s18', 's18-writeback-same', 's18-writeback-same'],
    ['s18', 's18-note-customer', null],
    ['r01', 'r01-refund-1of3', 'r01-refund-1of3'],
    ['r02', 'r02-refund-all-lines', 'r02-refund-all-lines'],
    ['r03', 'r03-refund-amount-rest', 'r03-refund-amount-rest'],
    ['r07', 'r07-put-status-refunded', 'r07-put-status-refunded'],
    ['d01', 'd01-trash', 'd01-trash-it'],
    ['d01', 'd01-force-delete', null],
  ])('%s: %s wakes the webhooks that it woke', async (_name, calledAs, scenario) => {
    const { shop, received } = await openHooks(everyTopic);
    const calls = recordedCalls();
    const at = calls.findIndex(({ file }) => file.endsWith(`-${calledAs}.json`));
    const made = calls[at] ?? never();
    shop.put(stateBefore(made.request.path));
    const before = received().length;
    const query = made.request.params?.force ? '?force=true' : '';
    await call(shop, made.request.method.toUpperCase(), `${made.request.path}${query}`, made.request.body);
    await shop.visit();
    const woken = recordedWebhooks()
      .filter((one) => one.scenario === scenario)
      .map(({ topic }) => topic);
    expect(received().slice(before).toSorted()).toEqual(woken.toSorted());
  });

  /** The order as its scenario made it, with the money still there for what follows. */
  function stateBefore(path: string): unknown {
    const id = Number(/^orders\/(\d+)/.exec(path)?.[1]);
    const of = recordedCalls().find(
      ({ request, json }) => request.path === 'orders' && (json as { id?: number }).id === id,
    );
    const state = of?.json as { status: string; total: string };
    return path.endsWith('refunds') && id === 53 ? { ...state, total: '28.75' } : state;
  }
});

function never(): never {
  throw new Error('The recordings lack what the test looks for.');
}
