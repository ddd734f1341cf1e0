import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { AccountingDeps } from '../deps.ts';
import { newPrivate, withDraft } from '../write-private.ts';
import { openZip } from './archive.ts';
import { spanOf } from './month.ts';
import { type MonthAsked, type MonthCounts, writeMonth } from './write-month.ts';

export interface ExportAsked extends MonthAsked {
  /** Absolute path of the archive. */
  out: string;
}

export interface Exported extends MonthCounts {
  out: string;
  bytes: number;
}

/** Writes a month into one file. Throws LedgerError `export-month`, `export-out`. */
export async function exportMonth(deps: AccountingDeps, { out, ...asked }: ExportAsked): Promise<Exported> {
  spanOf(asked.month, deps.clock);
  return withDraft(out, async (draft) => {
    const archive = openZip(createWriteStream(draft, newPrivate), deps.clock.now());
    const counts = await writeMonth(deps, archive, draft, asked);
    return { out, bytes: (await stat(draft)).size, ...counts };
  });
}

/**
 * Writes the same archive into a stream as it is made, and ends it: whoever downloads it waits for no whole archive, and
 * none stays on this machine. A stream that was broken off is no archive.
 */
export async function streamMonth(
  deps: AccountingDeps,
  sink: Writable,
  asked: MonthAsked,
): Promise<MonthCounts> {
  const scratch = await mkdtemp(join(tmpdir(), 'facturapuente-mes-'));
  try {
    return await writeMonth(deps, openZip(sink, deps.clock.now()), join(scratch, 'mes'), asked);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
