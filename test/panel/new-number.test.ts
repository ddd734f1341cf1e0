import { describe, expect, test } from 'vitest';
import { reasonOf } from '../../src/jobs/sentences.ts';
import { loseNumber, moveWhileAsked, raiseSeries, takeNumber, untilManual } from '../support/taken-number.ts';
import { openPanelBench } from './bench.ts';

/** A sale whose number proved another program's after its answer was lost: a person may answer for a new one. */
const first = '001-001-000000001';

async function openTaken(codigoNumerico: 'fijo' | 'aleatorio' = 'fijo') {
  const panel = await openPanelBench({ sandbox: { codigoNumerico } });
  const document = await loseNumber(panel.bench);
  expect(document.state).toBe('manual');
  return { ...panel, document, path: `/panel/numero-nuevo/${document.id}` };
}
type Taken = Awaited<ReturnType<typeof openTaken>>;

async function openReadLater() {
  const panel = await openPanelBench();
  const { bench } = panel;
  bench.sandbox.faults.add({ cutBeforeStoring: { operacion: 'emitir_factura' } });
  await bench.sync('1201');
  await bench.run();
  bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } });
  await takeNumber(bench);
  bench.advance(3 * 60_000);
  await bench.run();
  expect((await bench.document()).state).toBe('processing');
  bench.sandbox.clock.step(2 * 3_600_000);
  await untilManual(bench);
  return panel;
}

/** As an earlier key of ours leaves it that the authority refused (src/protocol/lost.ts). */
async function openKept() {
  const panel = await openTaken('aleatorio');
  const { document, bench } = panel;
  const patch = { reason: reasonOf(document, { sentences: ['heldByRejected'] }) };
  await bench.ledger.documents.move(document.id, {
    ...{ from: ['manual'], to: 'manual', patch, now: bench.clock.now() },
  });
  return panel;
}

const given = ({ document }: Pick<Taken, 'document'>) => ({
  documento: document.id,
  respondo: 'si',
  numero: first,
});
const auditLogOf = async ({ ledger, document }: Pick<Taken, 'ledger' | 'document'>) =>
  (await ledger.auditLog.of(document.id, 9)).map(({ who, what, outcome, facts }) => [
    who,
    what,
    outcome,
    facts,
  ]);
const offers = (page: string) => page.includes('href="/panel/numero-nuevo/');

