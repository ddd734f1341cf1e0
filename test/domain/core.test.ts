import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ecuadorDay, parseTestClock, runTestClock, toServiceDate } from '../../src/domain/clock.ts';
import { documentKey, documentStates, mayMove } from '../../src/domain/document.ts';
import { PayloadError } from '../../src/domain/errors.ts';
import { orderSubject, readOrderSubject } from '../../src/domain/job.ts';
import { readJson, readJsonHead } from '../../src/domain/loose.ts';
import { type Account, issuingKey } from '../../src/domain/settings.ts';
import { limitTexts } from '../../src/domain/text.ts';

describe('Ecuador’s day', () => {
  it('changes at 05:00 UTC, the whole year', () => {
    expect(ecuadorDay(new Date('2026-11-21T04:59:59Z'))).toBe('2026-11-20');
    expect(ecuadorDay(new Date('2026-11-21T05:00:00Z'))).toBe('2026-11-21');
    expect(ecuadorDay(new Date('2026-07-01T04:59:59Z'))).toBe('2026-06-30');
    expect(toServiceDate('2026-11-20')).toBe('2026/11/20');
  });
});

describe('the test clock', () => {
  it('runs from its anchor with offset and rate, alike in every process that is given the same text', () => {
    const anchor = new Date('2026-11-20T10:00:00Z');
    const test = parseTestClock(`anchor=${anchor.toISOString()},offset=3600000,rate=60`);
    const clock = runTestClock(test, { now: () => new Date(anchor.getTime() + 1_000) });
    expect(clock.now().toISOString()).toBe('2026-11-20T11:01:00.000Z');
  });

  it('refuses what it cannot read', () => {
    for (const text of ['rate=0', 'speed=2', 'anchor=yesterday'])
      expect(() => parseTestClock(text)).toThrow(/unreadable/);
  });
});

describe('document identity', () => {
  const sale = {
    platform: 'shopify',
    shop: 'demo.myshopify.com',
    ambiente: 1,
    kind: 'factura',
    sourceId: '1',
    ordinal: 1,
  } as const;

  it('differs with every part and survives separators inside a part', () => {
    const keys = [
      documentKey(sale),
      documentKey({ ...sale, ambiente: 2 }),
      documentKey({ ...sale, kind: 'nota-credito' }),
      documentKey({ ...sale, sourceId: '1/1' }),
      documentKey({ ...sale, shop: 'demo.myshopify.com/1' }),
      documentKey({ ...sale, ordinal: 11 }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('gives back the parts of an order’s subject', () => {
    const order = { platform: 'woocommerce', shop: 'https://tienda.ec/shop', orderId: '29' };
    expect(readOrderSubject(orderSubject(order))).toEqual(order);
  });
});

describe('a document’s states', () => {
  it('authorised and cancelled are final', () => {
    for (const to of documentStates)
      expect([mayMove('authorized', to), mayMove('cancelled', to)]).toEqual([false, false]);
  });

  it('what may have left is never ready again without being known unsent', () => {
    expect(mayMove('processing', 'ready')).toBe(false);
    expect(mayMove('held', 'sending')).toBe(false);
    expect(mayMove('sending', 'uncertain')).toBe(true);
  });
});

describe('the key a document is read with', () => {
  const keys = (...hashes: string[]) => hashes.map((keyHash) => ({ keyHash, apiKey: keyHash }));
  const account = (id: string, ...hashes: string[]): Account => ({
    ...{ id, baseUrl: 'https://servicio.example', webhookSecrets: [] },
    reprocess: { route: 'current', idField: 'id_comprobante' },
    ...{ keys: keys(...hashes), keyHash: hashes[0] ?? '' },
  });
  const accounts = new Map([
    ['a', account('a', 'nueva', 'vieja')],
    ['b', account('b', 'otra')],
  ]);

  it('is the one that issued it, wherever its account’s id went', () => {
    expect(issuingKey(accounts, { account: 'a', keyHash: 'vieja' })).toMatchObject({
      ...{ account: { id: 'a' }, keyHash: 'vieja', gone: false },
    });
    expect(issuingKey(accounts, { account: 'renombrada', keyHash: 'otra' })?.account.id).toBe('b');
  });

  it('is asked for under its own account, where several have it', () => {
    const twice = new Map([...accounts, ['c', account('c', 'otra')]]);
    expect(issuingKey(twice, { account: 'c', keyHash: 'otra' })?.account.id).toBe('c');
  });

  it('once that is gone, the newest of its account, which may not see it', () => {
    expect(issuingKey(accounts, { account: 'a', keyHash: 'perdida' })).toMatchObject({
      ...{ account: { id: 'a' }, keyHash: 'nueva', gone: true },
    });
    expect(issuingKey(accounts, { account: 'ida', keyHash: 'perdida' })).toBeUndefined();
  });
});

it('an error says no more than a text may hold, whatever it quotes', () => {
  const error = new PayloadError('code', { message: 'x'.repeat(9_000) });
  expect([error.merchant, error.message].map((text) => text.length)).toEqual([5_010, 5_010]);
});

it('JSON that is handed on as it is has no long text, names of fields included', () => {
  const long = 'x'.repeat(9_000);
  const cut = `${'x'.repeat(5_000)} [cortado]`;
  expect(limitTexts({ [long]: [long, 1, null, { a: 'b' }] })).toEqual({ [cut]: [cut, 1, null, { a: 'b' }] });
});

describe('JSON from outside', () => {
  it('keeps ids beyond 2^53 exact', () => {
    expect(readJson('{"id":820982911946154508,"n":5}')).toEqual({ id: '820982911946154508', n: 5 });
  });

  it('of more values than an order or a list has is refused before it is parsed, as is one that is too deep', () => {
    for (const one of ['[],', '{},', '1,', '[[[],[]]],'])
      expect(() => readJson(`[${one.repeat(600_000)}1]`)).toThrow('of more than 500000 values');
    expect(() => readJson('['.repeat(201) + ']'.repeat(201))).toThrow('deeper than 200 levels');
    // Commas and brackets of texts do not count.
    expect(readJson(JSON.stringify([',[{'.repeat(300_000)]))).toHaveLength(1);
    const order = {
      id: 1,
      meta_data: Array.from({ length: 40 }, () => ({ id: 1, key: 'a', value: [1, 2] })),
    };
    expect(readJson(JSON.stringify(Array(1_000).fill(order)))).toHaveLength(1_000);
  });

  const head = (text: string) => readJsonHead(Buffer.from(text));

  it('has a head: what stands before the first nested value', () => {
    expect(
      head('{"id":820982911946154508,"status":"processing","billing":{"city":"Loja"},"total":"1"}'),
    ).toEqual({
      id: '820982911946154508',
      status: 'processing',
    });
    for (const none of [
      '{"id":5}',
      '{"order_edit":{"id":5}}',
      '{"note":"a, [b","id":5}',
      '<p>{a,[b]}',
      '[]',
      '',
    ])
      expect(head(none)).toBeUndefined();
  });

  it('has a head that never says anything else than the whole', () => {
    const plain = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
    const nested = fc.oneof(plain, fc.array(plain), fc.dictionary(fc.string(), plain));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), nested), (value) => {
        const text = JSON.stringify(value);
        expect(readJson(text)).toMatchObject(head(text) ?? {});
      }),
    );
  });
});
