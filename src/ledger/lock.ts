import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';

interface Holder {
  pid: number;
  host: string;
  since: string;
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The holder has not written it yet.
    return undefined;
  }
}

/**
 * The operating system's lock on `ledger.lock` ends with its process, also across containers. `holder.json` only names
 * the holder. Throws LedgerError `ledger-held`; the answer releases the lock.
 */
export function takeLock(directory: string, clock: Clock): () => void {
  const lockPath = join(directory, 'ledger.lock');
  const holderPath = join(directory, 'holder.json');
  closeSync(openSync(lockPath, 'a', 0o600));
  // Two processes that start at the same instant could both fail; with a timeout one of them gets the lock.
  const lock = new DatabaseSync(lockPath, { timeout: 250 });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== 5) throw cause;
    const holder = readHolder(holderPath);
    throw new LedgerError(
      'ledger-held',
      {
        directory,
        holder: holder ? `el proceso ${holder.pid} en ${holder.host}, desde ${holder.since}` : 'otro proceso',
      },
      { cause },
    );
  }
  const holder: Holder = { pid: process.pid, host: hostname(), since: clock.now().toISOString() };
  writeFileSync(`${holderPath}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  renameSync(`${holderPath}.new`, holderPath);
  return () => {
    if (!lock.isOpen) return;
    rmSync(holderPath, { force: true });
    lock.close();
  };
}
