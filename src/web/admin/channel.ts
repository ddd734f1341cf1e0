import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lstat, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { CommandError, LedgerError } from '../../domain/errors.ts';
import type { Log } from '../../domain/ports.ts';
import { holderIn } from '../../ledger/lock.ts';
import { closeServer } from '../server.ts';

/** Errors of file systems without sockets or permissions: FAT, some network and container mounts. */
const noSockets = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES', 'EINVAL', 'ENOSYS']);

export interface AdminChannel {
  /** Accepts no more connections, lets running requests finish, and removes its socket. */
  close(): Promise<void>;
}

/**
 * Opens the channel for the command line to the process that holds the ledger of a folder. Only the holder opens it, so an
 * existing socket is of a process that died. null where there can be no channel: the log says why, and commands ask for a
 * stop of the process. Throws LedgerError `admin-place` where the socket's path is another file.
 */
export async function openAdminChannel(
  listener: RequestListener,
  { directory, key, log }: { directory: string; key: Uint8Array; log: Log },
): Promise<AdminChannel | null> {
  try {
    const path = await channelOf(directory, key);
    if (!isWindows) await removeLeft(path);
    const server = await listenAt(path, listener).catch((error: NodeJS.ErrnoException) => {
      if (!noSockets.has(error.code ?? '')) throw error;
      throw new CommandError('admin-unavailable', { why: 'sockets', directory, error: error.code ?? '' });
    });
    // Closing the server removes the socket.
    return { close: () => closeServer(server) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    log.warn({ err: error, aviso: error.merchant }, 'The command line cannot ask this process.');
    return null;
  }
}

async function removeLeft(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw new LedgerError('admin-unavailable', { why: 'place', path });
  await rm(path);
}

async function listenAt(path: string, listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  server.listen(path);
  await once(server, 'listening');
  if (isWindows) return server;
  await chmod(path, 0o600).catch(async (error) => {
    await closeServer(server);
    throw error;
  });
  return server;
}

const isWindows = process.platform === 'win32';

/** The path of the socket. */
export const socketIn = (directory: string): string => join(directory, 'admin.sock');

/**
 * Any user of Windows may list pipes and create one of a free name. Only those who have `key` (32 bytes, of the ledger's
 * secret) know the name before its process has it, and each process that takes the ledger's lock has another one.
 * Others cannot write to it (by default, Microsoft's "Named Pipe Security and Access Rights").
 */
export async function pipeOf(directory: string, key: Uint8Array): Promise<string> {
  const holder = await readFile(holderIn(directory));
  const name = Buffer.from(hkdfSync('sha256', key, holder, 'admin pipe', 32)).toString('hex');
  return `\\\\.\\pipe\\facturapuente-${name}`;
}

/** The longest path of a socket, in bytes: 108 on Linux, 104 elsewhere, with the final zero (unix(7)). */
const longest = process.platform === 'linux' ? 107 : 103;

/**
 * Where the channel listens, so that no other user of the machine can be there: a socket in the folder, which must be ours
 * alone (0700), or the pipe. Throws CommandError `admin-unavailable`. Folders above are not checked: a
 * user who may rename this one may also exchange the config beside it.
 */
export async function channelOf(directory: string, key: Uint8Array): Promise<string> {
  if (isWindows) return pipeOf(directory, key);
  const { uid, mode } = await stat(directory);
  if (uid !== process.getuid?.()) throw new CommandError('admin-unavailable', { why: 'owner', directory });
  if ((mode & 0o077) !== 0) throw new CommandError('admin-unavailable', { why: 'rights', directory });
  const path = socketIn(directory);
  if (Buffer.byteLength(path) > longest)
    throw new CommandError('admin-unavailable', { why: 'length', directory, longest });
  return path;
}
