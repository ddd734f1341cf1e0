import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';

/** Where Linux begins to take the ports of connections and of listeners that name none. */
const ephemeral = 32_768;

test('a free port is none the system gives to others, and another one each time', async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  expect(new Set(ports).size).toBe(3);
  for (const port of ports) expect(port).toBeLessThan(ephemeral);
});

test('a port in use is skipped', async () => {
  const last = await freePort();
  const taken = createServer().listen(last + 1, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  expect([last, last + 1]).not.toContain(await freePort());
});
