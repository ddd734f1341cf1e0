import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Letter } from '../../src/domain/ports.ts';
import type { InstallationOptions } from '../http/installation.ts';
import { openPanelBench } from './bench.ts';
import {
  codeAt,
  cookieOf,
  deviceIn,
  hashed,
  isIn,
  openPanel,
  password,
  person,
  secretOn,
} from './installation.ts';

const fresh = 'una contraseña distinta';
const minute = 60_000;
const rosasAddress = 'rosa@mitienda.example';
const people = [{ ...person('rosa', 'read'), email: rosasAddress }, person('omar', 'operate')];
const reachable = people.map((one) => ({ ...one, email: `${one.user}@mitienda.example` }));

/** A panel with a mail server that records letters, and a clock the test moves. */
async function openMailed(options: InstallationOptions = {}) {
  const letters: Letter[] = [];
  const send = async (letter: Letter) => void letters.push(letter);
  const instead = { mailer: { send, close() {} }, ...options.instead };
  const panel = await openPanelBench({}, { people, ...options, instead });
  const ask = (usuario: string, headers: Record<string, string> = {}) =>
    panel.form('/panel/clave-olvidada', { usuario }, headers);
  /** The letter after this many earlier ones; its link without the host. */
  async function letterAfter(earlier: number) {
    await vi.waitFor(() => expect(letters.length).toBeGreaterThan(earlier), { interval: 5 });
    const letter = letters[earlier];
    const [link = ''] = /https:\/\/conector\.example\/panel\/clave-nueva\S+/.exec(letter?.text ?? '') ?? [];
    const { pathname, search, searchParams } = new URL(link);
    const fields = Object.fromEntries(searchParams) as { usuario: string; ficha: string };
    return { ...letter, path: `${pathname}${search}`, fields };
  }
  async function letterOf(usuario: string) {
    const earlier = letters.length;
    await ask(usuario);
    return letterAfter(earlier);
  }
  const reset = (fields: { usuario: string; ficha: string }, nueva = fresh, repetida = nueva) =>
    panel.form('/panel/clave-nueva', { ...fields, nueva, repetida });
  return { ...panel, letters, ask, letterAfter, letterOf, reset };
}
type Mailed = Awaited<ReturnType<typeof openMailed>>;

const change = (actual = password, nueva = fresh, repetida = nueva) => ({ actual, nueva, repetida });
const hashOfToken = (cookie: string) =>
  createHash('sha256')
    .update(cookie.slice(cookie.indexOf('=') + 1))
    .digest('base64url');

/** A person with a second factor, signed in. */
async function enrol({ enter, form, get, bench }: Mailed, user: string) {
  const half = cookieOf(await enter(user));
  const page = await (await get('/panel/segundo-paso', { cookie: half })).text();
  const secret = secretOn(page);
  const codigo = codeAt(secret, bench.clock.now());
  return { secret, cookie: cookieOf(await form('/panel/segundo-paso', { codigo }, { cookie: half })) };
}

