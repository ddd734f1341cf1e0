import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Scope, Settings } from '../../domain/settings.ts';
import type { AccountingDeps } from '../sources.ts';
import { chosenStores } from '../sources.ts';
import { newPrivate, withDraft } from '../write-private.ts';
import { type Archive, type MonthAsked, type MonthCounts, spanOf, writeMonth } from './write-month.ts';

export interface ExportAsked extends MonthAsked {
  /** Absolute path, on the machine that writes it. */
  out: string;
}

export interface Exported extends MonthCounts {
  out: string;
  bytes: number;
}

/** Throws CommandError `input-invalid`, `export-out`. */
export async function exportMonth(deps: AccountingDeps, { out, ...asked }: ExportAsked): Promise<Exported> {
  spanOf(asked.month, deps.clock);
  return withDraft(out, async (draft) => {
    const archive = openZip(createWriteStream(draft, newPrivate), deps.clock.now());
    const counts = await writeMonth(deps, archive, draft, asked);
    return { out, bytes: (await stat(draft)).size, ...counts };
  });
}

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

type ExportOrder = Omit<ExportAsked, 'stores' | 'scope'> & { store?: string | undefined };

/** Equal calls at the same time share one export. */
export interface Exporting {
  month(asked: ExportOrder): Promise<Exported>;
  download(
    asked: Pick<ExportOrder, 'month' | 'store'> & { scope: Scope | null },
  ): (sink: Writable) => Promise<MonthCounts>;
}

export function openExporting(deps: AccountingDeps, settings: Pick<Settings, 'stores'>): Exporting {
  const running = new Map<string, Promise<Exported>>();
  return {
    async month(asked) {
      const { store, ...rest } = asked;
      const name = JSON.stringify(asked);
      const known = running.get(name);
      if (known) return known;
      const order = { ...rest, ...chosenStores(settings.stores, store) };
      const begun = exportMonth(deps, order).finally(() => running.delete(name));
      running.set(name, begun);
      return begun;
    },
    download({ month, store, scope }) {
      spanOf(month, deps.clock);
      const order = { month, ...chosenStores(settings.stores, store, scope) };
      return (sink) => streamMonth(deps, sink, order);
    },
  };
}

/** A slab of 64 KiB holds 25 KB of the compressor's buffers for each entry until the end (measured). */
const smallPool = 8 * 1024;
const usualPool = Buffer.poolSize;
let open = 0;

function takeSmallPool(): () => void {
  open += 1;
  Buffer.poolSize = Math.min(usualPool, smallPool);
  let ended = false;
  return () => {
    if (!ended) open -= 1;
    ended = true;
    if (open === 0) Buffer.poolSize = usualPool;
  };
}

function openZip(sink: Writable, mtime: Date): Archive {
  const giveBackPool = takeSmallPool();
  const zip = new ZipFile();
  const written = pipeline(Readable.from(zip.outputStream), sink);
  written.catch(() => {});
  const broken = new Promise<never>((_, reject) => {
    zip.once('error', reject);
    written.catch(reject);
  });
  broken.catch(() => {});

  async function addStream(name: string, stream: Readable): Promise<void> {
    const read = once(stream, 'end');
    // The archive keeps this closure until its end: it must not keep the stream.
    let given: Readable | null = stream;
    zip.addReadStreamLazy(name, { mtime, mode: 0o100600 }, (take) => {
      if (given !== null) take(null, given);
      given = null;
    });
    await Promise.race([read, broken]);
  }

  return {
    addStream,
    add: (name, bytes) => addStream(name, Readable.from([Buffer.from(bytes)])),
    async finish() {
      zip.end();
      await Promise.race([written, broken]);
      giveBackPool();
    },
    async abandon() {
      giveBackPool();
      (zip.outputStream as Readable).destroy();
      await written.catch(() => {});
    },
  };
}
