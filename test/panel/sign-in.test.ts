import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inQueue } from '../../src/panel/guesses.ts';
import type { InstallationOptions } from '../http/installation.ts';
import { deviceIn, hashed, openPanel, type PanelInstallation, password, person } from './installation.ts';

const from = (address: string) => ({ 'x-forwarded-for': address });
const [owner, stranger] = [from('203.0.113.7'), from('198.51.100.9')];

/** A panel behind a proxy whose word about its clients is believed. */
const openProxied = (options: InstallationOptions = {}) =>
  openPanel({ trustedProxies: ['127.0.0.1/32'], ...options });

async function guessWrong(
  { enter }: PanelInstallation,
  { name = 'rosa', times, headers = {} }: { name?: string; times: number; headers?: Record<string, string> },
): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await enter(name, `equivocada ${n}`, headers)).status);
  return statuses;
}

const deviceOf = async ({ enter }: PanelInstallation, name: string, headers: Record<string, string> = {}) =>
  deviceIn(await enter(name, password, headers));

describe('a browser somebody signed in on before', () => {
  test('lets its owner in while strangers guess at the name, also where nothing tells clients apart', async () => {
    const installation = await openPanel();
    const cookie = await deviceOf(installation, 'rosa');
    expect(await guessWrong(installation, { times: 11 })).toEqual([...Array(10).fill(401), 429]);
    expect((await installation.enter('rosa')).status).toBe(429);
    expect((await installation.enter('rosa', password, { cookie })).status).toBe(303);
  });

  test('lets its owner in while strangers guess at names of every kind', async () => {
    const installation = await openPanel();
    const cookie = await deviceOf(installation, 'rosa');
    for (let n = 0; n < 30; n += 1) await installation.enter(`nadie ${n}`, 'x');
    expect((await installation.enter('omar')).status).toBe(429);
    expect((await installation.enter('rosa', password, { cookie })).status).toBe(303);
  });

  test('has ten guesses of its own, which hold up nobody else', async () => {
    const installation = await openProxied();
    const cookie = await deviceOf(installation, 'rosa', owner);
    const statuses = await guessWrong(installation, { times: 11, headers: { cookie, ...owner } });
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const refused = await installation.enter('rosa', password, { cookie, ...owner });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await installation.enter('rosa', password, stranger)).status).toBe(303);
  });

  test('is known for its own person alone, and to nobody after a change of the password', async () => {
    const installation = await openPanel();
    const cookie = await deviceOf(installation, 'rosa');
    await guessWrong(installation, { name: 'omar', times: 10 });
    expect((await installation.enter('omar', password, { cookie })).status).toBe(429);
    const changed = { ...person('rosa', 'read'), passwordHash: hashed('otra clave larga') };
    const beside = await openPanel({ people: [changed], instead: { ledger: installation.ledger } });
    await guessWrong(beside, { times: 10 });
    expect((await beside.enter('rosa', 'otra clave larga', { cookie })).status).toBe(429);
  });

  test('knows several people, and no character of what it keeps can be changed', async () => {
    const installation = await openPanel();
    const rosa = await deviceOf(installation, 'rosa');
    const both = await deviceOf(installation, 'omar', { cookie: rosa });
    for (const name of ['rosa', 'omar']) await guessWrong(installation, { name, times: 10 });
    for (const name of ['rosa', 'omar'])
      expect((await installation.enter(name, password, { cookie: both })).status).toBe(303);
    const value = rosa.slice(rosa.indexOf('=') + 1);
    for (const at of [0, 23, 40, value.length - 1]) {
      const other = value[at] === 'A' ? 'B' : 'A';
      const changed = `__Host-facturapuente-equipo=${value.slice(0, at)}${other}${value.slice(at + 1)}`;
      expect((await installation.enter('rosa', password, { cookie: changed })).status).toBe(429);
    }
  });

  test('is not made known by a wrong password, and its cookie is for requests to this host alone', async () => {
    const installation = await openPanel();
    expect((await installation.enter('rosa', 'x')).headers.getSetCookie()).toEqual([]);
    const cookies = (await installation.enter('rosa')).headers.getSetCookie();
    expect(cookies[1]).toMatch(/^__Host-facturapuente-equipo=/);
    for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookies[1]).toContain(part);
    expect(cookies[1]).not.toContain('rosa');
  });
});

