import { describe, expect, test } from 'vitest';
import { resetSecondFactor } from '../../src/operations/installation.ts';
import { openPanelBench } from './bench.ts';
import { codeAt, cookieOf, deviceIn, isIn, openPanel, password, person, secretOn } from './installation.ts';

const codesOn = (page: string) =>
  [...page.matchAll(/<li>([a-z2-9-]{29})<\/li>/g)].map(([, code = '']) => code);
const minute = 60_000;

/** A panel that asks for codes, and a clock the test moves. */
async function openFactored() {
  const panel = await openPanelBench({}, { secondFactor: 'required' });
  const { bench, enter, form, get } = panel;
  const now = () => bench.clock.now();
  const text = async (path: string, cookie: string) => (await get(path, { cookie })).text();

  /** Somebody after the password. */
  async function halfway(user: string, headers: Record<string, string> = {}) {
    const answer = await enter(user, password, headers);
    return { answer, cookie: cookieOf(answer) };
  }
  async function giveCode(cookie: string, codigo: string, more: Record<string, string> = {}) {
    return form('/panel/codigo', { codigo, ...more }, { cookie });
  }
  async function enrol(user: string) {
    const { cookie } = await halfway(user);
    const page = await text('/panel/segundo-paso', cookie);
    const secret = secretOn(page);
    const fields = { codigo: codeAt(secret, now()) };
    const answer = await form('/panel/segundo-paso', fields, { cookie });
    return { secret, answer, cookie: cookieOf(answer), codes: codesOn(await answer.text()), half: cookie };
  }
  return { ...panel, now, text, halfway, giveCode, enrol };
}

describe('whoever may change something', () => {
  test.each(['omar', 'carla'])('%s gets nowhere with a password alone', async (user) => {
    const panel = await openFactored();
    const { answer, cookie } = await panel.halfway(user);
    expect(answer.headers.get('location')).toBe('/panel/codigo');
    for (const path of ['/panel', '/panel/buscar', '/panel/registro', '/panel/nada']) {
      const page = await panel.get(path, { cookie });
      expect([page.status, page.headers.get('location')]).toEqual([
        303,
        expect.stringMatching(/^\/panel\/codigo/),
      ]);
    }
    const done = await panel.form('/panel/operacion/retry', { document: 'x' }, { cookie });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/panel/codigo']);
  });

  test('enrols at the first sign-in, sees the recovery codes once, and then comes to the page asked for', async () => {
    const panel = await openFactored();
    const asked = await panel.form('/panel/entrar', { usuario: 'omar', clave: password, volver: '/tiendas' });
    const cookie = cookieOf(asked);
    const code = await panel.get(asked.headers.get('location') ?? '', { cookie });
    expect(code.headers.get('location')).toBe('/panel/segundo-paso?volver=%2Ftiendas');
    const page = await panel.text(code.headers.get('location') ?? '', cookie);
    expect(page).toContain('otpauth://totp/facturapuente:omar%40conector.example?');
    expect(page).toMatch(/<svg class="qr" viewBox="0 0 \d+ \d+" role="img"/);
    const fields = { volver: '/tiendas', codigo: codeAt(secretOn(page), panel.now()) };
    const answer = await panel.form('/panel/segundo-paso', fields, { cookie });
    const reported = await answer.text();
    expect([answer.status, new Set(codesOn(reported)).size]).toEqual([200, 10]);
    expect(reported).toContain('href="/panel/tiendas"');
    expect(await isIn(panel, cookieOf(answer))).toBe(true);
    expect(await isIn(panel, cookie)).toBe(false);
    expect(codesOn(await panel.text('/panel/segundo-paso', cookieOf(answer)))).toEqual([]);
  });

  test('enrols nothing by a wrong code, and never a secret another session has seen', async () => {
    const panel = await openFactored();
    const thief = await panel.halfway('omar');
    const seen = await panel.text('/panel/segundo-paso', thief.cookie);
    expect(secretOn(await panel.text('/panel/segundo-paso', thief.cookie))).toBe(secretOn(seen));
    const wrong = await panel.form('/panel/segundo-paso', { codigo: '000000' }, { cookie: thief.cookie });
    expect(wrong.status).toBe(422);
    const { secret } = await panel.enrol('omar');
    expect(secret).not.toBe(secretOn(seen));
    // Too late for whoever knew the password alone.
    const late = await panel.form(
      '/panel/segundo-paso',
      { codigo: codeAt(secretOn(seen), panel.now()) },
      { cookie: thief.cookie },
    );
    expect([late.status, late.headers.get('location')]).toEqual([303, '/panel/entrar']);
    expect((await panel.ledger.secondFactors.get('omar'))?.secret).toBe(secret);
  });

  test('signs in with password and code from then on', async () => {
    const panel = await openFactored();
    const { secret } = await panel.enrol('omar');
    panel.bench.advance(minute);
    const { cookie } = await panel.halfway('omar');
    expect(await isIn(panel, cookie)).toBe(false);
    const answer = await panel.giveCode(cookie, codeAt(secret, panel.now()));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/panel']);
    expect(await isIn(panel, cookieOf(answer))).toBe(true);
    expect(await isIn(panel, cookie)).toBe(false);
    const log = (await panel.ledger.auditLog.list({ limit: 9 })).map(({ what, facts }) => [what, facts]);
    expect(log).toEqual([
      ['sign-in', { by: 'code' }],
      ['sign-in', { by: 'code' }],
      ['second-factor', null],
    ]);
  });
});

