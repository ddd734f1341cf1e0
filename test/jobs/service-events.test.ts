import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** What a signed event of the service settles by itself, and what it may not. */
let bench: JobBench;
const open = async (sandbox?: SandboxOptions) => {
  bench = await openJobBench(sandbox ? { sandbox } : {});
};
afterEach(() => bench?.close());

const sell = async () => {
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
};
const questions = () => bench.sandbox.requests().filter(({ path }) => path.includes('/consulta/')).length;
const key = (at = 0) => bench.sandbox.documents()[at]?.claveacceso ?? '';
const waiting = async () => (await bench.ledger.jobs.counts()).waiting;

describe('an event about a key that the service answered our POST with', () => {
  it('authorises the document without a question: one slot for the document, one for reading it back', async () => {
    await open();
    await sell();
    await bench.event(key());
    expect(await bench.run()).toEqual(expect.arrayContaining(['settle-document', 'write-back']));
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'authorized', accessKey: key(), writtenBack: 'authorized' });
    expect(document.authorizedAt).toBe(bench.sandbox.documents()[0]?.fechaAutorizacion);
    expect(questions()).toBe(0);
    expect(bench.slots()).toEqual(['submit-document', 'verify-document']);
    expect(await waiting()).toBe(0);
  });

  it('rejects it without a question, with the authority’s words, and forgets the question it planned', async () => {
    await open();
    bench.sandbox.faults.add({
      outcome: { codigo: 52, informacionAdicional: 'las líneas no suman', times: 1 },
    });
    await sell();
    await bench.event(key());
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'rejected', writtenBack: 'rejected' });
    expect((await bench.document()).reason).toContain('las líneas no suman');
    expect(bench.slots()).toEqual(['submit-document']);
    expect(await waiting()).toBe(0);
  });

  it('that names no state is asked about', async () => {
    await open();
    await sell();
    const silent = { estado: undefined, autorizado: undefined, requiere_correccion: undefined };
    await bench.event(key(), silent);
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
    expect(questions()).toBe(1);
  });

  it.each([
    ['says "authorised" of a returned document', { estado: 5, autorizado: false, requiere_correccion: true }],
    ['names another number', { numero: '001-001-000000009' }],
    ['names another issuer', { ruc_emisor: '1790016919001' }],
    ['is an error of an authorised document', { evento: 'comprobante.error' }],
  ])('that contradicts itself changes nothing: it %s', async (_, change) => {
    await open();
    await sell();
    const before = await bench.document();
    await bench.event(key(), change);
    expect(await bench.run()).toEqual([]);
    expect(await bench.document()).toEqual(before);
    expect(await waiting()).toBe(1);
  });

  it('signed for another account has nothing done, not even a question under this one’s key', async () => {
    await open();
    bench.sandbox.faults.add({ outcome: { resultado: 'en_proceso', times: 1 } });
    await bench.sync('1201');
    await bench.run();
    const forged = { evento: 'comprobante.autorizado', estado: 4, autorizado: true };
    await bench.event(key(), { ...forged, account: 'otra-cuenta' });
    await bench.run();
    expect((await bench.document()).state).toBe('processing');
    expect(questions()).toBe(0);
    await bench.event(key(), forged);
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
  });
});

describe('an event about a key that is new to us', () => {
  it('is asked about and its XML compared before it is believed', async () => {
    await open();
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell();
    await bench.event(key());
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
    expect(bench.slots().filter((slot) => slot !== 'verify-document')).toEqual([
      ...['submit-document', 'follow-up', 'question', 'download'],
    ]);
  });

  it('whose XML is about another buyer is not ours, whatever its number says', async () => {
    await open();
    bench.sandbox.faults.add({ dropAnswer: true });
    bench.sandbox.faults.add({ spoilXml: { campo: 'identificacionComprador', valor: '1790016919001' } });
    await sell();
    await bench.event(key());
    await bench.run();
    expect((await bench.document()).state).toBe('uncertain');
    expect(bench.errors).toHaveLength(1);
  });
});

describe('events in any order, late or twice', () => {
  const error = { evento: 'comprobante.error', estado: 6, autorizado: false, requiere_correccion: true };
  const errores = [{ identificador: '52', mensaje: 'ERROR EN DIFERENCIAS' }];

  it.each([
    [['autorizado', 'error']],
    [['error', 'autorizado']],
    [['error', 'autorizado', 'error', 'autorizado']],
    [['autorizado', 'autorizado', 'error']],
  ])('one authorised attempt makes the document authorised, finally: %s', async (order) => {
    await open();
    await sell();
    for (const one of order) await bench.event(key(), one === 'error' ? { ...error, errores } : {});
    await bench.run();
    for (const one of order) {
      await bench.event(key(), one === 'error' ? { ...error, errores } : {});
      await bench.run();
    }
    expect((await bench.document()).state).toBe('authorized');
    expect(
      (await bench.ledger.attempts.ofDocument((await bench.document()).id)).map((a) => a.outcome),
    ).toEqual(['authorized']);
  });

  it('the event of a second attempt never spoils the authorised first', async () => {
    await open({ codigoNumerico: 'aleatorio' });
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell();
    bench.advance(3 * 60_000);
    await bench.run();
    await bench.decided();
    await bench.event(key(0));
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key(0) });
    await bench.event(key(1));
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key(0) });
    expect(bench.sandbox.documents().map(({ estado }) => estado)).toEqual([4, 5]);
  });
});
