import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

/** The socket of the admin channel in the folder of the ledger. */
export const socketIn = (directory: string): string => join(directory, 'admin.sock');

/** Beside it, where there is no socket: the port on 127.0.0.1, as digits. */
export const portFileIn = (directory: string): string => join(directory, 'admin.port');

/** Bytes the address of a socket takes, without its final zero: 108 on Linux, 104 elsewhere (unix(7)). */
const longest = process.platform === 'linux' ? 107 : 103;

export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= longest;

/**
 * Whether the folder is its owner's alone and we are the owner, so that whoever listens there is one of our processes.
 * `owner`: it belongs to somebody else. `rights`: others may enter, read or write. Folders above are not looked at: whoever
 * may rename this one may as well exchange the config beside it. False on a system without such rights.
 */
export async function privacyOf(directory: string): Promise<'private' | 'owner' | 'rights' | 'unknown'> {
  const us = process.getuid?.();
  if (us === undefined || process.platform === 'win32') return 'unknown';
  const { uid, mode } = await stat(directory);
  if (uid !== us) return 'owner';
  return (mode & 0o077) === 0 ? 'private' : 'rights';
}

/**
 * TLS by a pre-shared key: each side proves that it has the key before anything is said, and no certificate takes part. The
 * key exchange is ephemeral, so that a key that leaks later opens nothing that was recorded. Node has no such keys in TLS 1.3.
 */
export const sharedKeyTls: SecureContextOptions = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
};
export const sharedKeyIdentity = 'facturapuente-admin';
