import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openHouse } from './house.ts';

test('the process is alive and ready while ledger and transport answer', async () => {
  const house = await openHouse();
  expect(await (await house.get('/healthz')).json()).toEqual({ status: 'alive' });
  const ready = await house.get('/readyz');
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ status: 'ready', ledger: 'ok', transport: 'ok' });
});

test('it is alive but not ready when the transport fails or hangs', async () => {
  for (const ready of [() => Promise.reject(new Error('gone')), () => new Promise<void>(() => {})]) {
    const house = await openHouse({ ready });
    const answer = await house.get('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ status: 'not-ready', ledger: 'ok', transport: 'no-answer' });
    expect((await house.get('/healthz')).status).toBe(200);
  }
});

test('it is not ready without its ledger', async () => {
  const house = await openHouse();
  await house.ledger.close();
  expect(await (await house.get('/readyz')).json()).toMatchObject({ ledger: 'no-answer', transport: 'ok' });
});

test('an address that does not exist is a JSON 404 that does not say what we run on', async () => {
  const house = await openHouse();
  const answer = await house.get('/wp-login.php');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({ error: 'not-found', message: 'Esta dirección no existe.' });
  expect(answer.headers.get('x-powered-by')).toBeNull();
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('closing lets an answer under way finish and takes no more', async () => {
  let finish: (() => void) | undefined;
  const house = await openHouse({ ready: () => new Promise((resolve) => (finish = resolve)) });
  const answer = house.get('/readyz');
  const go = await eventually(() => finish, 'the question for readiness');
  const closed = house.server.close();
  go();
  expect((await answer).status).toBe(200);
  await closed;
  await expect(house.get('/healthz')).rejects.toThrow();
});
