import { afterEach, describe, expect, it } from 'vitest';
import type { StoredDocument } from '../../sandbox/emulator/index.ts';
import type { DocumentEvent } from '../../src/domain/document.ts';
import type { Letter } from '../../src/domain/ports.ts';
import { shadowShop } from '../../src/domain/settings.ts';
import { takeAnswer } from '../../src/jobs/ask-buyer.ts';
import { close } from '../reports/day.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';

/* Shadow mode: real orders in the test environment, beside production or before it (docs/adr/0015). */

const series = { establecimiento: '001', puntoEmision: '900', first: 500 };
const account = { apiKey: 'clave-1', providerApproved: true, credits: 100 };
let bench: JobBench;
let notified: DocumentEvent[];
let letters: Letter[];
afterEach(() => bench?.close());

async function open(options: JobBenchOptions = {}) {
  notified = [];
  letters = [];
  bench = await openJobBench({
    ambiente: 2,
    shadow: { series },
    sandbox: { accounts: [account] },
    listeners: [
      { id: 'oyente', wants: () => true, notify: async (event: DocumentEvent) => void notified.push(event) },
    ],
    mailer: { send: async (letter: Letter) => void letters.push(letter), close: () => {} },
    ...options,
  });
}

/** Everything that becomes due within the next hours, with the authority's answers. */
async function settle(...orders: string[]) {
  for (const id of orders) await bench.sync(id);
  for (let turn = 0; turn < 4; turn += 1) {
    await bench.run();
    await bench.decided();
    bench.advance(5 * 60_000);
  }
  await bench.run();
}

type Sale = Extract<StoredDocument, { tipo: '01' | '04' }>;
const sent = (ambiente: 1 | 2, tipo: Sale['tipo'] = '01'): Sale[] =>
  bench.sandbox.documents().filter((one): one is Sale => one.ambiente === ambiente && one.tipo === tipo);
const key = (orderId: string) => ({ platform: 'woocommerce', shop: bench.shop.url, orderId });
const shadowKey = (orderId: string) => ({ ...key(orderId), shop: shadowShop(bench.shop.url) });
const meta = (orderId: string) =>
  Object.fromEntries(
    (bench.shop.order(orderId)?.meta_data ?? []).map(({ key: name, value }) => [name, String(value)]),
  );
const figures = ({ body, figures: sums }: Sale) => ({
  items: body.items,
  identificacion: body.comprador.identificacion,
  total: sums.importeTotal,
});

