import type { Document } from '../../src/domain/document.ts';
import { factura } from '../sandbox/support.ts';
import type { JobBench } from './job-bench.ts';

const minute = 60_000;

/** Every webhook that could still come has had its time. */
export async function untilManual(bench: JobBench): Promise<Document> {
  for (let turn = 0; turn < 40 && (await bench.document()).state !== 'manual'; turn += 1) {
    bench.advance(5 * minute);
    await bench.run();
    await bench.decided();
  }
  return bench.document();
}

/** Another program of the merchant issues something of its own under a number of our series, the first unless said otherwise. */
export async function takeNumber({ sandbox, store }: JobBench, secuencial = '000000001'): Promise<void> {
  const foreign = factura(({ emisor }) => {
    Object.assign(emisor, {
      ...{ ruc: store.issuer.ruc, secuencial, fecha_emision: '2026/11/20' },
    });
  });
  await fetch(`${sandbox.url}/api/factura/emision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
    body: JSON.stringify(foreign),
  });
}

/** Our POST of order 1201 breaks off before it arrives, and another program takes its number. */
export async function loseNumber(bench: JobBench): Promise<Document> {
  bench.sandbox.faults.add({ cutBeforeStoring: { operacion: 'emitir_factura' } });
  await bench.sync('1201');
  await bench.run();
  await takeNumber(bench);
  await bench.decided();
  return untilManual(bench);
}

/** The merchant names a free number and starts again. */
export async function raiseSeries(bench: JobBench): Promise<void> {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = await bench.document();
  await bench.ledger.sequences.raise({ ruc, ambiente, codDoc, establecimiento, puntoEmision }, 50);
}

/** While the service is asked about a key, somebody else moves the document. */
export function moveWhileAsked({ deps, ledger, clock }: JobBench, { id }: Document): void {
  const { service } = deps;
  deps.service = (...asked) => ({
    ...service(...asked),
    async consultarComprobante(key) {
      await ledger.documents.move(id, { from: ['manual'], to: 'manual', now: clock.now() });
      return service(...asked).consultarComprobante(key);
    },
  });
}
