import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '../../src/http/password.ts';
import { run } from '../support/run.ts';
import { openHouse } from './house.ts';

const password = 'contraseña del operador';
// Made like ours with less work, so that thirty guesses are quick.
const salt = Buffer.alloc(16, 3);
const quick = scryptSync(password.normalize('NFC'), salt, 32, { N: 2 ** 4, r: 8, p: 1 });
const passwordHash = `scrypt:4:8:1:${salt.toString('base64url')}:${quick.toString('base64url')}`;
const basic = (user: string, word: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}`,
});

const openOperated = () =>
  openHouse({
    operations: {
      operator: { user: 'ana', passwordHash },
      queues: (req, res) => res.end(`page ${req.url}`),
    },
  });

test('the operator of the config sees the page, with umlauts in the password too', async () => {
  const house = await openOperated();
  const answer = await house.get('/operations/queues/api', basic('ana', password));
  expect([answer.status, await answer.text()]).toEqual([200, 'page /api']);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('nobody else does, and nobody learns what was wrong', async () => {
  const house = await openOperated();
  const answers = [];
  for (const headers of [{}, basic('ana', 'otra'), basic('eva', password), { authorization: 'Bearer x' }]) {
    const answer = await house.get('/operations/queues', headers);
    expect(answer.headers.get('www-authenticate')).toContain('Basic');
    answers.push([answer.status, await answer.text()]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.[0]).toBe(401);
  expect(house.lines.filter(({ message }) => message.includes('wrong operator password'))).toHaveLength(3);
});

test('after thirty wrong passwords in a minute even the right one waits', async () => {
  const house = await openOperated();
  for (let n = 0; n < 30; n += 1) await house.get('/operations/queues', basic('ana', String(n % 2)));
  const answer = await house.get('/operations/queues', basic('ana', password));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
});

test('a page that asks for many files at once does not lock its operator out', async () => {
  const house = await openOperated();
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => house.get('/operations/queues/x', basic('ana', password))),
  );
  const later = await house.get('/operations/queues/x', basic('ana', password));
  expect(later.status).toBe(200);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('the page is only for looking', async () => {
  const house = await openOperated();
  const answer = await house.post('/operations/queues/api', '{}', basic('ana', password));
  expect(answer.status).toBe(405);
});

test('without a configured operator there is no such page', async () => {
  const house = await openHouse();
  expect((await house.get('/operations/queues', basic('ana', password))).status).toBe(404);
});

test('the command makes the hash the config wants, and no two are alike', async () => {
  const hash = await hashPassword(password);
  expect(hash).toMatch(/^scrypt:15:8:1:[\w-]{22}:[\w-]{43}$/);
  expect(await hashPassword(password)).not.toBe(hash);
  expect(await isPassword(password.normalize('NFD'), hash)).toBe(true);
  expect(await isPassword(`${password} `, hash)).toBe(false);
  const made = await run(['hash-password'], {}, `${password}\n`);
  expect(made.code).toBe(0);
  expect(await isPassword(password, made.stdout.trim())).toBe(true);
  const short = await run(['hash-password'], {}, 'corta\n');
  expect([short.code, short.stderr]).toEqual([1, 'La contraseña debe tener al menos 10 caracteres.\n']);
});