describe('a change of the password', () => {
  test('counts at once, ends the other sessions, and keeps this browser signed in', async () => {
    const panel = await openPanel();
    const other = await panel.signIn('rosa');
    const rosa = await panel.signIn('rosa');
    expect(await rosa.text('/panel/segundo-paso')).toContain('action="/panel/clave"');
    const answer = await rosa.post('/panel/clave', change());
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/panel/segundo-paso']);
    const cookie = cookieOf(answer);
    const page = await panel.get('/panel/segundo-paso', { cookie });
    expect(await page.text()).toContain('Su contraseña se cambió');
    expect(await (await panel.get('/panel/segundo-paso', { cookie })).text()).not.toContain('se cambió');
    expect([await isIn(panel, other.cookie), await isIn(panel, rosa.cookie)]).toEqual([false, false]);
    expect((await panel.enter('rosa')).status).toBe(401);
    expect((await panel.enter('rosa', fresh)).status).toBe(303);
    expect((await panel.enter('omar')).status).toBe(303);
    const log = await panel.ledger.auditLog.list({ limit: 9 });
    expect(log.filter(({ what }) => what === 'password-changed')).toMatchObject([
      { who: 'rosa (panel)', outcome: 'done' },
    ]);
  });

  test.each([
    ['no coinciden', change(password, fresh, `${fresh}.`)],
    ['al menos 12 caracteres', change(password, 'corta')],
    ['al menos 12 caracteres', change(password, 'x'.repeat(1_001))],
    ['ocupar hasta 128 bytes', change(password, 'ñ'.repeat(65))],
    ['es la misma', change(password, password)],
  ])('is refused beside the form where the new one %s', async (says, fields) => {
    const panel = await openPanel();
    const rosa = await panel.signIn('rosa');
    const answer = await rosa.post('/panel/clave', fields);
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(says)]);
    expect(await isIn(panel, rosa.cookie)).toBe(true);
    expect((await panel.enter('rosa')).status).toBe(303);
  });

  test('has the guesses at the present one that a sign-in has, together with it', async () => {
    const panel = await openPanel();
    const rosa = await panel.signIn('rosa');
    for (let n = 0; n < 10; n += 1)
      expect((await rosa.post('/panel/clave', change(`equivocada ${n}`))).status).toBe(401);
    const late = await rosa.post('/panel/clave', change());
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await panel.enter('rosa')).status).toBe(429);
    const log = await panel.ledger.auditLog.list({ limit: 9 });
    expect(log.filter(({ what }) => what === 'wrong-password')).toMatchObject([{ facts: { attempts: 10 } }]);
  });

  test('counts until another hash stands in the config, which wins over it', async () => {
    const panel = await openPanel();
    await (await panel.signIn('rosa')).post('/panel/clave', change());
    const again = await openPanel({ instead: { ledger: panel.ledger } });
    expect((await again.enter('rosa', fresh)).status).toBe(303);
    const written = { ...person('rosa', 'read'), passwordHash: hashed('la de la configuración') };
    const replaced = await openPanel({ people: [written], instead: { ledger: panel.ledger } });
    expect((await replaced.enter('rosa', fresh)).status).toBe(401);
    expect((await replaced.enter('rosa', 'la de la configuración')).status).toBe(303);
    const rosa = await replaced.signIn('rosa', 'la de la configuración');
    await rosa.post('/panel/clave', change('la de la configuración', 'y todavía otra más'));
    expect((await replaced.enter('rosa', 'y todavía otra más')).status).toBe(303);
  });

  test('makes the browsers of the old one unknown, and this one known', async () => {
    const panel = await openPanel();
    const device = deviceIn(await panel.enter('rosa'));
    const answer = await (await panel.signIn('rosa')).post('/panel/clave', change());
    for (let n = 0; n < 10; n += 1) await panel.enter('rosa', `equivocada ${n}`);
    expect((await panel.enter('rosa', fresh, { cookie: device })).status).toBe(429);
    expect((await panel.enter('rosa', fresh, { cookie: deviceIn(answer) })).status).toBe(303);
  });

  test('needs the code after the password, and replaces no fresh code', async () => {
    const panel = await openMailed({ people: [person('carla', 'configure')], secondFactor: 'required' });
    const { cookie } = await enrol(panel, 'carla');
    const half = cookieOf(await panel.enter('carla'));
    const early = await panel.form('/panel/clave', change(), { cookie: half });
    expect([early.status, early.headers.get('location')]).toEqual([303, '/panel/codigo']);
    panel.bench.advance(16 * minute);
    const changed = cookieOf(await panel.form('/panel/clave', change(), { cookie }));
    expect(await isIn(panel, changed)).toBe(true);
    const fields = { document: 'x', accessKey: '1'.repeat(49) };
    const asked = await panel.form('/panel/operacion/adopt', fields, { cookie: changed });
    expect(asked.headers.get('location')).toMatch(/^\/panel\/codigo/);
  });
});

