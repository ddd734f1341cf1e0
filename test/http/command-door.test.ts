import { expect, test } from 'vitest';
import { commandUse } from '../../src/http/command-door.ts';
import { now, openHouse } from './house.ts';

const body = JSON.stringify({ document: 'd1' });
const soon = new Date(now.getTime() + 60_000);

test('a command with its own ticket is carried out, and nothing is found without one', async () => {
  const house = await openHouse();
  const ticket = house.tickets.issue(commandUse('retry', body), soon);
  const ask = (name: string, sent: string, authorization?: string) =>
    house.post(`/commands/${name}`, sent, authorization === undefined ? {} : { authorization });
  const answer = await ask('retry', body, `Bearer ${ticket}`);
  expect([answer.status, await answer.json()]).toEqual([200, { done: true, says: 'Repetido d1.' }]);
  const others = [
    ask('retry', body),
    ask('retry', JSON.stringify({ document: 'd2' }), `Bearer ${ticket}`),
    ask('adopt', body, `Bearer ${ticket}`),
    ask(
      'retry',
      body,
      `Bearer ${house.tickets.issue(commandUse('retry', body), new Date(now.getTime() - 1_000))}`,
    ),
    ask('nada', body, `Bearer ${house.tickets.issue(commandUse('nada', body), soon)}`),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});
