import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { is, sell, table, webhook } from '../support/job-table.ts';

/** What a signed event of the service settles by itself, and what it may not (contradictions: test/service/webhook). */
const dropped = { dropAnswer: true } as const;
const slots =
  (...expected: string[]) =>
  (bench: JobBench) =>
    expect(bench.slots()).toEqual(expected);

describe('an event about a key that the service answered our POST with', () => {
  table({
    'authorises the document without a question: one slot for the document, one for reading it back': {
      happens: [
        ...[sell, webhook(), slots('submit-document', 'verify-document')],
        async (bench) =>
          expect((await bench.document()).authorizedAt).toBe(bench.sandbox.documents()[0]?.fechaAutorizacion),
      ],
      ends: { state: 'authorized', keyOf: 0, writtenBack: 'authorized', questions: 0, jobsLeft: 0 },
    },
    'rejects it without a question, with the authority’s words, and forgets the question it planned': {
      faults: [{ outcome: { codigo: 52, informacionAdicional: 'las líneas no suman', times: 1 } }],
      happens: [sell, webhook(), slots('submit-document')],
      ends: {
        ...{ state: 'rejected', writtenBack: 'rejected', jobsLeft: 0 },
        reason: expect.stringContaining('las líneas no suman'),
      },
    },
    'that names no state is asked about': {
      happens: [
        sell,
        webhook(0, { estado: undefined, autorizado: undefined, requiere_correccion: undefined }),
      ],
      ends: { state: 'authorized', questions: 1 },
    },
  });

  let bench: JobBench;
  afterEach(() => bench?.close());
  it('signed for another account has nothing done, not even a question under this one’s key', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ outcome: { resultado: 'en_proceso', times: 1 } });
    await bench.read();
    const forged = { evento: 'comprobante.autorizado', estado: 4, autorizado: true };
    await bench.webhook(0, { ...forged, account: 'otra-cuenta' });
    expect((await bench.document()).state).toBe('processing');
    expect(bench.requests('/consulta/')).toEqual([]);
    await bench.webhook(0, forged);
    expect((await bench.document()).state).toBe('authorized');
  });
});

describe('an event about a key that is new to us', () => {
  table({
    'is asked about and its XML compared before it is believed': {
      faults: [dropped],
      happens: [
        ...[sell, webhook()],
        slots('submit-document', 'follow-up', 'question', 'download', 'verify-document'),
      ],
      ends: { state: 'authorized' },
    },
    'whose XML is about another buyer is not ours, whatever its number says': {
      faults: [dropped, { spoilXml: { campo: 'identificacionComprador', valor: '1790016919001' } }],
      happens: [sell, webhook(), (bench) => expect(bench.errors).toHaveLength(1)],
      ends: { state: 'uncertain' },
    },
  });
});

describe('events in any order, late or twice', () => {
  const refused = {
    ...{ evento: 'comprobante.error', estado: 6, autorizado: false, requiere_correccion: true },
    errores: [{ identificador: '52', mensaje: 'ERROR EN DIFERENCIAS' }],
  };
  /** All at once, and then one after the other. */
  const told = (...order: object[]) => ({
    happens: [
      sell,
      async (bench: JobBench) => {
        for (const one of order) await bench.event(bench.key(), { ...one });
        await bench.run();
      },
      ...order.map((one) => webhook(0, { ...one })),
    ],
    ends: { state: 'authorized', attempts: ['authorized'] } as const,
  });
  table({
    'one authorised attempt makes the document authorised, finally: authorised, error': told({}, refused),
    'one authorised attempt makes it authorised: error, authorised': told(refused, {}),
    'one authorised attempt makes it authorised: both twice': told(refused, {}, refused, {}),
    'the event of a second attempt never spoils the authorised first, though its repeat was refused as 45': {
      sandbox: { codigoNumerico: 'aleatorio' },
      faults: [dropped],
      happens: [sell, 3, webhook(0), is({ state: 'authorized', keyOf: 0 }), webhook(1)],
      ends: { state: 'authorized', keyOf: 0, stored: [4, 5] },
    },
  });
});
