import { describe, expect, test } from 'vitest';
import type { Letter } from '../../src/domain/ports.ts';
import { entryPaths } from '../../src/panel/sessions.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import { panelActions, panelPages } from '../support/panel-tables.ts';
import { openPanelBench } from './bench.ts';
import { hashed, openPanel, person } from './installation.ts';

const hour = 60 * 60_000;
const held = () => ({ orders: [wrongCedula(new Date('2026-11-20T15:00:00Z'))] });

/** A panel over order 1201 (33.75), held for its buyer's wrong cédula. */
async function openHeld(more: object = {}) {
  const panel = await openPanelBench({ ...held(), ...more });
  await panel.bench.sync('1201');
  await panel.bench.run();
  return { ...panel, document: await panel.bench.document() };
}
const outcomes = async ({ ledger }: Awaited<ReturnType<typeof openHeld>>) =>
  (await ledger.auditLog.list({ limit: 20 })).map(({ who, what, outcome }) => `${who} ${what} ${outcome}`);

describe('sessions', () => {
  test('end when nobody used them for half an hour, and twelve hours after the sign-in', async () => {
    const { bench, signIn } = await openPanelBench();
    const rosa = await signIn('rosa');
    bench.advance(hour / 2 - 1);
    expect((await rosa.get('/panel')).status).toBe(200);
    bench.advance(hour / 2);
    expect((await rosa.get('/panel')).status).toBe(303);
    const again = await signIn('rosa');
    for (let n = 0; n < 35; n += 1) {
      bench.advance(hour / 3);
      expect((await again.get('/panel')).status).toBe(200);
    }
    bench.advance(hour / 3);
    expect((await again.get('/panel')).status).toBe(303);
  });

  test('end with the password and with the person, for every process that shares the ledger', async () => {
    const first = await openPanel();
    const { cookie } = await first.signIn('rosa');
    const beside = (people: ReturnType<typeof person>[]) =>
      openPanel({ people, instead: { ledger: first.ledger } });
    const same = await beside([person('rosa', 'read')]);
    expect((await same.get('/panel', { cookie })).status).toBe(200);
    const gone = await beside([person('omar', 'operate')]);
    expect((await gone.get('/panel', { cookie })).status).toBe(303);
    const again = await first.signIn('rosa');
    const changed = await beside([{ ...person('rosa', 'read'), passwordHash: hashed('otra clave larga') }]);
    expect((await changed.get('/panel', { cookie: again.cookie })).status).toBe(303);
    expect((await same.get('/panel', { cookie: again.cookie })).status).toBe(303);
  });

  test('a change of role counts at once', async () => {
    const first = await openPanel();
    const { cookie } = await first.signIn('carla');
    const lowered = await openPanel({ people: [person('carla', 'read')], instead: { ledger: first.ledger } });
    expect((await lowered.get('/panel/registro', { cookie })).status).toBe(403);
  });
});

describe('every form', () => {
  const paths = panelActions.map(({ path }) => path);
  test.each([...paths, ...Object.values(entryPaths)])(
    '%s is refused where another site sent it',
    async (path) => {
      const panel = await openHeld();
      const { cookie } = await panel.signIn('carla');
      const send = async (headers: Record<string, string>) => {
        const body = new URLSearchParams({ documento: panel.document.id });
        const at = `${panel.url}/panel${path}`;
        // Node's fetch adds Sec-Fetch-Mode only.
        return (
          await fetch(at, { method: 'POST', redirect: 'manual', body, headers: { cookie, ...headers } })
        ).status;
      };
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site', origin: 'https://conector.example' },
        { origin: 'https://malo.example' },
        { origin: 'null' },
      ])
        expect([headers, await send(headers)]).toEqual([headers, 403]);
      expect((await outcomes(panel)).filter((line) => !/sign-in done/.test(line))).toEqual([]);
      expect(await send({ origin: 'https://conector.example' })).not.toBe(403);
    },
  );

  test.each(paths)('%s leads to the sign-in without a session', async (path) => {
    const panel = await openHeld();
    const { status, headers } = await panel.form(`/panel${path}`, { documento: panel.document.id });
    expect([status, headers.get('location')]).toEqual([303, '/panel/entrar']);
  });

  test.each(panelActions)('$path is for its role and those above', async ({ path, role }) => {
    const panel = await openHeld();
    const may = {
      read: ['read', 'operate', 'configure'],
      operate: ['operate', 'configure'],
      configure: ['configure'],
    };
    for (const [user, mine] of [
      ['rosa', 'read'],
      ['omar', 'operate'],
      ['carla', 'configure'],
    ] as const) {
      const { status } = await (await panel.signIn(user)).post(`/panel${path}`, { documento: 'nada' });
      if (may[role].includes(mine)) expect(status).not.toBe(403);
      else expect(status).toBe(403);
    }
    const refusals = (await outcomes(panel)).filter((line) => line.includes('not-allowed'));
    expect(refusals).toHaveLength(3 - may[role].length);
  });

  test.each(panelPages.filter(({ role }) => role !== 'read'))(
    '$path is shown to its role only',
    async ({ path }) => {
      const panel = await openHeld();
      const rosa = await panel.signIn('rosa');
      expect((await rosa.get(`/panel${path.replace(':id', panel.document.id)}`)).status).toBe(403);
    },
  );

  test('fields that no form of ours sends are refused, and too many of them', async () => {
    const panel = await openHeld();
    const { post } = await panel.signIn('carla');
    expect((await post('/panel/operacion/retry')).status).toBe(422);
    expect((await post('/panel/operacion/retry', { document: 'x'.repeat(9_000) })).status).toBe(413);
    expect((await post('/panel/operacion/probe-account', { account: 'x', ambiente: '7' })).status).toBe(422);
    const unknown = await post('/panel/operacion/retry', { document: 'nada' });
    expect([unknown.status, await unknown.text()]).toEqual([
      422,
      expect.stringContaining('no tiene ningún documento nada'),
    ]);
  });
});

