import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import { factura } from '../sandbox/support.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** What may follow a lost answer when luck has run out as well. */
let bench: JobBench;
const open = async (options: { sandbox?: SandboxOptions; now?: string } = {}) => {
  bench = await openJobBench(options);
};
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const sell = async () => {
  await bench.sync('1201');
  await bench.run();
};
const questions = () =>
  bench.sandbox.requests().filter((request) => request.path.includes('/consulta/')).length;
/** Hours in which every webhook is lost; answers how often the service was asked. */
const wait = async (hours: number) => {
  const before = questions();
  for (let turn = 0; turn < hours * 12; turn += 1) {
    await bench.decided();
    bench.advance(minutes(5));
    await bench.run();
  }
  return questions() - before;
};

describe('a lost answer', () => {
  it('whose repeat is refused as 45 and whose own key never comes to light goes to a person, not round in circles', async () => {
    await open({ sandbox: { codigoNumerico: 'aleatorio' } });
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell();
    const asked = await wait(4);
    expect(await bench.document()).toMatchObject({
      state: 'manual',
      code: 'number-registered',
      writtenBack: 'manual',
    });
    expect(asked).toBeLessThan(10);
    expect(await bench.ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
  });

  it('whose repeat the service refuses goes to a person who is told that the first one may stand', async () => {
    await open({ sandbox: { codigoNumerico: 'aleatorio' } });
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell();
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    bench.advance(minutes(3));
    await bench.run();
    const { state, reason, id } = await bench.document();
    expect(state).toBe('manual');
    expect(reason).toContain('ese sí pudo ser autorizado');
    expect(reason).toContain(`facturapuente adopt ${id} CLAVE`);
  });

  it('whose key comes to light just before its repeat, still with the authority, is asked about to its end', async () => {
    await open();
    bench.sandbox.faults.add({ brokenJson: true });
    bench.sandbox.faults.add({ outcome: { codigo: 70, times: 1 } });
    await sell();
    await bench.decided();
    expect((await bench.document()).state).toBe('uncertain');
    bench.advance(minutes(3));
    // In one breath: the question that asks for the repeat, then the event that names the key.
    await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await bench.run();
    expect((await bench.ledger.jobs.counts()).waiting).toBe(1);
    await wait(30);
    expect(['authorized', 'manual']).toContain((await bench.document()).state);
  });

  it('that is adopted by its 409 and then not authorised is rejected, and asked about no more', async () => {
    await open();
    bench.sandbox.faults.add({ dropAnswer: true });
    bench.sandbox.faults.add({
      outcome: { identificacion: '1710034065', codigo: 52, times: 1, delayMs: 1_500 },
    });
    await sell();
    bench.advance(minutes(3));
    await bench.run();
    expect((await bench.document()).state).toBe('processing');
    const asked = await wait(4);
    expect((await bench.document()).state).toBe('rejected');
    expect(asked).toBeLessThan(10);
  });
});

describe('a 409 that names somebody else’s document while it is still in process', () => {
  it.each(['its webhook', 'a question'])(
    'is not believed when %s tells that it was authorised',
    async (teller) => {
      await open({ sandbox: { accounts: [{ apiKey: 'otra-clave' }] } });
      await sell();
      // A POST of ours was lost on its way: the service never saw it, and we cannot know.
      const ready = await bench.document();
      const now = new Date('2026-11-20T15:00:00Z');
      const draft = {
        documentId: ready.id,
        issueDate: '2026-11-20',
        secuencial: '000000001',
        total: '33.75',
        buyerId: '1710034065',
      };
      await bench.ledger.documents.move(ready.id, { from: ['ready'], to: 'sending', now });
      const body = JSON.stringify(
        factura((body) =>
          Object.assign(body.emisor, {
            ruc: ready.ruc,
            secuencial: '000000001',
            fecha_emision: '2026/11/20',
          }),
        ),
      );
      await bench.ledger.attempts.add({
        ...draft,
        body,
        nettedRefunds: [],
        overpaid: '0.00',
        lineReferences: [],
        now,
      });
      // Another program of the merchant uses that number meanwhile; the authority takes its time.
      bench.sandbox.addAccount({ apiKey: 'clave-1' });
      bench.sandbox.faults.add({
        outcome: { identificacion: '1710034065', resultado: 'autorizado', delayMs: 1_500, times: 1 },
      });
      const foreign = factura((foreignBody) => {
        Object.assign(foreignBody.emisor, {
          ruc: ready.ruc,
          secuencial: '000000001',
          fecha_emision: '2026/11/20',
        });
        Object.assign(foreignBody.comprador, { identificacion: '1710034065', tipo_identificacion: '05' });
      });
      const headers = { 'content-type': 'application/json', 'x-api-key': 'clave-1' };
      const answer = await fetch(`${bench.sandbox.url}/api/factura/emision`, {
        method: 'POST',
        headers,
        body: JSON.stringify(foreign),
      });
      const { claveacceso } = (await answer.json()) as { claveacceso: string };
      // Our process finds what it left, waits for the webhook and repeats the number: 409.
      for (let turn = 0; turn < 4; turn += 1) {
        bench.advance(minutes(2));
        await bench.run();
      }
      await bench.decided();
      if (teller === 'its webhook') await bench.event(claveacceso);
      else bench.advance(minutes(10));
      await bench.run();
      expect(await bench.document()).toMatchObject({
        state: 'manual',
        code: 'number-conflict',
        writtenBack: 'manual',
      });
    },
  );
});