describe('the link for a forgotten password', () => {
  test('sets a new one, once, and ends the sessions; opening it changes nothing', async () => {
    const panel = await openMailed();
    const rosa = await panel.signIn('rosa');
    const { to, subject, text, path, fields } = await panel.letterOf('rosa');
    expect([to, subject]).toEqual([[rosasAddress], 'Su contraseña del panel de facturapuente']);
    expect(text).toContain('30 minutos');
    for (let n = 0; n < 2; n += 1) {
      const page = await panel.get(path);
      expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
    expect((await panel.reset(fields, fresh, 'otra cosa distinta')).status).toBe(422);
    expect((await panel.reset(fields, 'corta')).status).toBe(422);
    expect(await isIn(panel, rosa.cookie)).toBe(true);
    const done = await panel.reset(fields);
    expect([done.status, done.headers.getSetCookie()]).toEqual([200, []]);
    expect(await panel.ledger.sessions.get(hashOfToken(rosa.cookie))).toBeUndefined();
    expect(await isIn(panel, rosa.cookie)).toBe(false);
    expect((await panel.enter('rosa')).status).toBe(401);
    expect((await panel.enter('rosa', fresh)).status).toBe(303);
    const log = await panel.ledger.auditLog.list({ limit: 9 });
    expect(log.filter(({ what }) => what === 'password-reset')).toMatchObject([{ who: 'rosa (panel)' }]);
    const used = await panel.get(path);
    expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('/panel/clave-olvidada')]);
    expect((await panel.reset(fields, 'la de un ladrón')).status).toBe(410);
    expect((await panel.enter('rosa', fresh)).status).toBe(303);
  });

  test('sets one password however often it is sent at once', async () => {
    const panel = await openMailed();
    const { fields } = await panel.letterOf('rosa');
    const words = ['primera contraseña', 'segunda contraseña', 'tercera contraseña'];
    const answers = await Promise.all(words.map((word) => panel.reset(fields, word)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const [set = ''] = words.filter((_word, at) => answers[at]?.status === 200);
    expect((await panel.enter('rosa', set)).status).toBe(303);
  });

  test('works for half an hour, and for the person it was sent to', async () => {
    const panel = await openMailed({ people: reachable });
    const { path, fields } = await panel.letterOf('rosa');
    for (const usuario of ['omar', 'nadie', ''])
      expect((await panel.reset({ ...fields, usuario })).status).toBe(410);
    expect((await panel.reset({ ...fields, ficha: `${fields.ficha}A` })).status).toBe(410);
    panel.bench.advance(30 * minute);
    expect((await panel.get(path)).status).toBe(410);
    expect((await panel.reset(fields)).status).toBe(410);
    expect((await panel.enter('rosa')).status).toBe(303);
  });

  test('is worthless after the password was changed in another way', async () => {
    const panel = await openMailed();
    const { fields } = await panel.letterOf('rosa');
    await (await panel.signIn('rosa')).post('/panel/clave', change());
    expect((await panel.reset(fields, 'la de un ladrón')).status).toBe(410);
  });

  test('never replaces the second factor', async () => {
    const panel = await openMailed({ secondFactor: 'required' });
    const { secret } = await enrol(panel, 'rosa');
    const { fields } = await panel.letterOf('rosa');
    await panel.reset(fields);
    panel.bench.advance(minute);
    const entered = await panel.enter('rosa', fresh);
    expect(entered.headers.get('location')).toBe('/panel/codigo');
    expect(await isIn(panel, cookieOf(entered))).toBe(false);
    const codigo = codeAt(secret, panel.bench.clock.now());
    const answer = await panel.form('/panel/codigo', { codigo }, { cookie: cookieOf(entered) });
    expect(await isIn(panel, cookieOf(answer))).toBe(true);
  });
});

describe('a person who forgot the password', () => {
  test('gets one answer, whether or not the name exists or has an address, and a letter where both are so', async () => {
    const panel = await openMailed();
    const answers = [];
    for (const name of ['nadie', 'omar', '\0', 'x'.repeat(81), 'rosa']) {
      const answer = await panel.ask(name);
      answers.push([answer.status, await answer.text()]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toEqual([200, expect.stringContaining('Si ese usuario existe y tiene un correo')]);
    await panel.letterAfter(0);
    expect(panel.letters.map(({ to }) => to)).toEqual([[rosasAddress]]);
  });

  test('waits for no mail server', async () => {
    const never = { send: () => new Promise<void>(() => {}), close() {} };
    const panel = await openMailed({ instead: { mailer: never } });
    expect((await panel.ask('rosa')).status).toBe(200);
  });

  test('gets three letters an hour', async () => {
    const panel = await openMailed({ people: reachable });
    for (let n = 0; n < 3; n += 1) await panel.letterOf('rosa');
    const silent = await panel.ask('rosa');
    expect([silent.status, await silent.text()]).toEqual([200, expect.stringContaining('Si ese usuario')]);
    // A fourth letter would come before the one that is asked for after it.
    expect((await panel.letterOf('omar')).fields.usuario).toBe('omar');
    panel.bench.advance(60 * minute);
    expect((await panel.letterOf('rosa')).fields.usuario).toBe('rosa');
  });

  test('gets none from a client that asked for ten names within the hour, and one from another client', async () => {
    const panel = await openMailed({ trustedProxies: ['127.0.0.1/32'] });
    const [stranger, owner] = ['198.51.100.9', '203.0.113.7'].map((at) => ({ 'x-forwarded-for': at }));
    for (let n = 0; n < 10; n += 1) await panel.ask(`nadie ${n}`, stranger);
    for (let n = 0; n < 4; n += 1) expect((await panel.ask('rosa', stranger)).status).toBe(200);
    await panel.ask('rosa', owner);
    await panel.letterAfter(0);
    expect(panel.letters).toHaveLength(1);
  });

  test('finds the way on the sign-in where a mail server is configured', async () => {
    const link = 'href="/panel/clave-olvidada"';
    const panel = await openMailed();
    expect(await (await panel.get('/panel/entrar')).text()).toContain(link);
    expect(await (await panel.get('/panel/clave-olvidada')).text()).toContain('name="usuario"');
    const without = await openPanel();
    expect(await (await without.get('/panel/entrar')).text()).not.toContain(link);
    expect((await without.get('/panel/clave-olvidada')).headers.get('location')).toBe('/panel/entrar');
    const sent = await without.form('/panel/clave-olvidada', { usuario: 'rosa' });
    expect(sent.headers.get('location')).toBe('/panel/entrar');
  });
});

test('the log and the ledger in plain have no password, hash, ticket or address', async () => {
  let failures = 0;
  const send = () => {
    failures += 1;
    return Promise.reject(new Error(`550 ${rosasAddress} rejected`));
  };
  const panel = await openMailed({ instead: { mailer: { send, close() {} } } });
  await panel.ask('rosa');
  await vi.waitFor(() => expect(panel.lines.map(({ message }) => message).join()).toContain('no letter'));
  expect(failures).toBe(1);
  const passwordHash = person('rosa', 'read').passwordHash;
  const ficha = panel.tickets.issue('x', new Date());
  await panel.get(`/panel/clave-nueva?usuario=rosa&ficha=${ficha}`);
  await panel.reset({ usuario: 'rosa', ficha });
  const rosa = await panel.signIn('rosa');
  await rosa.post('/panel/clave', change('equivocada y larga'));
  await rosa.post('/panel/clave', change());
  // An error is logged with its message.
  const inWords = (_name: string, value: unknown) => (value instanceof Error ? value.stack : value);
  const known = JSON.stringify([panel.lines, await panel.ledger.auditLog.list({ limit: 50 })], inWords);
  for (const secret of [password, fresh, 'equivocada y larga', passwordHash, ficha, rosasAddress])
    expect(known).not.toContain(secret);
  const kept = await panel.ledger.credentials.get({ platform: 'panel:password', shop: 'rosa' });
  const { hash } = { ...(kept?.value as { hash: string }) };
  expect(hash).toMatch(/^scrypt:15:8:3:/);
  expect(known).not.toContain(hash);
});