describe('an unknown browser', () => {
  test.each(['rosa', 'nadie'])('has ten guesses at %s, and other clients have theirs', async (name) => {
    const installation = await openProxied();
    expect(await guessWrong(installation, { name, times: 11, headers: stranger })).toEqual([
      ...Array(10).fill(401),
      429,
    ]);
    expect((await installation.enter('rosa', password, owner)).status).toBe(303);
    expect((await installation.enter('omar', password, stranger)).status).toBe(303);
  });

  test('has its guesses at a name, whatever names strangers make of it and its address', async () => {
    const installation = await openProxied();
    for (const name of ['rosa client 203.0.113.7', 'rosa"],["203.0.113.7', 'rosa\nclient 203.0.113.7'])
      await guessWrong(installation, { name, times: 10, headers: from('2001:db8::1') });
    expect((await installation.enter('rosa', password, owner)).status).toBe(303);
  });

  test('has thirty guesses a minute at all names together, and other clients have theirs', async () => {
    const installation = await openProxied();
    for (let n = 0; n < 30; n += 1) await installation.enter(`nadie ${n}`, 'x', stranger);
    expect((await installation.enter('rosa', password, stranger)).status).toBe(429);
    expect((await installation.enter('rosa', password, owner)).status).toBe(303);
  });

  test('has three guesses at a name that many clients guess at, and still gets in with the right password', async () => {
    const installation = await openProxied();
    for (let n = 0; n < 10; n += 1)
      await guessWrong(installation, { times: 10, headers: from(`192.0.2.${n}`) });
    expect(await guessWrong(installation, { times: 4, headers: stranger })).toEqual([401, 401, 401, 429]);
    expect((await installation.enter('rosa', password, owner)).status).toBe(303);
  });
});

test('an unknown browser that finds its queue full waits a few seconds, and a known one gets in meanwhile', async () => {
  const salt = Buffer.alloc(16, 3);
  // As slow as a hash of ours can be, so that the flood stands in the queue.
  const key = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
  const passwordHash = `scrypt:15:8:1:${salt.toString('base64url')}:${key.toString('base64url')}`;
  const installation = await openProxied({ people: [{ ...person('rosa', 'read'), passwordHash }] });
  const cookie = await deviceOf(installation, 'rosa', owner);
  const guesses = Array.from({ length: 60 }, (_, n) =>
    installation.enter('rosa', 'equivocada', from(`2001:db8:${(n >> 2).toString(16)}:${n & 3}00::1`)),
  );
  const busy = Promise.withResolvers<Response>();
  for (const guess of guesses) void guess.then((answer) => answer.status === 429 && busy.resolve(answer));
  expect((await busy.promise).headers.get('retry-after')).toBe('5');
  expect((await installation.enter('rosa', password, { cookie, ...owner })).status).toBe(303);
  await Promise.all(guesses);
});

describe('the audit log', () => {
  test('has one entry a person and hour for wrong passwords, and one for names nobody has', async () => {
    const installation = await openProxied();
    await guessWrong(installation, { times: 7, headers: stranger });
    await guessWrong(installation, { times: 5, headers: owner });
    for (let n = 0; n < 9; n += 1) await installation.enter(`secreto tecleado ${n}`, 'x', stranger);
    const kept = await installation.ledger.auditLog.list({ limit: 50 });
    expect(kept.map(({ who, what, outcome, facts }) => ({ who, what, outcome, facts }))).toEqual([
      {
        who: null,
        what: 'wrong-password',
        outcome: 'refused',
        facts: { attempts: 9, from: ['198.51.100.9'] },
      },
      {
        who: 'rosa (panel)',
        what: 'wrong-password',
        outcome: 'refused',
        facts: { attempts: 12, from: ['198.51.100.9', '203.0.113.7'] },
      },
    ]);
    expect(JSON.stringify(kept)).not.toContain('tecleado');
    const page = await (await installation.signIn('carla')).text('/panel/registro');
    expect(page).toContain('12 intentos en una hora, desde 198.51.100.9, 203.0.113.7');
  });
});

test('a password longer than any is wrong without being hashed', async () => {
  const installation = await openPanel();
  expect((await installation.enter('rosa', 'x'.repeat(900))).status).toBe(401);
});

/** A guess that waits until the test lets all of them go. */
function openGuesses() {
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const guess = async () => {
    running += 1;
    most = Math.max(most, running);
    await release.promise;
    running -= 1;
    return true;
  };
  return { guess, release: release.resolve, most: () => most };
}

const refused = (answers: readonly (boolean | null)[]) => answers.filter((answer) => answer === null);

describe('the queue of guesses', () => {
  test('guesses run one at a time, and ten have a place: one more is turned away at once', async () => {
    const { guess, release, most } = openGuesses();
    const waiting = Array.from({ length: 10 }, () => inQueue('unknown', guess));
    expect(await inQueue('unknown', guess)).toBeNull();
    release();
    expect(refused(await Promise.all(waiting))).toEqual([]);
    expect(most()).toBe(1);
    expect(await inQueue('unknown', async () => 'a place again')).toBe('a place again');
  });

  test('a guess that fails gives its place back', async () => {
    for (let n = 0; n < 11; n += 1)
      await expect(inQueue('unknown', () => Promise.reject(new Error('ledger gone')))).rejects.toThrow(
        'ledger gone',
      );
    expect(await inQueue('unknown', async () => true)).toBe(true);
  });

  test('a person on a known device waits for no stranger, however many wait', async () => {
    const strangers = openGuesses();
    const waiting = Array.from({ length: 11 }, () => inQueue('unknown', strangers.guess));
    expect(await inQueue('known', async () => true)).toBe(true);
    strangers.release();
    expect(refused(await Promise.all(waiting))).toHaveLength(1);
  });
});
