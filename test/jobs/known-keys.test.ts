import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** 45: the authority has the number. Before a person is asked which document has it, every key we know is. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const stored = (at: number) => bench.sandbox.documents()[at]?.claveacceso ?? '';
const attempts = async () => bench.ledger.attempts.ofDocument((await bench.document()).id);

/** The first day ends with an error of the authority; the service's own panel has its key reprocessed, and no event comes. */
async function reprocessedElsewhere(codigoNumerico: 'fijo' | 'aleatorio', enProcesoMs?: number) {
  bench = await openJobBench({ now: '2026-11-21T04:50:00Z', sandbox: { codigoNumerico } });
  bench.sandbox.faults.add({ outcome: { codigo: 50, times: 1 } });
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  bench.advance(3 * minute);
  await bench.run();
  expect(await attempts()).toMatchObject([{ outcome: 'error' }]);
  if (enProcesoMs) bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs, times: 1 } });
  await fetch(`${bench.sandbox.url}/api/comprobante/reprocesar`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
    body: JSON.stringify({ claveacceso: stored(0) }),
  });
  if (!enProcesoMs) await bench.decided();
  bench.setTime('2026-11-21T05:10:00Z');
}

async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await bench.run();
    await bench.decided();
    bench.advance(60 * minute);
  }
}

describe('45 to the second day’s document, while the first day’s is authorised', () => {
  it.each(['fijo', 'aleatorio'] as const)('finds it under its known key (%s)', async (mode) => {
    await reprocessedElsewhere(mode);
    await pass(5);
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: stored(0), reason: null });
    // On another day the key is another one in both modes.
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['authorized', 'error']);
    expect(await bench.ledger.alerts.open()).toEqual([]);
  });

  it('finds it when an event reports the 45', async () => {
    await reprocessedElsewhere('aleatorio');
    await bench.run();
    await bench.decided();
    await bench.event(stored(1));
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: stored(0) });
  });

  it('waits while the first one is still with the authority', async () => {
    await reprocessedElsewhere('aleatorio', 600 * minute);
    await bench.run();
    await bench.event(stored(1), {
      evento: 'comprobante.error',
      estado: 5,
      autorizado: false,
      requiere_correccion: true,
      errores: [{ identificador: '45', mensaje: 'SECUENCIAL REGISTRADO' }],
    });
    await bench.run().catch(() => {});
    expect((await bench.document()).state).toBe('processing');
  });

  it('is for a person only when no key of ours is authorised', async () => {
    bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
    bench.sandbox.faults.add({ outcome: { codigo: 45, times: 1 } });
    await bench.sync('1201');
    await pass(2);
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-registered' });
  });
});