describe('a shadow beside production', () => {
  it('gives exactly one factura in each environment, of the same figures, however often the order is told', async () => {
    await open();
    for (let turn = 0; turn < 3; turn += 1) {
      await bench.sync('1201');
      await settle();
    }
    expect(bench.sandbox.documents()).toHaveLength(2);
    const [real, shadow] = [sent(2)[0], sent(1)[0]];
    if (!real || !shadow) throw new Error('One of the two is missing.');
    expect([real.numero, shadow.numero]).toEqual(['001-001-000000001', '001-900-000000500']);
    expect(figures(shadow)).toEqual(figures(real));
    expect(real.body.comprador).toMatchObject({ correo: 'lucia@example.ec' });
    expect(bench.sandbox.audit()).toMatchObject({ duplicates: [] });
  });

  it('writes only production’s onto the order, mails nobody, and notifies nobody', async () => {
    await open();
    await settle('1201');
    const [real, shadow] = [sent(2)[0], sent(1)[0]];
    expect(meta('1201')._facturapuente_clave_acceso).toBe(real?.claveacceso);
    expect(JSON.stringify([bench.shop.order('1201'), bench.shop.notes('1201')])).not.toContain(
      shadow?.claveacceso,
    );
    // The only way the service could learn of an address to mail to.
    expect(JSON.stringify(shadow?.body)).not.toContain('@');
    expect(letters).toEqual([]);
    expect(notified.map(({ data }) => data.ambiente)).toEqual([2]);
    expect(bench.alerts).toEqual([]);
    const [document] = await bench.ledger.documents.ofOrder(shadowKey('1201'));
    expect(document).toMatchObject({ state: 'authorized', storeId: 'tienda.sombra', writtenBack: null });
  });

  it('gives a refund its nota de crédito in each environment', async () => {
    await open();
    await settle('1201');
    bench.shop.refund('1201', { amount: '5.00', reason: 'Demora' });
    await settle('1201');
    const notes = [sent(2, '04'), sent(1, '04')];
    expect(notes.map((of) => of.map(({ figures: sums }) => sums?.importeTotal))).toEqual([
      ['5.00'],
      ['5.00'],
    ]);
    expect(notes[1]?.[0]?.numero).toBe('001-900-000000001');
  });

  it('is no part of the day’s close, which adds up without it', async () => {
    await open();
    await settle('1201', '1202', '1203', '1204', '1205');
    const { close: found } = await close(bench);
    expect(found).toMatchObject({ result: 'green', differences: [], foreign: [] });
    expect(found.issued[0]?.ours.count).toBe(sent(2).length);
  });

  it('leaves production as it is when the authority refuses the shadow', async () => {
    await open({ shadow: undefined as never });
    await settle('1201');
    const before = await bench.ledger.documents.ofOrder(key('1201'));
    const order = structuredClone(bench.shop.order('1201'));
    bench.restart(['clave-1'], { series });
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await settle('1201');
    expect(await bench.ledger.documents.ofOrder(shadowKey('1201'))).toMatchObject([{ state: 'rejected' }]);
    expect([await bench.ledger.tasks.count(), await bench.ledger.tasks.documents(9)]).toEqual([0, []]);
    expect(await bench.ledger.documents.ofOrder(key('1201'))).toEqual(before);
    expect(bench.shop.order('1201')).toEqual(order);
    expect(bench.alerts).toEqual([]);
    await settle('1202');
    expect([sent(2).length, sent(1).length]).toEqual([2, 2]);
  });

  it('pauses nothing of production when the service fails the shadow again and again', async () => {
    await open({ shadow: { series, only: true } });
    for (const id of ['1201', '1202', '1203', '1204', '1205']) await bench.sync(id);
    bench.sandbox.faults.add({ failBeforeStoring: { status: 502, times: 12 } });
    await settle();
    expect(await bench.ledger.pauses.list()).toEqual([]);
    expect(bench.alerts).toEqual([]);
    bench.restart(['clave-1'], null);
    bench.sandbox.faults.clear();
    await settle('1201');
    expect(sent(2)).toHaveLength(1);
  });

  it('asks the buyer once, for production, and takes the answer for both', async () => {
    await open({ policy: { finalConsumer: { allowed: false }, buyer: { ask: true, mail: true } } });
    bench.shop.put({ ...bench.shop.order('1201'), id: 1301, number: '1301', meta_data: [] });
    await bench.sync('1301');
    await settle();
    const [held] = await bench.ledger.documents.ofOrder(key('1301'));
    const [shadow] = await bench.ledger.documents.ofOrder(shadowKey('1301'));
    for (const document of [held, shadow])
      expect(document).toMatchObject({ state: 'held', code: 'buyer-id-missing' });
    expect(await bench.ledger.questions.get(shadowKey('1301'))).toBeUndefined();
    expect(letters).toHaveLength(1);
    if (!held) throw new Error('Nothing is held.');
    const answer = { type: 'cedula', id: '1710034065', name: 'Ana Torres', email: 'ana@example.ec' } as const;
    expect(await takeAnswer(bench.deps, held, answer)).toBe('taken');
    await settle();
    const named = [sent(2), sent(1)].map(([one]) => one?.body.comprador);
    expect(named).toMatchObject([
      { razon_social: 'Ana Torres', correo: 'ana@example.ec' },
      { razon_social: 'Ana Torres' },
    ]);
    expect(JSON.stringify(sent(1)[0]?.body)).not.toContain('@');
    expect(letters).toHaveLength(1);
  });
});

describe('a shadow before production', () => {
  it('sends nothing in production and touches no order, until its time comes', async () => {
    await open({ shadow: { series, only: true } });
    await settle('1201');
    expect([sent(1).length, sent(2).length]).toEqual([1, 0]);
    expect(meta('1201')._facturapuente_clave_acceso).toBeUndefined();
    expect(bench.shop.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(await bench.ledger.documents.ofOrder(key('1201'))).toEqual([]);
    // Read all the same, so that a search for lost webhooks does not ask for it again and again.
    expect((await bench.ledger.orders.get(key('1201')))?.decision).toEqual([]);

    bench.restart(['clave-1'], { series });
    await settle('1202');
    expect(sent(2)).toHaveLength(1);
    expect(meta('1202')._facturapuente_clave_acceso).toBe(sent(2)[0]?.claveacceso);
  });

  it('ends with the config: what was still under way goes nowhere', async () => {
    await open();
    await bench.sync('1201');
    bench.restart(['clave-1'], null);
    await settle();
    expect([sent(1).length, sent(2).length]).toEqual([0, 1]);
  });
});
