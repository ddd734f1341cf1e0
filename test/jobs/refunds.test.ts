import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';

/** From the shop's refund to the nota de crédito on its order. Order 1201 is a sale of 33.75. */
let bench: JobBench;
afterEach(() => bench?.close());

/** What is due leaves, the authority decides, and the product asks. */
const settle = async () => {
  await bench.run();
  await bench.decided();
  await bench.wait(5);
};
const sync = async (order = '1201') => {
  await bench.sync(order);
  await settle();
};
const sold = async (options: JobBenchOptions = {}) => {
  bench = await openJobBench(options);
  await sync();
};
const refund = (amount: string, more: object = {}) => bench.shop.refund('1201', { amount, ...more });
const states = async () =>
  (await bench.documents()).map(({ kind, state, total }) => `${kind} ${state} ${total}`);
const merchantNotes = (id = '1201') =>
  bench.shop.notes(id).flatMap(({ customer_note, note }) => (customer_note ? [] : [note]));

describe('a refund', () => {
  it('after the factura becomes a nota de crédito, and the rest of the money another, both on the order', async () => {
    await sold();
    refund('11.50', { reason: 'Talla equivocada' });
    await sync();
    refund('22.25');
    await sync();
    expect(await states()).toEqual([
      ...['factura authorized 33.75', 'nota-credito authorized 11.50', 'nota-credito authorized 22.25'],
    ]);
    const [, first, second] = await bench.documents();
    expect([first?.secuencial, second?.secuencial]).toEqual(['000000001', '000000002']);
    const { meta_data } = bench.shop.order('1201') ?? {};
    expect(meta_data?.find(({ key }) => key === '_facturapuente_notas_credito')?.value).toMatchObject([
      { clave_acceso: first?.accessKey, numero: '001-001-000000001' },
      { clave_acceso: second?.accessKey, numero: '001-001-000000002' },
    ]);
    expect(bench.shop.notes('1201').filter((note) => note.customer_note)).toHaveLength(3);
  });

  it('before the factura is taken off it, and named by the attempt', async () => {
    bench = await openJobBench();
    const { id } = refund('11.50');
    await sync();
    await sync();
    expect(await states()).toEqual(['factura authorized 22.25']);
    expect((await bench.attempts())[0]?.nettedRefunds).toEqual([String(id)]);
  });

  it('of everything before the factura leaves nothing to invoice', async () => {
    bench = await openJobBench();
    refund('33.75');
    await sync();
    expect(await states()).toEqual([]);
  });

  it('while the factura is with the authority waits, and is woken by its authorisation', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 400 } });
    await bench.read();
    refund('11.50');
    await bench.read();
    expect(await states()).toEqual(['factura processing 33.75']);
    await settle();
    await settle();
    expect(await states()).toEqual(['factura authorized 33.75', 'nota-credito authorized 11.50']);
  });

  it('whose answer was lost is one nota de crédito all the same', async () => {
    await sold();
    refund('11.50');
    bench.sandbox.faults.add({ dropAnswer: true });
    await sync();
    for (const _ of [1, 2, 3]) await settle();
    expect((await states()).slice(1)).toEqual(['nota-credito authorized 11.50']);
    expect(bench.sandbox.documents().filter(({ tipo }) => tipo === '04')).toHaveLength(1);
  });

  it('beside another one never takes the same money: the second is made anew', async () => {
    await sold();
    refund('11.50');
    refund('22.25');
    await sync();
    await settle();
    const both = ['nota-credito authorized 11.50', 'nota-credito authorized 22.25'];
    expect((await states()).slice(1).toSorted()).toEqual(both);
  });

  it('whose lines were restocked in a record of their own is one nota de crédito, which names that record', async () => {
    await sold();
    type Line = { id: number; quantity: number; total: string; total_tax: string };
    const [line] = (bench.shop.order('1201')?.line_items ?? []) as [Line];
    const { id, quantity } = line;
    const worth = (Number(line.total) + Number(line.total_tax)).toFixed(2);
    const restocked = refund('0.00', { line_items: [{ id, quantity }] });
    await sync();
    expect(await states()).toHaveLength(1);
    refund(worth);
    await sync();
    await sync();
    expect((await states()).slice(1)).toEqual([`nota-credito authorized ${worth}`]);
    expect((await bench.attempts())[0]).toMatchObject({
      nettedRefunds: [String(restocked.id)],
      lineReferences: [{ source: `line:${id}`, units: String(quantity) }],
    });
  });

  it('of a sale to consumidor final ends with a person, who reads on the order why and what to do, once', async () => {
    bench = await openJobBench();
    await sync('1203');
    bench.shop.refund('1203', { amount: '2.00' });
    await sync('1203');
    expect(await bench.document()).toMatchObject({
      ...{ kind: 'nota-credito', state: 'manual', code: 'final-consumer', secuencial: null },
    });
    const told = merchantNotes('1203');
    expect(told.join(' ')).toContain('desde 2026 el SRI no admite para ella nota de crédito');
    await sync('1203');
    expect(merchantNotes('1203')).toEqual(told);
  });
});

