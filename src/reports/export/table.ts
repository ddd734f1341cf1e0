import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { newPrivate } from '../write-private.ts';
import type { CsvStyle } from './cells.ts';

/** A table that grows row by row in a file of its own, until it goes into the archive as a whole. */
export interface Table {
  add(row: readonly string[]): Promise<void>;
  /** The whole of it, once nothing is added any more. */
  read(): Promise<Readable>;
  drop(): Promise<void>;
}

/** Begins a table with its head; cells are written as they come, quoted where they need it. */
export function openTable(file: string, columns: readonly string[], style: CsvStyle): Table {
  const csv = stringify({ bom: style.bom, delimiter: style.delimiter, record_delimiter: 'windows' });
  const disk = createWriteStream(file, newPrivate);
  // Told by whoever awaits it below: a disk that is full ends the export, and not the process.
  const written = pipeline(csv, disk);
  written.catch(() => {});
  csv.write([...columns]);
  return {
    async add(row) {
      if (!csv.write([...row])) await Promise.race([once(csv, 'drain'), written]);
    },
    async read() {
      csv.end();
      await written;
      return createReadStream(file);
    },
    async drop() {
      csv.destroy();
      disk.destroy();
      // Until then it may still be opening the file.
      if (!disk.closed) await new Promise<void>((closed) => disk.once('close', closed));
      await rm(file, { force: true });
    },
  };
}
