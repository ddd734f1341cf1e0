import { expect, test } from 'vitest';
import { accountsUnder } from '../../src/core/issuer-record.ts';
import { deskPath, deskUse } from '../../src/http/desk-door.ts';
import { now, openHouse } from './house.ts';

const soon = new Date(now.getTime() + 60_000);

async function open() {
  const house = await openHouse();
  const ticketFor = (body: string, until = soon) => `Bearer ${house.tickets.issue(deskUse(body), until)}`;
  return {
    ticketFor,
    async ask(order: object, authorization = ticketFor(JSON.stringify(order))) {
      const answer = await house.post(deskPath, JSON.stringify(order), { authorization });
      return [answer.status, answer.ok ? ((await answer.json()) as { answer: unknown }).answer : null];
    },
  };
}

test('the desk reads and writes what install remembers, and tells of the ledger’s health', async () => {
  const { ask } = await open();
  const name = { under: accountsUnder, name: 'principal' };
  expect(await ask({ do: 'get', ...name })).toEqual([200, null]);
  expect(await ask({ do: 'put', ...name, value: { a: 1 }, version: null })).toEqual([200, true]);
  expect(await ask({ do: 'put', ...name, value: { a: 2 }, version: null })).toEqual([200, false]);
  expect(await ask({ do: 'get', ...name })).toEqual([200, { value: { a: 1 }, version: 1 }]);
  const [status, health] = await ask({ do: 'health' });
  expect([status, health]).toEqual([
    200,
    expect.objectContaining({ engine: 'sqlite', alerts: [], stopped: [] }),
  ]);
});

test('there is no desk for whoever has no ticket for this very order, nor for what shops gave us', async () => {
  const { ask, ticketFor } = await open();
  const health = { do: 'health' };
  const read = JSON.stringify({ do: 'get', under: accountsUnder, name: 'x' });
  for (const ticket of ['', 'Bearer x', ticketFor(read), ticketFor(JSON.stringify(health), now)])
    expect(await ask(health, ticket)).toEqual([404, null]);
  expect(await ask({ do: 'get', under: 'woocommerce', name: 'https://mitienda.ec' })).toEqual([404, null]);
  expect(await ask({ do: 'get', under: '@stores', name: 'tienda' })).toEqual([404, null]);
});