describe('a person answers in the panel for a new number', () => {
  test.each(['fijo', 'aleatorio'] as const)('and the sale takes one (%s)', async (mode) => {
    const panel = await openTaken(mode);
    await raiseSeries(panel.bench);
    const carla = await panel.signIn('carla');
    const asks = await carla.text(panel.path);
    for (const part of [first, 'USD 33.75', 'portal del SRI', 'dos veces', 'Quién lo autorizó (carla)'])
      expect(asks).toContain(part);

    const answer = await carla.post('/panel/numero-nuevo', given(panel));
    const { storeId, orderId, id } = panel.document;
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/panel/pedido/${storeId}/${orderId}`,
    ]);
    expect(await carla.text(`/panel/pedido/${storeId}/${orderId}`)).toMatch(
      /role="status"[^>]*>El pedido se factura con un número nuevo/,
    );
    await panel.bench.run();
    expect((await panel.bench.document()).secuencial).toBe('000000050');
    expect((await panel.ledger.documents.get(id))?.state).toBe('cancelled');
    const [last] = (await panel.ledger.documents.history(id)).slice(-1);
    expect(last?.note).toMatchObject({ cause: 'new number', by: 'carla (panel)', confirmed: true });
  });

  test('and it is written down as the command line’s is', async () => {
    const panel = await openTaken();
    const carla = await panel.signIn('carla');
    await carla.post('/panel/numero-nuevo', given(panel));
    expect(await auditLogOf(panel)).toEqual([['carla (panel)', 'new-number', 'done', null]]);
    expect(await carla.text('/panel/registro')).toContain('Autorizar otro número');
    expect((await panel.ledger.documents.get(panel.document.id))?.code).toBe('replaced');
  });

  test.each([
    ['another number', { numero: '001-001-000000002' }, 'no es el número'],
    ['no number', { numero: '' }, 'no es el número'],
    ['no word of theirs', { respondo: '' }, 'se hace responsable'],
  ])('but with %s nothing happens, and the page says why', async (_, wrong, message) => {
    const panel = await openTaken();
    const carla = await panel.signIn('carla');
    const answer = await carla.post('/panel/numero-nuevo', { ...given(panel), ...wrong });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(message)]);
    expect(await auditLogOf(panel)).toEqual([]);
    expect((await panel.bench.document()).version).toBe(panel.document.version);
  });

  test('the number may be typed with or without its signs', async () => {
    const panel = await openTaken();
    const carla = await panel.signIn('carla');
    const answer = await carla.post('/panel/numero-nuevo', { ...given(panel), numero: ' 001001 000000001 ' });
    expect(answer.status).toBe(303);
  });
});

describe('the way there', () => {
  test('is offered where a plain retry would be refused, to whoever may configure', async () => {
    const panel = await openTaken();
    const { id, storeId, orderId } = panel.document;
    const [omar, carla] = [await panel.signIn('omar'), await panel.signIn('carla')];
    for (const path of ['/panel', `/panel/documento/${id}`, `/panel/pedido/${storeId}/${orderId}`]) {
      expect([path, offers(await carla.text(path))]).toEqual([path, true]);
      expect([path, offers(await omar.text(path))]).toEqual([path, false]);
      // It would only be refused.
      expect(await carla.text(path)).not.toContain('action="/panel/operacion/retry"');
    }
    expect((await omar.get(panel.path)).status).toBe(403);
    expect((await omar.post('/panel/numero-nuevo', given(panel))).status).toBe(403);
    expect((await panel.bench.document()).state).toBe('manual');
  });

  test.each([
    // The answer was lost, and what the 409 named could not be read yet: when it could, it was somebody else's.
    ['its XML, read later, says whose the number is', 'number-conflict', openReadLater],
    ['the service keeps the number for a document that was refused', 'number-registered', openKept],
  ])('is offered on the work list too where %s', async (_, code, open) => {
    const panel = await open();
    expect(await panel.bench.document()).toMatchObject({ state: 'manual', code });
    const [omar, carla] = [await panel.signIn('omar'), await panel.signIn('carla')];
    expect(offers(await carla.text('/panel'))).toBe(true);
    for (const person of [omar, carla])
      expect(await person.text('/panel')).not.toContain('action="/panel/operacion/retry"');
  });

  test('is not needed where no sending of ours can stand there: the button gives a new number', async () => {
    const panel = await openPanelBench();
    await takeNumber(panel.bench);
    await panel.bench.sync('1201');
    await panel.bench.run();
    const document = await untilManual(panel.bench);
    expect(document.code).toBe('number-conflict');
    const omar = await panel.signIn('omar');
    const page = await omar.text(`/panel/documento/${document.id}`);
    expect(page).toContain('Facturar con otro número');
    await raiseSeries(panel.bench);
    await omar.post('/panel/operacion/retry', { document: document.id });
    expect((await panel.ledger.documents.get(document.id))?.state).toBe('cancelled');
  });

  test('is closed for a document whose number may simply leave again', async () => {
    const panel = await openPanelBench();
    panel.bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await panel.bench.sync('1201');
    await panel.bench.run();
    const document = await panel.bench.document();
    expect(document.state).toBe('rejected');
    const carla = await panel.signIn('carla');
    const timeline = `/panel/documento/${document.id}`;
    expect(offers(await carla.text(timeline))).toBe(false);
    for (const answer of [
      await carla.get(`/panel/numero-nuevo/${document.id}`),
      await carla.post('/panel/numero-nuevo', given({ document })),
    ])
      expect([answer.status, answer.headers.get('location')]).toEqual([303, timeline]);
    expect(await carla.text(timeline)).toContain('no necesita otro número');
    expect((await carla.get('/panel/numero-nuevo/nada')).headers.get('location')).toBe('/panel');
  });
});

describe('a new number is refused, whoever answers for it', () => {
  test('where the service knows a key of ours: the timeline names it', async () => {
    const webhook = { url: 'http://127.0.0.1:9/avisos', secret: 's'.repeat(40) };
    const panel = await openPanelBench({
      sandbox: {
        codigoNumerico: 'aleatorio',
        accounts: [{ apiKey: 'clave-1', webhook }],
        allowLoopbackWebhooks: true,
      },
    });
    const { bench, ledger } = panel;
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.sync('1201');
    await bench.run();
    const document = await untilManual(bench);
    const ours = bench.sandbox.documents().find(({ estado }) => estado === 4)?.claveacceso ?? '';
    const carla = await panel.signIn('carla');
    const answer = await carla.post('/panel/numero-nuevo', given({ document }));
    expect(answer.headers.get('location')).toBe(`/panel/documento/${document.id}`);
    const timeline = await carla.text(`/panel/documento/${document.id}`);
    expect(timeline).toMatch(new RegExp(`role="status"[^>]*>[^<]*muestra autorizada[^<]*${ours}`));
    expect(await auditLogOf({ ledger, document })).toEqual([
      ['carla (panel)', 'new-number', 'nothing', null],
    ]);
    expect((await bench.document()).state).toBe('manual');
  });

  test('where the document moved while the service was asked', async () => {
    const panel = await openTaken();
    const { bench, document } = panel;
    moveWhileAsked(bench, document);
    const carla = await panel.signIn('carla');
    await carla.post('/panel/numero-nuevo', given(panel));
    expect(await carla.text(`/panel/documento/${document.id}`)).toContain(
      'Otro proceso lo movió en este momento',
    );
    expect(await auditLogOf(panel)).toEqual([['carla (panel)', 'new-number', 'nothing', null]]);
    expect((await bench.document()).state).toBe('manual');
  });
});