describe('the work list', () => {
  test('says that nothing waits where nothing does', async () => {
    const panel = await openPanelBench();
    const page = await (await panel.signIn('rosa')).text('/panel');
    expect(page).toContain('Todo está al día');
  });

  test('shows reason, amount, time left and the buttons, but no button to whoever may only look', async () => {
    const panel = await openHeld();
    const page = await (await panel.signIn('omar')).text('/panel');
    expect(page).toMatch(/Pedido #1201 .*USD 33\.75/);
    expect(page).toContain('tiene algún dígito equivocado');
    expect(page).toMatch(/data-remains="\d+">13 h 30 min</);
    expect(page).toContain(`/panel/identificacion/${panel.document.id}`);
    const looked = await (await panel.signIn('rosa')).text('/panel');
    expect(looked).toContain('tiene algún dígito equivocado');
    expect(looked).not.toContain('/panel/identificacion/');
    expect(looked.match(/<form/g)).toHaveLength(1);
  });

  test('says what was authorised today, with its amount', async () => {
    const panel = await openPanelBench();
    await panel.bench.sync('1201');
    await panel.bench.run();
    await panel.bench.decided();
    await panel.bench.event((await panel.bench.document()).accessKey ?? '');
    await panel.bench.run();
    const page = await (await panel.signIn('rosa')).text('/panel');
    expect(page).toMatch(
      /Facturas autorizadas<\/dt><dd><strong>1<\/strong> <span><span class="amount">USD 33\.75/,
    );
    expect(page).toMatch(/Notas de crédito<\/dt><dd><strong>0</);
    panel.bench.advance(24 * hour);
    expect(await (await panel.signIn('rosa')).text('/panel')).toContain(
      'Facturas autorizadas</dt><dd><strong>0<',
    );
  });

  test('a product name that is markup stays text', async () => {
    const panel = await openHeld();
    await panel.ledger.documents.move(panel.document.id, {
      from: ['held'],
      to: 'held',
      patch: { reason: '<script>alert(1)</script>"\'&' },
      now: panel.bench.clock.now(),
    });
    const page = await (await panel.signIn('omar')).text('/panel');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert(1)');
  });

  test('two hundred documents behind one paused account are one line, with the button that probes it', async () => {
    const panel = await openHeld();
    const { id: _id, key: _key, ...like } = panel.document;
    const now = panel.bench.clock.now();
    for (let n = 0; n < 200; n += 1)
      await panel.ledger.documents.create({
        ...like,
        key: `k${n}`,
        sourceId: `s${n}`,
        orderId: `s${n}`,
        firstSecuencial: 1,
        state: 'ready',
        now,
      });
    await panel.ledger.pauses.begin({ account: 'cuenta', ambiente: null, cause: 'api-key', now });
    const omar = await panel.signIn('omar');
    const page = await omar.text('/panel');
    expect(page).toContain('La cuenta cuenta está en pausa');
    expect(page).toContain('200 documentos en espera');
    expect(page.match(/<li class="card/g)).toHaveLength(2);
    expect(
      (await omar.post('/panel/operacion/probe-account', { account: 'cuenta', ambiente: '' })).status,
    ).toBe(303);
    expect(await omar.text('/panel')).toContain('Se prueba la cuenta ahora');
    // The key is right: the probe finds the cause gone.
    await panel.bench.run();
    expect(await panel.ledger.pauses.list()).toEqual([]);
  });

  test('documents behind a stopped series are one line, and lines of their own once it flows again', async () => {
    const panel = await openHeld();
    const { id: _id, key: _key, ...like } = panel.document;
    const now = panel.bench.clock.now();
    const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = like;
    const series = { ruc, ambiente, codDoc, establecimiento, puntoEmision };
    await panel.ledger.sequences.reserve(series, 1);
    const reason = 'El número 001-001-000000001 es de otro documento.';
    await panel.ledger.sequences.stop(series, { reason, secuencial: '000000001' }, now);
    for (const n of [1, 2])
      await panel.ledger.documents.create({
        ...like,
        ...{ key: `k${n}`, sourceId: `s${n}`, orderId: `s${n}`, orderName: `#9${n}`, firstSecuencial: 1 },
        ...{ state: 'held', code: 'series-stopped', reason: 'La serie está detenida.', now },
      });
    const omar = await panel.signIn('omar');
    const stopped = await omar.text('/panel');
    expect(stopped).toContain('La serie 001-001 está detenida');
    expect(stopped).toContain('2 documentos en espera');
    expect(stopped).not.toContain('#91');
    await panel.ledger.sequences.raise(series, 50);
    const flowing = await omar.text('/panel');
    expect(flowing).not.toContain('está detenida</h3>');
    expect([flowing.includes('#91'), flowing.includes('#92')]).toEqual([true, true]);
  });

  test('documents held for the same reason are one line, read again with one button', async () => {
    const panel = await openHeld();
    const { id: _id, key: _key, ...like } = panel.document;
    const now = panel.bench.clock.now();
    const reason = 'El impuesto «ISD» no tiene regla.';
    for (const n of [1, 2, 3])
      await panel.ledger.documents.create({
        ...like,
        ...{ key: `k${n}`, sourceId: `s${n}`, orderId: `s${n}`, firstSecuencial: 1, state: 'held' },
        ...{ code: 'tax-unmapped', reason, now },
      });
    const omar = await panel.signIn('omar');
    const page = await omar.text('/panel');
    expect(page).toContain('3 documentos por el mismo motivo');
    expect(page.split(reason)).toHaveLength(2);
    const [one] = (await panel.ledger.view(null).tasks.documents(9)).filter(
      ({ document }) => document.reason === reason,
    );
    await omar.post('/panel/reintentar-todos', { documento: one?.document.id ?? '' });
    expect((await outcomes(panel)).filter((line) => line === 'omar (panel) retry done')).toHaveLength(3);
  });
});

describe('what a button does', () => {
  test('the identification given by a person issues the factura, and only its kind is written down', async () => {
    const panel = await openHeld();
    const omar = await panel.signIn('omar');
    const fields = { documento: panel.document.id, tipo: 'cedula', nombre: 'Ana Torres Mena', correo: '' };
    const wrong = await omar.post('/panel/identificacion', { ...fields, identificacion: '1710034066' });
    expect([wrong.status, await wrong.text()]).toEqual([
      422,
      expect.stringContaining('algún dígito equivocado'),
    ]);
    const right = await omar.post('/panel/identificacion', { ...fields, identificacion: '1710034065' });
    expect([right.status, right.headers.get('location')]).toEqual([303, '/panel']);
    const page = await omar.text('/panel');
    expect(page).toContain('La identificación del pedido #1201 queda guardada');
    expect(await omar.text('/panel')).not.toContain('queda guardada');
    await panel.bench.run();
    await panel.bench.decided();
    expect(panel.bench.sandbox.documents()).toHaveLength(1);
    const history = await panel.ledger.documents.history(panel.document.id);
    expect(history.map(({ note }) => note)).toContainEqual({
      code: 'buyer-answered',
      type: 'cedula',
      by: 'omar (panel)',
    });
    const auditLog = JSON.stringify(await panel.ledger.auditLog.list({ limit: 9 }));
    expect(auditLog).toContain('"identify"');
    for (const secret of ['1710034065', 'Torres']) expect(auditLog).not.toContain(secret);
  });

  test('it needs no question to the buyer: a store that asks nobody can be helped too', async () => {
    const panel = await openHeld({ policy: { buyer: { ask: false } } });
    expect(await panel.ledger.questions.get(panel.document)).toBeUndefined();
    const omar = await panel.signIn('omar');
    const given = { tipo: 'cedula', identificacion: '1710034065', nombre: 'Ana Torres Mena', correo: '' };
    await omar.post('/panel/identificacion', { documento: panel.document.id, ...given });
    await panel.bench.run();
    expect((await panel.bench.document()).state).not.toBe('held');
  });

  test('the buyer’s link is mailed once more for each time it is asked for', async () => {
    const letters: Letter[] = [];
    const mailer = { send: async (letter: Letter) => void letters.push(letter), close() {} };
    const panel = await openHeld({ mailer });
    const omar = await panel.signIn('omar');
    expect(letters).toHaveLength(1);
    await omar.post('/panel/operacion/ask-buyer', { document: panel.document.id });
    await panel.bench.run();
    expect(letters).toHaveLength(2);
    expect(letters[1]?.text).toBe(letters[0]?.text);
  });

  test('without a mail server the page says to copy the link, which opens the buyer’s page', async () => {
    const panel = await openHeld();
    const omar = await panel.signIn('omar');
    await omar.post('/panel/operacion/ask-buyer', { document: panel.document.id });
    const page = await omar.text(`/panel/identificacion/${panel.document.id}`);
    expect(page).toContain('No hay un servidor de correo configurado');
    const link = /value="https:\/\/conector\.example(\/identificacion\/[^"]+)"/.exec(page)?.[1] ?? '';
    expect((await panel.get(link)).status).toBe(200);
  });

  test('an access key that is not this document’s is refused with the reason, on the same page', async () => {
    const panel = await openHeld();
    const { id } = panel.document;
    const now = panel.bench.clock.now();
    await panel.ledger.documents.move(id, { from: ['held'], to: 'ready', now });
    await panel.ledger.documents.move(id, { from: ['ready'], to: 'manual', now });
    const carla = await panel.signIn('carla');
    const answer = await carla.post('/panel/operacion/adopt', {
      volver: `/operacion/adopt?document=${id}`,
      seguir: '',
      document: id,
      accessKey: '12 34',
    });
    const page = await answer.text();
    expect([answer.status, page]).toEqual([422, expect.stringMatching(/role="alert"[^>]*>[^<]*49/)]);
    expect(page).toContain('value="12 34"');
  });

  test('an alert only a person can end is cleared; any other is not', async () => {
    const panel = await openHeld();
    const omar = await panel.signIn('omar');
    const { alerts } = panel.bench.deps;
    const about = { why: 'fields', order: '#1', number: '', fields: 'total', accessKey: '' } as const;
    await alerts.raise({ code: 'document-differs', subject: 's', params: about });
    await alerts.raise({ code: 'account-credits', subject: 's', params: {} });
    const page = await omar.text('/panel');
    expect(page.match(/Ya lo revisé/g)).toHaveLength(1);
    await omar.post('/panel/operacion/alerts-clear', { code: 'document-differs', subject: 's' });
    await omar.post('/panel/operacion/alerts-clear', { code: 'account-credits', subject: 's' });
    expect((await panel.ledger.alerts.open()).map(({ code }) => code)).toEqual(['account-credits']);
    expect(await outcomes(panel)).toEqual([
      'omar (panel) alerts-clear nothing',
      'omar (panel) alerts-clear done',
      'omar (panel) sign-in done',
    ]);
  });

  test('the audit shows who did what, page by page, to whoever may configure', async () => {
    const panel = await openHeld();
    for (let n = 0; n < 60; n += 1)
      await panel.ledger.auditLog.add({
        who: `u${n}`,
        what: 'retry',
        subject: 'd',
        outcome: 'done',
        now: panel.bench.clock.now(),
      });
    const carla = await panel.signIn('carla');
    const first = await carla.text('/panel/registro');
    expect(first).toContain('carla (panel)');
    expect([first.includes('>u59<'), first.includes('>u10<')]).toEqual([true, false]);
    const older = /href="(\/panel\/registro\?antes=\d+)"/.exec(first)?.[1] ?? '';
    expect(await carla.text(older)).toContain('>u10<');
    expect((await carla.get('/panel/registro?antes=1%27%20or%201')).status).toBe(200);
  });
});