describe('a refund that is deleted', () => {
  const remove = (id: number | string) => {
    bench.shop.deleteRefund('1201', id as number);
    bench.shop.put({ ...bench.shop.order('1201'), refunds: [] }, []);
  };

  it('while nobody knows whether its nota de crédito left is dropped once that is known', async () => {
    // Its 500 names the key, so that the service can be asked before anything is repeated.
    await sold({ sandbox: { dialect: 'former' } });
    const { id } = refund('11.50');
    bench.sandbox.faults.add({ failBeforeStoring: 500 });
    await bench.read();
    bench.shop.deleteRefund('1201', id);
    await bench.sync('1201');
    for (const _ of [1, 2, 3]) await settle();
    expect((await states()).slice(1)).toEqual(['nota-credito cancelled null']);
    expect(await bench.jobsLeft()).toBe(0);
  });

  it('before its nota de crédito left is dropped, and said so', async () => {
    await sold();
    const { id } = refund('11.50');
    bench.sandbox.faults.add({ tooManyRequests: { retryAfterSeconds: 600 } });
    await bench.read();
    expect((await bench.document()).state).toBe('ready');
    remove(id);
    await sync();
    expect(await bench.document()).toMatchObject({ state: 'cancelled', code: 'refund-deleted' });
  });

  it('after its nota de crédito was authorised is told on the order once: only a person can mend it', async () => {
    await sold();
    const { id } = refund('11.50');
    await sync();
    expect(await bench.document()).toMatchObject({ kind: 'nota-credito', state: 'authorized' });
    remove(id);
    await sync();
    await sync();
    expect(merchantNotes().filter((note) => note.includes('se eliminó en la tienda, pero'))).toEqual([
      expect.stringMatching(/^Este pedido necesita revisión manual\. El reembolso/),
    ]);
  });
});

/** It is planned anew at once where its factura stops, and no webhook tells. */
describe('a refund that waits for a factura in process', () => {
  const decisions = async () => {
    const { url: shop } = bench.shop;
    const row = await bench.ledger.orders.get({ platform: 'woocommerce', shop, orderId: '1201' });
    const decision = row?.decision as { kind: string; code: string }[];
    return decision.map(({ kind, code }) => `${kind} ${code}`);
  };
  /** The buyer got money back while the factura was on its way; the plan says that it waits. */
  async function refundInProcess(amount: string): Promise<void> {
    refund(amount);
    bench.advance(30_000);
    await bench.read();
    expect(await decisions()).toContain('nota-credito factura-in-process');
  }
  /** The authority decides so on the factura. */
  async function decided(codigo: number): Promise<void> {
    bench = await openJobBench();
    bench.sandbox.faults.add({ outcome: { codigo, times: 1 } });
    await bench.sell();
  }

  it('of everything drops the factura the authority rejects: nothing is left to correct it for', async () => {
    await decided(52);
    await refundInProcess('33.75');
    await bench.webhook();
    expect(await bench.document()).toMatchObject({ state: 'cancelled', code: 'fully-refunded' });
    expect(await decisions()).toContain('nota-credito fully-refunded');
    expect(await bench.openAlerts()).toEqual([]);
  });

  it.each([
    ['needs a correction, when the authority rejects it', 52, 'rejected'],
    ['is given to a person', 45, 'manual'],
  ])('of a part says that the factura %s', async (_what, codigo, state) => {
    await decided(codigo);
    await refundInProcess('10.00');
    await bench.webhook();
    expect((await bench.document()).state).toBe(state);
    expect(await decisions()).toContain('nota-credito factura-unsettled');
  });

  it('is planned anew when the service refuses the repeat of a lost sending', async () => {
    bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.read();
    await refundInProcess('10.00');
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await bench.wait(3);
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'refused' });
    expect(await decisions()).toContain('nota-credito factura-unsettled');
  });

  it('drops a factura that turns out not to have left, where everything went back meanwhile', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: 500 });
    await bench.read();
    await refundInProcess('33.75');
    await bench.wait(3, 5, 10, 15);
    expect(await bench.document()).toMatchObject({ state: 'cancelled', code: 'fully-refunded' });
  });

  it('is all that has an order read again: a factura that stops without refunds does not', async () => {
    await decided(52);
    expect(await bench.webhook()).not.toContain('sync-order');
    expect((await bench.document()).state).toBe('rejected');
  });
});

/** No event tells that a person annulled it at the authority's portal. */
describe('a factura annulled at the portal', () => {
  const annul = async (claveacceso: string) => {
    const answer = await fetch(`${bench.sandbox.url}/__sandbox/anulaciones`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ claveacceso }),
    });
    return answer.status;
  };

  it.each(['described', 'older'] as const)(
    'in the words of %s, is never credited: the refund is left to a person, who is told, and the factura says so',
    async (dialect) => {
      bench = await openJobBench({ sandbox: { dialect } });
      await bench.sell();
      await bench.webhook();
      const { id } = await bench.document();
      expect(await annul(bench.key())).toBe(201);
      // Planned anew it stays so, and nothing is told twice.
      for (const credits of [1, 2]) {
        refund('10.00', { reason: 'Talla equivocada' });
        await bench.read();
        const [factura, ...made] = await bench.documents();
        expect(factura).toMatchObject({ state: 'authorized', annulledAt: expect.any(String) });
        expect(made.map(({ state, code }) => [state, code])).toEqual(
          Array(credits).fill(['manual', 'document-annulled']),
        );
      }
      expect(bench.sandbox.documents()).toHaveLength(1);
      expect((await bench.notes(id)).at(-1)).toMatchObject({ code: 'document-annulled' });
      expect(bench.alerts.filter((code) => code === 'document-annulled')).toHaveLength(1);
      expect(await bench.openAlerts()).toContain('document-annulled');
    },
  );

  it('has to be authorised before, at the portal of the sandbox', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 3_600_000 } });
    await bench.read();
    const answers = [await annul('1'.repeat(49)), await annul(bench.key()), await annul('1')];
    expect(answers).toEqual([404, 409, 400]);
  });
});
