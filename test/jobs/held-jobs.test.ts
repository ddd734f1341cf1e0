import { afterEach, describe, expect, test } from 'vitest';
import type { AlertNews } from '../../src/domain/alerts.ts';
import { type JobKind, orderSubject } from '../../src/domain/job.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { openWatches } from '../../src/jobs/watch.ts';
import { close } from '../reports/day.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { callsOver } from '../support/operations.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const leaseMs = 60_000;

/** Runs what is due up to a job of this kind, and dies of that one twice. */
async function dieTwiceOf(kind: JobKind): Promise<void> {
  for (let deaths = 0; deaths < 2; ) {
    const [due] = await bench.ledger.jobs.due(bench.clock.now(), 10, 100);
    if (!due) throw new Error(`No ${kind} is due.`);
    await bench.ledger.jobs.release([due.id], bench.clock.now());
    const job = await bench.ledger.jobs.claim(due.id, leaseMs, bench.clock.now());
    if (due.kind !== kind && job) {
      await openRunJob(bench.deps)(job);
      await bench.ledger.jobs.finish(due.id, job.token);
      continue;
    }
    bench.advance(leaseMs);
    await bench.ledger.jobs.recover(bench.clock.now(), leaseMs);
    deaths += 1;
  }
  await openWatches(bench.deps).ledger();
}

const alert = async () => (await bench.ledger.alerts.open()).find(({ code }) => code === 'job-held');
const operations = () => callsOver(bench.deps, { stores: new Map([[bench.store.id, bench.store]]) });
const states = async () => (await bench.documents()).map(({ state }) => state);
const orderOf = () => ({ platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' });

describe('a job under which the process died twice', () => {
  test('is told at once, and neither a webhook of its order nor time brings it back', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await dieTwiceOf('sync-order');
    expect(await alert()).toMatchObject({
      subject: `sync-order ${orderSubject(orderOf())}`,
      what: 'Pedido 1201 (tienda): el programa se detuvo dos veces mientras intentaba leer el pedido de la tienda. Ese trabajo queda detenido, para que los demás sigan.',
    });
    expect(await bench.read('1201')).toEqual([]);
    await bench.pass(60, 24 * 60);
    expect(await states()).toEqual([]);
    const { close: closed } = await close(bench);
    expect(closed.unanswered.map(({ name }) => name)).toEqual(['1201']);
  });

  test('is not held where it delivers alerts: people are notified once it runs to its end', async () => {
    const notified: string[] = [];
    const notify = async ({ begun }: AlertNews) => void notified.push(...begun.map(({ code }) => code));
    bench = await openJobBench({ channels: [{ id: 'correo', notify }] });
    await bench.deps.alerts.raise({ code: 'account-api-key', subject: 'cuenta', params: {} });
    bench.advance(60_000);
    await dieTwiceOf('deliver-alerts');
    await bench.pass(1);
    expect([notified, await alert()]).toEqual([['account-api-key'], undefined]);
  });

  test('runs again once a person ends its alert, as the alert says', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await dieTwiceOf('sync-order');
    const { code = '', subject = '', resolution } = (await alert()) ?? {};
    expect(resolution).toContain(`facturapuente alerts clear ${code} "${subject}"`);
    const answer = await operations().clearAlert({ code, subject });
    expect(answer).toEqual({
      done: true,
      message: 'Se intenta otra vez lo que estaba detenido: leer el pedido de la tienda.',
    });
    await bench.pass(5, 5);
    expect([await states(), await alert()]).toEqual([['authorized'], undefined]);
  });

  test('runs again once a person asks for its order to be read', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await dieTwiceOf('sync-order');
    await operations().syncOrder({ order: orderOf().orderId });
    await bench.pass(5, 5);
    expect([await states(), await alert()]).toEqual([['authorized'], undefined]);
  });

  test('that sends a document sends it once, under its number, after `retry`', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await dieTwiceOf('submit-document');
    const [{ id = '', orderName = '' } = {}] = await bench.documents();
    expect((await alert())?.what).toMatch(`Pedido ${orderName}`);
    await bench.pass(60);
    expect([await states(), bench.posts()]).toEqual([['ready'], []]);
    const answer = await operations().retry({ document: id });
    expect(answer).toEqual({
      done: true,
      message: 'Se intenta otra vez lo que estaba detenido: enviar el documento.',
    });
    await bench.pass(5, 5);
    expect([await states(), bench.posts(), await alert()]).toEqual([['authorized'], [200], undefined]);
  });

  test.each([
    ['settle-document', 'anotar lo que avisó el servicio'],
    ['announce', 'avisar a otros sistemas'],
  ] as const)('that is %s of a document runs again after `retry` of that document', async (kind, what) => {
    const listener = { id: 'erp', wants: () => true, notify: async () => {} };
    bench = await openJobBench({ listeners: [listener] });
    for (const orderId of ['1202', '1201']) {
      await bench.sync(orderId);
      await bench.run();
    }
    await bench.decided();
    const { id, accessKey } = await bench.documentOf('1201');
    await bench.event(String(accessKey));
    await dieTwiceOf(kind);
    const other = await bench.documentOf('1202');
    await operations().retry({ document: other.id });
    expect(await bench.ledger.jobs.held()).toMatchObject([{ kind }]);
    expect(await operations().retry({ document: id })).toEqual({
      done: true,
      message: `Se intenta otra vez lo que estaba detenido: ${what}.`,
    });
    await bench.pass(5, 5);
    expect([await bench.ledger.jobs.held(), await alert()]).toEqual([[], undefined]);
    expect((await bench.documentOf('1201')).state).toBe('authorized');
  });
});
