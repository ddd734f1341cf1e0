import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';

/** A way to a server on loopback that can be cut: what goes through it breaks, and nobody gets through any more. */
export async function cuttable(target: string): Promise<{ url: string; cut(): void }> {
  const to = new URL(target);
  // One the system gives to nobody: what was cut is refused, and does not reach somebody else.
  const port = await freePort();
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    // A side that breaks is no end that would be piped.
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  onTestFinished(cut);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { url: url.href, cut };
}
