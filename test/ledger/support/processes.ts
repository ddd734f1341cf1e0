import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { LedgerOptions } from '../../../src/ledger/ledger.ts';

export type Child = ChildProcessWithoutNullStreams & { lines: AsyncIterableIterator<string> };

/** Starts a script of this folder in a process of its own; killed at the latest when the test is over. */
export function start(script: string, options: Omit<LedgerOptions, 'encryptionKey'>): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(options)]);
  child.stderr.pipe(process.stderr);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return Object.assign(child, { lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() });
}

export async function nextLine(child: Child): Promise<string> {
  const { value, done } = await child.lines.next();
  if (done) throw new Error('The process ended without a word.');
  return value;
}

export async function ended(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fp-ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
