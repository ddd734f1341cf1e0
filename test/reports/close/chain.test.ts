import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import {
  canonicalJson,
  isSigned,
  keepClose,
  openSigner,
  readKept,
  verifyChain,
} from '../../../src/reports/close/keep-close.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { byHand, close, day, settle } from '../day.ts';

/** Kept closes: signed, bound to one another, and every hand laid on them shows. */
let bench: JobBench;
afterEach(() => bench?.close());

const signer = openSigner(new Uint8Array(32).fill(3));
const trusted = [signer.publicKey];
const keep = async () => keepClose(bench.ledger.closes, signer, (await close(bench)).close);
const verify = () => verifyChain(bench.ledger.closes, trusted);

/** Three closes of one day, which changed in between. */
async function three() {
  bench = await openJobBench({ orders: wooOrders(new Date('2026-11-20T15:00:00Z')).slice(0, 2) });
  await settle(bench, '1201', '1202');
  const kept = [await keep()];
  for (const amount of ['10.00', '2.00']) {
    bench.shop.refund('1201', { amount });
    await settle(bench, '1201');
    kept.push(await keep());
  }
  return kept;
}

describe('the chain of closes', () => {
  it('binds each to the one before, and a later one of the same day names what it replaces', async () => {
    const [first, second, third] = await three();
    expect([first?.n, second?.n, third?.n]).toEqual([1, 2, 3]);
    expect(readKept(second ?? { content: '{}' })).toMatchObject({
      previous: first?.hash,
      replaces: first?.hash,
      refunds: { issued: { count: 1, total: '10.00' } },
    });
    expect(await verify()).toEqual({ count: 3, lastHash: third?.hash, broken: [] });
    expect((await bench.ledger.closes.ofDay(day, '*'))?.hash).toBe(third?.hash);
  });

  it('is not kept twice when nothing changed', async () => {
    await three();
    bench.setTime('2026-11-21T07:00:00Z');
    expect((await keep()).n).toBe(4);
    expect((await keep()).n).toBe(4);
  });

  it.each([
    [
      'a figure was changed',
      `update closes set content = replace(content, '10.00', '11.00') where n = 2`,
      [2],
    ],
    ['one was taken out', 'delete from closes where n = 2', [3, 3]],
    ['the first was taken out', 'delete from closes where n = 1', [2, 2]],
    ['the result was painted', `update closes set result = 'red' where n = 3`, [3]],
    ['a day was moved', `update closes set day = '2026-11-19' where n = 1`, [1]],
  ])('shows that %s', async (_what, statement, places) => {
    await three();
    byHand(bench, statement);
    expect((await verify()).broken.map(({ n }) => n)).toEqual(places);
  });

  it('shows one that somebody else signed', async () => {
    await three();
    bench.shop.refund('1201', { amount: '1.00' });
    await keepClose(bench.ledger.closes, openSigner(new Uint8Array(32).fill(9)), (await close(bench)).close);
    const { broken } = await verify();
    expect(broken.map(({ sentence }) => sentence)).toEqual([
      'El cierre 4 (2026-11-20) lo firmó una clave que no es de esta instalación.',
    ]);
  });

  it('holds no buyer: neither name, identification, address nor mail', async () => {
    const kept = await three();
    const sale = bench.shop.order('1201') as { billing: Record<string, string> } | undefined;
    const { first_name, last_name, email, phone, address_1 } = sale?.billing ?? {};
    for (const { content } of kept)
      for (const private_ of [first_name, last_name, email, phone, address_1, '1710034065'])
        expect(content).not.toContain(private_ ?? 'missing');
  });
});

describe('a signature', () => {
  it('is of these bytes and this key alone', () => {
    const other = openSigner(new Uint8Array(32).fill(4));
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, more) => {
        const signature = signer.sign(text);
        expect(isSigned(text, signature, signer.publicKey)).toBe(true);
        expect(isSigned(text, signature, other.publicKey)).toBe(false);
        if (more !== '') expect(isSigned(text + more, signature, signer.publicKey)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('covers JSON that comes back the same from any JSON reader', () => {
    const { value } = fc.letrec((reference) => ({
      value: fc.oneof(
        fc.string(),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        fc.array(reference('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), reference('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        const text = canonicalJson(one);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });
});
