import { once } from 'node:events';
import { chmod, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { LedgerError } from '../../domain/errors.ts';
import type { Log } from '../../domain/ports.ts';
import { closeServer } from '../server.ts';

/** Errors of file systems without sockets or permissions: FAT, some network and container mounts. */
const noSockets = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES', 'EINVAL', 'ENOSYS']);

export interface AdminChannel {
  /** The path of its socket, or its port on 127.0.0.1. */
  at: string | number;
  /** Accepts no more connections, lets running requests finish, and removes its files. */
  close(): Promise<void>;
}

/**
 * Opens the channel for the command line to the process that holds the ledger of a folder. Only the holder opens it, so an
 * existing socket is of a process that died. It is a socket of mode 0600 where the folder is ours alone (0700); elsewhere
 * TLS on 127.0.0.1 with `key` (32 bytes, of the ledger's secret), at a port written into the folder. Throws LedgerError
 * `admin-place` where the socket's path is another file.
 */
export async function openAdminChannel(
  listener: RequestListener,
  { directory, key, log }: { directory: string; key: Uint8Array; log: Log },
): Promise<AdminChannel> {
  const path = socketIn(directory);
  await removeLeft(path);
  await rm(portFileIn(directory), { force: true });
  const why = await socketObstacle(directory, path);
  if (why === null) {
    const server = await listenAt(path, listener).catch((error: NodeJS.ErrnoException) => {
      if (noSockets.has(error.code ?? '')) return null;
      throw error;
    });
    // Closing the server removes the socket.
    if (server) return { at: path, close: () => closeServer(server) };
  }
  const { server, port } = await listenWith(key, listener);
  await reportPort(portFileIn(directory), port);
  log.info({ why: why ?? 'filesystem', port }, 'The command line uses TLS on 127.0.0.1 instead of a socket');
  return {
    at: port,
    async close() {
      await rm(portFileIn(directory), { force: true });
      await closeServer(server);
    },
  };
}

/** Why a socket cannot be used; null where it can. */
async function socketObstacle(directory: string, path: string): Promise<string | null> {
  const privacy = await privacyOf(directory);
  if (privacy !== 'private') return privacy;
  return Buffer.byteLength(path) <= longest ? null : 'path-too-long';
}

async function removeLeft(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket())
    throw new LedgerError(
      'admin-place',
      `${path} existe y no es un socket: muévalo o bórrelo; facturapuente start lo usa para la terminal.`,
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

/** Writes the port atomically: others may already read the file. */
async function reportPort(file: string, port: number): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${port}\n`, { flag: 'wx', mode: 0o600 });
  await rename(draft, file);
}

/** The path of the socket. */
export const socketIn = (directory: string): string => join(directory, 'admin.sock');

/** The path of the file with the port on 127.0.0.1, in digits. */
export const portFileIn = (directory: string): string => join(directory, 'admin.port');

/** The longest path of a socket, in bytes: 108 on Linux, 104 elsewhere, with the final zero (unix(7)). */
const longest = process.platform === 'linux' ? 107 : 103;

/**
 * Whether only we may enter the folder, so that a listener there is one of our processes. `owner`: somebody else owns it.
 * `rights`: others may enter, read or write. `unknown`: the system has no such rights. Folders above are not checked:
 * a user who may rename this one may also exchange the config beside it.
 */
export async function privacyOf(directory: string): Promise<'private' | 'owner' | 'rights' | 'unknown'> {
  const us = process.getuid?.();
  if (us === undefined || process.platform === 'win32') return 'unknown';
  const { uid, mode } = await stat(directory);
  if (uid !== us) return 'owner';
  return (mode & 0o077) === 0 ? 'private' : 'rights';
}

/**
 * TLS with a pre-shared key instead of certificates. The key exchange is ephemeral, so that a key that leaks later does not
 * decrypt recorded traffic. Node supports pre-shared keys up to TLS 1.2.
 */
export const sharedKeyTls: SecureContextOptions = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
};
export const sharedKeyIdentity = 'facturapuente-admin';
