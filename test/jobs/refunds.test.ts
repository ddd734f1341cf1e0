import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import type { Document } from '../../src/domain/document.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** From the shop's refund to the nota de crédito on its order, on the real ledger, sandbox and shop. */
let bench: JobBench;
const open = async (options: { sandbox?: SandboxOptions; policy?: Record<string, unknown> } = {}) => {
  bench = await openJobBench(options);
};
afterEach(() => bench?.close());

/** Runs what is due, lets the authority decide, and lets the product ask. */
async function settle(): Promise<void> {
  await bench.run();
  await bench.decided();
  bench.advance(5 * 60_000);
  await bench.run();
}

const sync = async () => {
  await bench.sync('1201');
  await settle();
};
const documents = async (): Promise<Document[]> =>
  (await bench.ledger.documents.list({ limit: 20 })).toReversed();
const states = async () => (await documents()).map(({ kind, state, total }) => `${kind} ${state} ${total}`);
const total = () => Number(bench.shop.order('1201')?.total);

describe('a refund', () => {
  it('after the factura becomes a nota de crédito, and the rest of the money another, both on the order', async () => {
    await open();
    await sync();
    bench.shop.refund('1201', { amount: '11.50', reason: 'Talla equivocada' });
    await sync();
    bench.shop.refund('1201', { amount: (total() - 11.5).toFixed(2) });
    await sync();
    const sold = total().toFixed(2);
    const rest = (total() - 11.5).toFixed(2);
    expect(await states()).toEqual([
      `factura authorized ${sold}`,
      'nota-credito authorized 11.50',
      `nota-credito authorized ${rest}`,
    ]);
    const [, first, second] = await documents();
    expect([first?.secuencial, second?.secuencial]).toEqual(['000000001', '000000002']);
    const written = bench.shop
      .order('1201')
      ?.meta_data.find(({ key }) => key === '_facturapuente_notas_credito');
    expect(written?.value).toMatchObject([
      { clave_acceso: first?.accessKey, numero: '001-001-000000001' },
      { clave_acceso: second?.accessKey, numero: '001-001-000000002' },
    ]);
    const mailed = bench.shop.notes('1201').filter((note) => note.customer_note);
    expect(mailed).toHaveLength(3);
  });

  it('before the factura is taken off it, and named by the attempt', async () => {
    await open();
    bench.shop.refund('1201', { amount: '11.50' });
    await sync();
    expect(await states()).toEqual([`factura authorized ${(total() - 11.5).toFixed(2)}`]);
    const [factura] = await documents();
    const [attempt] = await bench.ledger.attempts.ofDocument(factura?.id ?? '');
    expect(attempt?.nettedRefunds).toEqual([String(bench.shop.refunds('1201')[0]?.id)]);
    await sync();
    expect(await documents()).toHaveLength(1);
  });

  it('of everything before the factura leaves nothing to invoice', async () => {
    await open();
    bench.shop.refund('1201', { amount: total().toFixed(2) });
    await sync();
    expect(await documents()).toEqual([]);
  });

  it('while the factura is with the authority waits, and is woken by its authorisation', async () => {
    await open({ sandbox: { authorizeDelayMs: 400 } });
    await bench.sync('1201');
    await bench.run();
    bench.shop.refund('1201', { amount: '11.50' });
    await bench.sync('1201');
    await bench.run();
    expect(await states()).toEqual([`factura processing ${total().toFixed(2)}`]);
    await settle();
    await settle();
    expect(await states()).toEqual([
      `factura authorized ${total().toFixed(2)}`,
      'nota-credito authorized 11.50',
    ]);
  });

  it('whose answer was lost is one nota de crédito all the same', async () => {
    await open();
    await sync();
    bench.shop.refund('1201', { amount: '11.50' });
    bench.sandbox.faults.add({ dropAnswer: true });
    await sync();
    for (let turn = 0; turn < 4; turn += 1) await settle();
    expect((await states()).slice(1)).toEqual(['nota-credito authorized 11.50']);
    expect(bench.sandbox.documents().filter(({ tipo }) => tipo === '04')).toHaveLength(1);
  });

  it('beside another one never takes the same money: the second is made anew', async () => {
    await open();
    await sync();
    bench.shop.refund('1201', { amount: '11.50' });
    bench.shop.refund('1201', { amount: (total() - 11.5).toFixed(2) });
    await sync();
    await settle();
    expect((await states()).slice(1).toSorted()).toEqual(
      ['nota-credito authorized 11.50', `nota-credito authorized ${(total() - 11.5).toFixed(2)}`].toSorted(),
    );
  });

  it('that is deleted while nobody knows whether its nota de crédito left is dropped once that is known', async () => {
    // Its 500 names the key, so that the service can be asked before anything is repeated.
    await open({ sandbox: { dialect: 'former' } });
    await sync();
    const refund = bench.shop.refund('1201', { amount: '11.50' });
    bench.sandbox.faults.add({ failBeforeStoring: 500 });
    await bench.sync('1201');
    await bench.run();
    bench.shop.deleteRefund('1201', refund.id);
    await bench.sync('1201');
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect((await states()).slice(1)).toEqual(['nota-credito cancelled null']);
    expect(await bench.ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
  });

  it('that is deleted before its nota de crédito left is dropped, and said so', async () => {
    await open();
    await sync();
    const refund = bench.shop.refund('1201', { amount: '11.50' });
    bench.sandbox.faults.add({ tooManyRequests: { retryAfterSeconds: 600 } });
    await bench.sync('1201');
    await bench.run();
    expect((await states())[1]).toMatch(/nota-credito ready/);
    bench.shop.deleteRefund('1201', refund.id);
    bench.shop.put({ ...bench.shop.order('1201'), refunds: [] }, []);
    await sync();
    expect((await documents())[1]).toMatchObject({ state: 'cancelled', code: 'refund-deleted' });
  });

  it('that is deleted after its nota de crédito was authorised is told on the order once: only a person can mend it', async () => {
    await open();
    await sync();
    const refund = bench.shop.refund('1201', { amount: '11.50' });
    await sync();
    expect((await documents())[1]).toMatchObject({ kind: 'nota-credito', state: 'authorized' });
    bench.shop.deleteRefund('1201', refund.id);
    bench.shop.put({ ...bench.shop.order('1201'), refunds: [] }, []);
    await sync();
    await sync();
    const reported = bench.shop
      .notes('1201')
      .filter(({ note }) => note.includes('se eliminó en la tienda, pero'));
    expect(reported.map(({ customer_note }) => customer_note)).toEqual([false]);
    expect(reported[0]?.note).toMatch(/^Este pedido necesita revisión manual\. El reembolso/);
  });

  it('of a sale to consumidor final ends with a person, who reads on the order why and what to do', async () => {
    await open();
    await bench.sync('1203');
    await settle();
    bench.shop.refund('1203', { amount: '2.00' });
    await bench.sync('1203');
    await settle();
    const [, credit] = await documents();
    expect(credit).toMatchObject({
      kind: 'nota-credito',
      state: 'manual',
      code: 'final-consumer',
      secuencial: null,
    });
    const notes = bench.shop.notes('1203').filter((note) => !note.customer_note);
    expect(notes.map(({ note }) => note).join(' ')).toContain(
      'desde 2026 el SRI no admite para ella nota de crédito',
    );
    // Nothing changes with the next look, and nobody is told twice.
    await bench.sync('1203');
    await settle();
    expect(bench.shop.notes('1203').filter((note) => !note.customer_note)).toHaveLength(notes.length);
  });
});
