import { afterEach, expect, it } from 'vitest';
import { magicBuyers } from '../../sandbox/emulator/authority/magic.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A document that the authority refuses because of its issuer needs a person at once, although it goes on by itself. */
let bench: JobBench;
const early = '2026-11-20T05:05:00Z';
const quarter = 15 * 60_000;
afterEach(() => bench?.close());

const open = async () =>
  (await bench.ledger.alerts.open()).filter(({ code }) => code !== 'job-keeps-failing');
const key = () => bench.sandbox.documents()[0]?.claveacceso ?? '';

async function sell(): Promise<void> {
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
}
const report = async (fields = {}) => {
  await bench.event(key(), fields);
  await bench.run();
};
async function pass(hours: number): Promise<void> {
  for (let turn = 0; turn < hours * 4; turn += 1) {
    bench.advance(quarter);
    await bench.run();
    await bench.decided();
  }
}

it.each([
  [2, /El RUC del emisor no está activo/],
  [10, /establecimiento del emisor está clausurado/],
  [37, /no tiene autorización para emitir/],
  [39, /La firma electrónica no es válida. Suba la firma electrónica vigente/],
  [40, /certificado de la firma electrónica/],
  [56, /establecimiento está cerrado/],
])('%i: is an alert with the refusal, which ends when the document is authorised', async (code, why) => {
  bench = await openJobBench({ now: early });
  const buyer = magicBuyers.find(({ codigo }) => codigo === code);
  const meta_data = [{ id: 1, key: '_billing_cedula', value: buyer?.cedula ?? '' }];
  bench.shop.put({ ...(bench.shop.order('1201') as object), meta_data });
  await sell();
  await report();
  const { id, state } = await bench.document();
  expect(state).toBe('processing');
  expect(await open()).toMatchObject([
    { code: 'issuer-refused', subject: id, what: expect.stringMatching(why) },
  ]);
  bench.advance(quarter);
  await bench.run();
  await bench.decided();
  expect(await open()).toHaveLength(1);
  await report();
  expect((await bench.document()).state).toBe('authorized');
  expect(await open()).toEqual([]);
});

it('an error of the authority itself is no alert: it passes without a person', async () => {
  bench = await openJobBench({ now: early });
  bench.sandbox.faults.add({ outcome: { codigo: 50, times: 1 } });
  await sell();
  await report();
  expect(await bench.document()).toMatchObject({ state: 'processing', code: 'reprocess' });
  expect(await open()).toEqual([]);
});

it('a refusal that stays is one alert, then that of the rejected document', async () => {
  bench = await openJobBench({ now: early });
  bench.sandbox.faults.add({ outcome: { codigo: 39 } });
  await sell();
  await pass(2);
  expect((await open()).map(({ code }) => code)).toEqual(['issuer-refused']);
  await pass(21);
  expect((await bench.document()).state).toBe('rejected');
  expect((await open()).map(({ code }) => code)).toEqual(['document-rejected']);
});

it('a refusal that a fault of the authority follows is no longer the issuer’s', async () => {
  bench = await openJobBench({ now: early });
  bench.sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
  await sell();
  await report();
  expect(await open()).toHaveLength(1);
  bench.sandbox.faults.add({ outcome: { codigo: 50, times: 1 } });
  await pass(0.25);
  await report();
  expect(await bench.document()).toMatchObject({ state: 'processing', code: 'reprocess' });
  expect(await open()).toEqual([]);
});
