import { expect, test } from 'vitest';
import { installUse } from '../../src/http/install-door.ts';
import { now, openHouse } from './house.ts';

const soon = new Date(now.getTime() + 60_000);

test('the door for the command line is not there for whoever has no ticket, or one for something else', async () => {
  const house = await openHouse();
  const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });
  const check = house.tickets.issue(installUse('cuenca', 'check', ''), soon);
  const other = house.tickets.issue(installUse('quito', 'check', ''), soon);
  const late = house.tickets.issue(installUse('cuenca', 'check', ''), now);
  const tries = [{}, bearer(other), bearer(late), bearer('x')];
  for (const headers of tries)
    expect((await house.post('/install/cuenca?do=check', '', headers)).status).toBe(404);
  expect((await house.post('/install/cuenca?do=apply', '', bearer(check))).status).toBe(404);
  expect((await house.post('/install/cuenca?do=all', '', bearer(check))).status).toBe(404);
});

test('a store the running process does not know is named as such', async () => {
  const house = await openHouse();
  const ticket = house.tickets.issue(installUse('loja', 'check', ''), soon);
  const answer = await house.post('/install/loja?do=check', '', { authorization: `Bearer ${ticket}` });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ error: 'unknown-store' });
});