describe('a code', () => {
  test('counts one step early or late, and no more', async () => {
    for (const [steps, status] of [
      [-2, 401],
      [-1, 303],
      [1, 303],
      [2, 401],
    ] as const) {
      const panel = await openFactored();
      const { secret } = await panel.enrol('omar');
      panel.bench.advance(5 * minute);
      const { cookie } = await panel.halfway('omar');
      const at = new Date(panel.now().getTime() + steps * 30_000);
      expect([steps, (await panel.giveCode(cookie, codeAt(secret, at))).status]).toEqual([steps, status]);
    }
  });

  test('counts once, the one of the enrolment too', async () => {
    const panel = await openFactored();
    const { secret } = await panel.enrol('omar');
    const used = codeAt(secret, panel.now());
    const { cookie } = await panel.halfway('omar');
    expect((await panel.giveCode(cookie, used)).status).toBe(401);
    panel.bench.advance(minute);
    const next = codeAt(secret, panel.now());
    expect((await panel.giveCode(cookie, next)).status).toBe(303);
    const again = await panel.halfway('omar');
    expect((await panel.giveCode(again.cookie, next)).status).toBe(401);
  });

  test('is refused after five wrong ones, all at once too, and the audit log says so in one entry', async () => {
    const panel = await openFactored();
    const { secret } = await panel.enrol('omar');
    panel.bench.advance(minute);
    const { cookie } = await panel.halfway('omar');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        panel.form('/panel/codigo', { codigo: `00000${n % 10}` }, { cookie }),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    const right = await panel.giveCode(cookie, codeAt(secret, panel.now()));
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, '900']);
    const log = await panel.ledger.auditLog.list({ limit: 50 });
    expect(log.filter(({ what }) => what === 'wrong-code')).toMatchObject([{ who: 'omar (panel)' }]);
  });

  test('takes twice as long after each five wrong ones, with an alert after ten, until a right one', async () => {
    const panel = await openFactored();
    const { secret } = await panel.enrol('omar');
    panel.bench.advance(minute);
    const guess = async () => {
      const { cookie } = await panel.halfway('omar');
      let answer = await panel.giveCode(cookie, '000000');
      for (let n = 0; answer.status === 401 && n < 6; n += 1) answer = await panel.giveCode(cookie, '000000');
      return [answer.status, answer.headers.get('retry-after')];
    };
    const alerts = () =>
      panel.lines.filter(({ fields }) => fields.alert !== undefined).map(({ level }) => level);
    expect([await guess(), alerts()]).toEqual([[429, '900'], []]);
    panel.bench.advance(15 * minute);
    expect([await guess(), alerts()]).toEqual([[429, '1800'], ['error']]);
    panel.bench.advance(15 * minute);
    expect((await guess())[0]).toBe(429);
    panel.bench.advance(16 * minute);
    const { cookie } = await panel.halfway('omar');
    expect((await panel.giveCode(cookie, codeAt(secret, panel.now()))).status).toBe(303);
    expect(alerts()).toEqual(['error', 'info']);
  });

  test('cannot be used up by strangers, nor on a known browser by somebody else who has the password', async () => {
    const panel = await openFactored();
    const { secret, answer } = await panel.enrol('omar');
    const known = deviceIn(answer);
    panel.bench.advance(minute);
    // Without the password there is no page to guess on.
    for (let n = 0; n < 6; n += 1)
      expect((await panel.form('/panel/codigo', { codigo: '000000' })).headers.get('location')).toBe(
        '/panel/entrar',
      );
    const thief = await panel.halfway('omar');
    for (let n = 0; n < 6; n += 1) await panel.giveCode(thief.cookie, '000000');
    const { cookie } = await panel.halfway('omar', { cookie: known });
    const mine = await panel.giveCode(`${cookie}; ${known}`, codeAt(secret, panel.now()));
    expect(mine.status).toBe(303);
  });

  test('needs a page of ours, and comes within ten minutes of the password', async () => {
    const panel = await openFactored();
    const { secret } = await panel.enrol('omar');
    panel.bench.advance(minute);
    const { cookie } = await panel.halfway('omar');
    const codigo = codeAt(secret, panel.now());
    expect(
      (await panel.form('/panel/codigo', { codigo }, { cookie, 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
    panel.bench.advance(10 * minute);
    const late = await panel.get('/panel/codigo', { cookie });
    expect(late.headers.get('location')).toMatch(/^\/panel\/entrar/);
  });
});

test('what cannot be undone wants a code of the last quarter of an hour, and nothing is done without it', async () => {
  const panel = await openFactored();
  const { secret, cookie } = await panel.enrol('carla');
  panel.bench.advance(16 * minute);
  const sent = { volver: '/operacion/adopt?document=x', document: 'x', accessKey: '1'.repeat(49) };
  const asked = await panel.form('/panel/operacion/adopt', sent, { cookie });
  expect([asked.status, asked.headers.get('location')]).toEqual([
    303,
    '/panel/codigo?volver=%2Foperacion%2Fadopt%3Fdocument%3Dx',
  ]);
  expect((await panel.ledger.auditLog.list({ limit: 9 })).map(({ what }) => what)).not.toContain('adopt');
  const half = cookieOf(asked);
  expect(await isIn(panel, cookie)).toBe(false);
  const back = await panel.giveCode(half, codeAt(secret, panel.now()), {
    volver: '/operacion/adopt?document=x',
  });
  expect(back.headers.get('location')).toBe('/panel/operacion/adopt?document=x');
  const fresh = cookieOf(back);
  expect((await panel.form('/panel/operacion/adopt', sent, { cookie: fresh })).status).toBe(422);
  expect((await panel.ledger.auditLog.list({ limit: 9 })).map(({ what }) => what)).toContain('adopt');
});

describe('recovery codes', () => {
  test('let somebody in without the phone, each once, however they are typed', async () => {
    const panel = await openFactored();
    const { codes } = await panel.enrol('omar');
    const [first = ''] = codes;
    const { cookie } = await panel.halfway('omar');
    const answer = await panel.giveCode(cookie, ` ${first.toUpperCase().replaceAll('-', ' ')}`);
    expect(answer.status).toBe(303);
    expect(await panel.text('/panel', cookieOf(answer))).toContain('Le quedan 9 códigos de recuperación');
    const again = await panel.halfway('omar');
    expect((await panel.giveCode(again.cookie, first)).status).toBe(401);
  });

  test('are replaced after a fresh code of the app, and by nothing else', async () => {
    const panel = await openFactored();
    const { secret, codes, cookie } = await panel.enrol('omar');
    const renew = (codigo: string) => panel.form('/panel/segundo-paso/codigos', { codigo }, { cookie });
    expect((await renew('000000')).status).toBe(401);
    expect((await renew(codes[0] ?? '')).status).toBe(401);
    expect((await renew(codeAt(secret, panel.now()))).status).toBe(401);
    panel.bench.advance(minute);
    const fresh = codesOn(await (await renew(codeAt(secret, panel.now()))).text());
    expect([fresh.length, fresh.filter((code) => codes.includes(code))]).toEqual([10, []]);
    const half = await panel.halfway('omar');
    expect((await panel.giveCode(half.cookie, codes[1] ?? '')).status).toBe(401);
    expect((await panel.giveCode(half.cookie, fresh[0] ?? '')).status).toBe(303);
  });

  test('stand in the ledger as hashes, and the secret encrypted', async () => {
    const panel = await openFactored();
    const { codes, secret } = await panel.enrol('omar');
    const factor = await panel.ledger.secondFactors.get('omar');
    expect([factor?.secret, factor?.codesLeft]).toEqual([secret, 10]);
    expect(await panel.ledger.secondFactors.spendCode('omar', codes[0] ?? '')).toBe(false);
  });
});

describe('whoever may only look', () => {
  test('needs no code, may turn it on, and then needs one, in sessions that are open too', async () => {
    const panel = await openFactored();
    const elsewhere = await panel.signIn('rosa');
    const rosa = await panel.signIn('rosa');
    expect(await isIn(panel, rosa.cookie)).toBe(true);
    const page = await rosa.text('/panel/segundo-paso');
    const answer = await rosa.post('/panel/segundo-paso', { codigo: codeAt(secretOn(page), panel.now()) });
    expect(codesOn(await answer.text())).toHaveLength(10);
    expect(await isIn(panel, cookieOf(answer))).toBe(true);
    expect(await isIn(panel, elsewhere.cookie)).toBe(false);
    const { cookie } = await panel.halfway('rosa');
    expect(await isIn(panel, cookie)).toBe(false);
  });

  test('owes a code as soon as the role changes', async () => {
    const panel = await openFactored();
    const { cookie } = await panel.signIn('rosa');
    const people = [person('rosa', 'operate')];
    const instead = { ledger: panel.ledger, clock: panel.bench.clock };
    const raised = await openPanel({ people, instead, secondFactor: 'required' });
    const answer = await raised.get('/panel', { cookie });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/panel/codigo']);
  });
});

test('with secondFactor off the password is enough, and the page says that it is off', async () => {
  const panel = await openPanel({ secondFactor: 'off' });
  const carla = await panel.signIn('carla');
  expect(await carla.text('/panel/segundo-paso')).toContain('panel.secondFactor: off');
});

test('a reset takes the factor away and ends the sessions, and the next sign-in enrols anew', async () => {
  const panel = await openFactored();
  const { cookie, secret } = await panel.enrol('omar');
  const reset = () => panel.operations.run(resetSecondFactor, { person: 'omar' }, { by: 'root@maquina' });
  expect(await reset()).toMatchObject({ done: true });
  expect(await isIn(panel, cookie)).toBe(false);
  expect((await panel.enrol('omar')).secret).not.toBe(secret);
  await reset();
  expect(await reset()).toMatchObject({ done: false });
  const log = await panel.ledger.auditLog.list({ limit: 1 });
  expect(log).toMatchObject([{ who: 'root@maquina', what: 'reset-second-factor', subject: 'omar' }]);
});
