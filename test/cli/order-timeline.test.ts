import { expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import type { PendingJob } from '../../src/ledger/timeline.ts';
import { jobsText, settled } from '../../src/operations/run/order-timeline.ts';
import { plan } from '../../src/planner/plan.ts';
import { authorized } from '../support/authorized.ts';
import { noon, order, store } from '../support/orders.ts';

it('what waited for its document says what became of it, and everything else what was decided', () => {
  const sale = order();
  const document = { ...authorized(sale), state: 'processing' as const };
  const input = { order: sale, store, invoiceFrom: new Date(0), now: noon };
  const [waiting] = plan({ ...input, documents: [document] });
  const [emitted] = plan({ ...input, documents: [] });
  if (!waiting || !emitted) throw new Error('nothing was planned');
  const now = (state: Document['state']) => [{ document: { ...document, state } as unknown as Document }];
  expect(waiting.code).toBe('in-process');
  expect(settled(waiting, now('authorized'))).toMatchObject({
    action: 'nothing',
    code: 'already-authorised',
  });
  expect(settled(waiting, now('processing'))).toMatchObject({ action: 'wait', code: 'in-process' });
  expect(settled(waiting, [])).toBe(waiting);
  expect(settled(emitted, now('authorized'))).toBe(emitted);
});

const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000).toISOString();
const pending = (change: Partial<PendingJob>): PendingJob => ({
  ...{
    kind: 'submit-document',
    documentId: 'd1',
    dueAt: at(-180),
    state: 'waiting',
    attempts: 0,
    reason: null,
  },
  ...{ pause: null, ...change },
});
const stopped = {
  ...{ code: 'jobs-overdue', subject: 'cola' },
  ...{ what: 'Nadie toma el trabajo.', resolution: 'Revise el worker.' },
};
const silent = {
  ...{ code: 'shop-not-answering', subject: 'tienda' },
  ...{ what: 'La tienda no responde.', resolution: 'Revise su sitio.' },
};
const lines = (job: PendingJob, ...alerts: (typeof stopped)[]) =>
  jobsText([job], 'tienda', { now: noon, alerts });

it('a job that will be done names its time, one that is late says since when and what to look at', () => {
  expect(lines(pending({ dueAt: at(5) }))).toMatch(
    /^ {2}enviar el documento: 20 nov 2026, 12:05:00 p\.\sm\.$/,
  );
  expect(lines(pending({ dueAt: at(-1) }))).toMatch(
    /^ {2}enviar el documento: pendiente desde 20 nov 2026, 11:59:00 a\.\sm\.$/,
  );
  expect(lines(pending({}))).toMatch(
    /^ {2}enviar el documento: pendiente desde 20 nov 2026, 9:00:00 a\.\sm\.\n {2}Nadie lo ha tomado: revise que «facturapuente start» esté en marcha\.$/,
  );
  expect(lines(pending({}), stopped)).toMatch(
    /pendiente desde 20 nov 2026, 9:00:00 a\.\sm\.\n {2}Nadie toma el trabajo\. Revise el worker\.$/,
  );
});

it('a late job of a shop that does not answer says that, unless the whole queue stands still', () => {
  const sync = pending({ kind: 'sync-order' });
  expect(lines(sync, silent)).toMatch(/\n {2}La tienda no responde\. Revise su sitio\.$/);
  expect(lines(sync, silent, stopped)).toMatch(/\n {2}Nadie toma el trabajo\. Revise el worker\.$/);
  expect(lines(sync, { ...silent, subject: 'otra' })).toMatch(/\n {2}Nadie lo ha tomado/);
});

it('a late job that waits for an account or a person says that alone', () => {
  const pause = { cause: 'credits', since: at(-200) } as const;
  expect(lines(pending({ pause }), stopped)).toMatch(
    /pendiente desde .*la cuenta está en pausa desde [^\n]*$/,
  );
  expect(lines(pending({ state: 'leased' }), stopped)).toBe('  enviar el documento: se está haciendo');
  const reason = 'the process died twice while it ran it';
  expect(lines(pending({ state: 'held', attempts: 2, reason }), stopped)).toBe(
    '  enviar el documento: detenido, 2 intentos fallidos. El programa se detuvo dos veces mientras lo hacía: queda detenido hasta que una persona lo libere, como dice su aviso job-held.',
  );
});
