import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { type AssistantParts, callTool, masked, type ToolAnswer } from '../../src/assistant/tools.ts';
import { settle } from '../reports/day.ts';
import { addFee, holdEdited } from '../support/edited-order.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { operationsOver } from '../support/operations.ts';

/** The tools of an assistant on the real ledger, sandbox and shop: what they show, and what they refuse to do. */
let bench: JobBench;
let parts: AssistantParts;
afterEach(() => bench?.close());

async function open(options: JobBenchOptions = {}, allowProduction = false) {
  bench = await openJobBench({ orders: wooOrders(new Date('2026-11-20T15:00:00Z')), ...options });
  const stores = new Map([[bench.store.id, bench.store]]);
  parts = { operations: operationsOver(bench.deps, { stores }), plans: bench.deps, allowProduction };
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of every tool.
type Data = Record<string, any>;
const call = (tool: string, input: unknown = {}): Promise<ToolAnswer> =>
  callTool(parts, tool, input, { by: 'prueba', scope: null });
async function data(tool: string, input: unknown = {}): Promise<Data> {
  const answer = await call(tool, input);
  if (!answer.ok) throw new Error(answer.message);
  return answer.data;
}
const message = async (tool: string, input: unknown = {}): Promise<string> => {
  const answer = await call(tool, input);
  return answer.ok ? '' : answer.message;
};

/** The factura of 1201, refused by the service. */
async function rejected(options: JobBenchOptions = {}, allowProduction = false) {
  await open(options, allowProduction);
  bench.sandbox.faults.add({ failBeforeStoring: 400 });
  await settle(bench, '1201');
  return bench.document();
}

describe('looking', () => {
  it('shows what waits for a person, the timeline of an order, and a document by each of its names', async () => {
    const document = await rejected();
    const pending = await data('pending');
    expect(pending).toMatchObject({ waiting: 1, documents: [{ state: 'rejected', order: '#1201' }] });
    expect(await message('pending', { store: 'otra' })).toContain('otra');
    const timeline = await data('explain', { order: '#1201' });
    expect(timeline).toMatchObject({
      orders: [{ order: '#1201', documents: [{ state: 'rejected', attempts: [{ n: 1 }] }] }],
    });
    for (const name of [document.id, `001-001-${document.secuencial}`])
      expect(await data('document', { document: name })).toMatchObject({ id: document.id });
    expect(await message('explain', { order: '9999' })).toContain('no conoce ningún pedido 9999');
  });

  it('closes a day without keeping it', async () => {
    await open();
    await settle(bench, '1201', '1202', '1203', '1204', '1205');
    bench.setTime('2026-11-21T15:00:00Z');
    expect(await data('close')).toMatchObject({ close: { day: '2026-11-20', result: 'green' } });
    expect(await bench.ledger.closes.recent(1)).toEqual([]);
  });

  it('plans an order and a refund with totals and taxes, and emits nothing', async () => {
    await open();
    await settle(bench, '1201');
    bench.shop.refund('1201', { amount: '11.50' });
    const plan = await data('plan_sync_order', { order: '1201' });
    expect(plan.actions).toMatchObject([
      { kind: 'factura', action: 'nothing' },
      { kind: 'nota-credito', action: 'emit', total: '11.50', taxes: [{ base: 10, valor: 1.5 }] },
    ]);
    await bench.run();
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('names no buyer, whatever the tool', async () => {
    await open();
    await settle(bench, '1201', '1202');
    const texts = await Promise.all(
      [
        ['pending', {}],
        ['explain', { order: '1201' }],
        ['plan_sync_order', { order: '1201' }],
        ['plan_sync_order', { order: '1202' }],
        ['close', { date: '2026-11-20' }],
        ['document', { document: '001-001-000000001' }],
      ].map(async ([tool, input]) => JSON.stringify(await data(tool as string, input))),
    );
    for (const id of ['1201', '1202']) {
      const { billing } = bench.shop.order(id) as unknown as { billing: Record<string, string> };
      for (const private_ of [billing.last_name, billing.email, billing.phone, billing.address_1])
        for (const text of texts) expect(text).not.toContain(private_ ?? 'missing');
    }
    for (const text of texts) expect(text).not.toMatch(/1710034065|0190012344001/);
  });
});

describe('changing', () => {
  it('accepts what the shop says now, by a plan, and not once the order changed again', async () => {
    await open();
    const document = await holdEdited(bench);
    const plan = async () => (await data('plan_accept', { document: document.id })).execute;
    const { plan: stale } = await plan();
    addFee(bench, new Date(bench.clock.now().getTime() + 1_000).toISOString().slice(0, 19));
    await bench.sync('1201');
    await bench.run();
    expect(await message('accept', { plan: stale })).toContain('cambió desde entonces');
    const { plan: shown } = await plan();
    expect(await data('accept', { plan: shown })).toMatchObject({ done: true });
    await settle(bench);
    expect(await bench.document()).toMatchObject({ state: 'authorized', total: '56.75' });
  });

  it('is done by the id of a plan that was shown, once', async () => {
    const document = await rejected();
    const { execute } = await data('plan_retry', { document: document.id });
    expect(execute.tool).toBe('retry');
    expect(await data('retry', { plan: execute.plan })).toMatchObject({ done: true });
    await settle(bench);
    expect((await bench.document()).state).toBe('authorized');
    expect(await message('retry', { plan: execute.plan })).toContain('ya se ejecutó');
  });

  it('of two who take a plan at once, one has it', async () => {
    const document = await rejected();
    const { execute } = await data('plan_retry', { document: document.id });
    const both = await Promise.all([1, 2].map(() => call('retry', { plan: execute.plan })));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it.each([
    ['unknown', async () => 'plan-AAAAAAAAAAAA', 'Nadie mostró un plan con ese id.'],
    [
      'expired',
      async (id: string) => {
        bench.advance(11 * 60_000);
        return id;
      },
      'venció',
    ],
    [
      'of another tool',
      async () => (await data('plan_ask_buyer', { document: (await bench.document()).id })).execute.plan,
      'Nadie mostró un plan con ese id.',
    ],
    [
      'overtaken',
      async (id: string) => {
        await bench.ledger.documents.move((await bench.document()).id, {
          from: ['rejected'],
          to: 'manual',
          now: bench.clock.now(),
        });
        return id;
      },
      'cambió desde entonces',
    ],
  ])('is refused by an id that is %s', async (_what, spoil, reason) => {
    const document = await rejected();
    const { execute } = await data('plan_retry', { document: document.id });
    const id = await spoil(execute.plan);
    const before = await bench.document();
    expect(await message('retry', { plan: id })).toContain(reason);
    expect((await bench.document()).version).toBe(before.version);
  });

  it('emits what was planned of an order, and nothing when the order changed meanwhile', async () => {
    await open();
    await settle(bench, '1201');
    bench.shop.refund('1201', { amount: '11.50' });
    const shown = await data('plan_sync_order', { order: '1201' });
    bench.shop.refund('1201', { amount: '1.00' });
    expect(await message('sync_order', { plan: shown.execute.plan })).toContain('cambió desde entonces');
    const again = await data('plan_sync_order', { order: '1201' });
    expect(await data('sync_order', { plan: again.execute.plan })).toMatchObject({ done: true });
    await settle(bench);
    expect(bench.sandbox.documents().filter(({ tipo }) => tipo === '04')).toHaveLength(2);
    expect(await bench.ledger.auditLog.of('1201', 1)).toMatchObject([{ who: 'prueba', what: 'sync-order' }]);
  });

  it('is refused in production unless the config allows it', async () => {
    const account = { apiKey: 'clave-1', creditos: 100, proveedorAprobado: true };
    const sandbox = { accounts: [account] } as JobBenchOptions['sandbox'];
    const document = await rejected({ ambiente: 2, ...(sandbox && { sandbox }) });
    const { execute } = await data('plan_retry', { document: document.id });
    expect(await message('retry', { plan: execute.plan })).toContain('mcp.allowProduction');
    parts = { ...parts, allowProduction: true };
    const { execute: second } = await data('plan_retry', { document: document.id });
    expect(await call('retry', { plan: second.plan })).toMatchObject({ ok: true });
  });
});

it('long numbers and mail addresses are masked in any JSON, numbers of documents and access keys are not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000_000, max: 9_999_999_999_999 }), fc.string(), (id, text) => {
      const bare = text.replace(/[\d@]/g, '');
      const shown = JSON.stringify(masked({ list: [`${bare} ${id} ana@tienda.ec`] }, new Set()));
      expect(shown).not.toContain(String(id));
      expect(shown).not.toContain('ana@tienda.ec');
    }),
  );
  const kept = { number: '001-001-000000123', key: '1'.repeat(49), ruc: '1790012345001' };
  expect(masked(kept, new Set(['1790012345001']))).toEqual(kept);
});
