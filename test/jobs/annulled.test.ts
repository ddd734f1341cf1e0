import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A person annuls an authorised factura at the authority's portal: no event tells, and nothing may be credited to it. */
let bench: JobBench;
afterEach(() => bench?.close());

const authorise = async (at = 0) => {
  await bench.run();
  await bench.decided();
  await bench.event(bench.sandbox.documents()[at]?.claveacceso ?? '');
  await bench.run();
};
const annul = async (claveacceso: string) => {
  const answer = await fetch(`${bench.sandbox.url}/__sandbox/anulaciones`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claveacceso }),
  });
  return answer.status;
};
const refund = async () => {
  bench.shop.refund('1201', { amount: '10.00', reason: 'Talla equivocada' });
  await bench.sync('1201');
  await bench.run();
};
const documents = async () =>
  (await bench.ledger.documents.list({ limit: 9 })).map(({ kind, state, code }) => [kind, state, code]);

describe.each(['described', 'older'] as const)(
  'a factura annulled at the portal, in the words of %s',
  (dialect) => {
    it('is never credited: the refund is left to a person, who is told, and the factura says so everywhere', async () => {
      bench = await openJobBench({ sandbox: { dialect } });
      await bench.sync('1201');
      await authorise();
      const factura = await bench.document();
      expect(await annul(factura.accessKey ?? '')).toBe(201);
      await refund();

      expect(await documents()).toEqual([
        ['nota-credito', 'manual', 'factura-annulled'],
        ['factura', 'authorized', null],
      ]);
      expect(bench.sandbox.documents()).toHaveLength(1);
      const after = await bench.ledger.documents.get(factura.id);
      expect(after).toMatchObject({ state: 'authorized', annulledAt: expect.any(String) });
      const history = await bench.ledger.documents.history(factura.id);
      expect(history.at(-1)).toMatchObject({ to: 'authorized', note: { code: 'document-annulled' } });
      expect((await bench.ledger.alerts.open()).map(({ code }) => code)).toContain('document-annulled');

      // Planned anew it stays so, and nothing is told twice.
      await refund();
      const all = await documents();
      expect(all.filter(([kind]) => kind === 'nota-credito')).toEqual([
        ['nota-credito', 'manual', 'factura-annulled'],
        ['nota-credito', 'manual', 'factura-annulled'],
      ]);
      const alerts = bench.alerts.filter((code) => code === 'document-annulled');
      expect(alerts).toHaveLength(1);
    });
  },
);

describe('the portal of the sandbox', () => {
  it('annuls what is authorised, and nothing else', async () => {
    bench = await openJobBench({ sandbox: { authorizeDelayMs: 3_600_000 } });
    await bench.sync('1201');
    await bench.run();
    const key = bench.sandbox.documents()[0]?.claveacceso ?? '';
    expect(await annul('1'.repeat(49))).toBe(404);
    expect(await annul(key)).toBe(409);
    expect(await annul('1')).toBe(400);
  });
});
