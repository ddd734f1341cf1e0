import { afterEach, describe, expect, it } from 'vitest';
import { readEmission } from '../../src/service/calls/documents.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** What the product makes of answers in the shapes of a public description and of an older interface. */
let bench: JobBench;
afterEach(() => bench?.close());

/** The service answers the first emission so (the sandbox has stored it where `stored`), the later ones as it likes. */
async function sell(
  answer: { status: number; body: object | ((key: string) => object); stored?: boolean },
  options: Parameters<typeof openJobBench>[0] = {},
): Promise<void> {
  bench = await openJobBench(options);
  const { service } = bench.deps;
  let first = true;
  bench.deps.service = (...asked) => {
    const calls = service(...asked);
    const emitirFactura: typeof calls.emitirFactura = async (sent) => {
      if (!first || typeof sent !== 'string') return calls.emitirFactura(sent);
      first = false;
      if (answer.stored) await calls.emitirFactura(sent);
      const key = bench.sandbox.documents()[0]?.claveacceso ?? '';
      const body = typeof answer.body === 'function' ? answer.body(key) : answer.body;
      return readEmission({ status: answer.status, text: JSON.stringify(body), date: null }, '01', sent);
    };
    return { ...calls, emitirFactura };
  };
  await bench.sync('1201');
  await bench.run();
}

const settle = async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    await bench.decided();
    bench.advance(3 * 60_000);
    await bench.run();
  }
};

describe('a failure in the words of the description', () => {
  it('is an unknown outcome whose words the merchant reads, and the log does not', async () => {
    await sell({ status: 500, body: { respuesta: false, error: 'Error al firmar el comprobante.' } });
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'uncertain', code: 'answer-lost' });
    expect(document.reason).toBe(
      'El servicio respondió con un error y no dice si recibió la factura; se averigua. Dijo: Error al firmar el comprobante.',
    );
    await settle();
    expect(await bench.document()).toMatchObject({ state: 'authorized', reason: null });
  });
});

describe('a duplicate that comes without a 409', () => {
  it.each<[string, (key: string) => object]>([
    ['words and key', (key) => ({ creado: 'false', claveacceso: key, errors: 'Clave de acceso registrada' })],
    ['a key of our own number', (key) => ({ creado: false, clave_acceso: key, errors: ['No.'] })],
  ])('by %s is taken as one with a 409: ours as soon as its XML says so, never rejected', async (_, body) => {
    await sell({ status: 200, body, stored: true });
    expect((await bench.document()).state).not.toBe('rejected');
    await bench.decided();
    await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
  });

  it('after a lost answer is recognised and adopted', async () => {
    bench = await openJobBench();
    const { service } = bench.deps;
    let count = 0;
    bench.deps.service = (...asked) => {
      const calls = service(...asked);
      const emitirFactura: typeof calls.emitirFactura = async (sent) => {
        count += 1;
        const real = await calls.emitirFactura(sent);
        if (count === 1) return readEmission({ status: 502, text: '<html>', date: null }, '01', String(sent));
        const key = real.kind === 'duplicate' ? real.claveacceso : null;
        const text = JSON.stringify({
          creado: 'false',
          claveacceso: key,
          errors: 'Clave de acceso registrada',
        });
        return readEmission({ status: 200, text, date: null }, '01', String(sent));
      };
      return { ...calls, emitirFactura };
    };
    await bench.sync('1201');
    await bench.run();
    expect((await bench.document()).state).toBe('uncertain');
    await settle();
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(count).toBe(2);
    expect(bench.sandbox.documents()).toHaveLength(1);
  });
});

describe('an account that is refused', () => {
  it.each<[string, string | string[]]>([
    ['in the words of the older interface', 'Sin saldo / comprobantes disponibles'],
    ['in other words', ['No tiene saldo disponible.']],
  ])('for its credits, %s: nothing is rejected, it is paused and goes on later', async (_, errors) => {
    const accounts = [{ apiKey: 'clave-1', providerApproved: true, credits: 10 }];
    await sell({ status: 200, body: { creado: 'false', errors } }, { ambiente: 2, sandbox: { accounts } });
    expect(await bench.document()).toMatchObject({ state: 'ready', secuencial: '000000001' });
    expect(await bench.ledger.pauses.list()).toMatchObject([{ cause: 'credits', ambiente: 2 }]);
    bench.advance(6 * 60_000);
    await bench.run();
    await settle();
    expect((await bench.document()).state).toBe('authorized');
  });

  it('for its key, without a 401: it is paused, and no document is rejected', async () => {
    await sell({ status: 200, body: { creado: 'false', errors: 'Api_key No existe' } });
    expect(await bench.document()).toMatchObject({ state: 'ready' });
    expect(await bench.ledger.pauses.list()).toMatchObject([{ cause: 'api-key' }]);
  });
});

describe('a service whose ping asks for a key', () => {
  it('is there: an account that was paused because nobody answered goes on', async () => {
    bench = await openJobBench({ sandbox: { accounts: [{ apiKey: 'clave-1' }] } });
    const { service } = bench.deps;
    await bench.ledger.pauses.begin({
      ...{ account: 'principal', ambiente: null, cause: 'service' },
      now: bench.clock.now(),
    });
    bench.deps.service = (...asked) => ({
      ...service(...asked),
      ping: async () => ({ kind: 'unauthorized', date: bench.clock.now() }),
    });
    const { probeAtStart } = await import('../../src/jobs/account-pause.ts');
    await probeAtStart(bench.deps);
    await bench.run();
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });
});
