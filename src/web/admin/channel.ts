import { once } from 'node:events';
import { chmod, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { LedgerError } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { closeServer } from '../server.ts';
import { fitsSocket, portFileIn, privacyOf, sharedKeyIdentity, sharedKeyTls, socketIn } from './place.ts';

/** What file systems without sockets or their rights answer: FAT, some network and container mounts. */
const noSockets = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES', 'EINVAL', 'ENOSYS']);

export interface AdminChannel {
  /** The path of its socket, or its port on 127.0.0.1. */
  at: string | number;
  /** Takes no more connections, lets answers under way finish, removes what it left in the folder. */
  close(): Promise<void>;
}

/**
 * Where the command line reaches the process that holds the ledger of a folder; only the holder opens it, so that one that
 * is found there already was left by a process that died. A socket of mode 0600 where the folder is ours alone (0700);
 * elsewhere TLS on 127.0.0.1 with `key` (32 bytes, of the ledger's secret), at a port told in the folder. Throws
 * LedgerError `admin-place` where something else lies at the socket's place.
 */
export async function openAdminChannel(
  listener: RequestListener,
  { directory, key, log }: { directory: string; key: Uint8Array; log: Log },
): Promise<AdminChannel> {
  const path = socketIn(directory);
  await removeLeft(path);
  await rm(portFileIn(directory), { force: true });
  const why = await againstSocket(directory, path);
  if (why === null) {
    const server = await listenAt(path, listener).catch((error: NodeJS.ErrnoException) => {
      if (noSockets.has(error.code ?? '')) return null;
      throw error;
    });
    // Node removes the socket of a server that closes.
    if (server) return { at: path, close: () => closeServer(server) };
  }
  const { server, port } = await listenWith(key, listener);
  await tellPort(portFileIn(directory), port);
  log.info(
    { why: why ?? 'filesystem', port },
    'No socket for the command line here; it uses TLS on 127.0.0.1',
  );
  return {
    at: port,
    async close() {
      await rm(portFileIn(directory), { force: true });
      await closeServer(server);
    },
  };
}

/** Why there is no socket; null where there is one. */
async function againstSocket(directory: string, path: string): Promise<string | null> {
  const privacy = await privacyOf(directory);
  if (privacy !== 'private') return privacy;
  return fitsSocket(path) ? null : 'path-too-long';
}

async function removeLeft(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket())
    throw new LedgerError(
      'admin-place',
      `${path} existe y no es un socket: muévalo o bórrelo, ahí atiende facturapuente start a la terminal.`,
      `${path} is not a socket; move it away.`,
    );
  await rm(path);
}

async function listenAt(path: string, listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600).catch(async (error) => {
    await closeServer(server);
    throw error;
  });
  return server;
}

async function listenWith(
  key: Uint8Array,
  listener: RequestListener,
): Promise<{ server: Server; port: number }> {
  const pskCallback = (_socket: unknown, identity: string) => (identity === sharedKeyIdentity ? key : null);
  const server = createTlsServer({ ...sharedKeyTls, pskCallback }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** The file appears whole: others may look for it already. */
async function tellPort(file: string, port: number): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${port}\n`, { flag: 'wx', mode: 0o600 });
  await rename(draft, file);
}
