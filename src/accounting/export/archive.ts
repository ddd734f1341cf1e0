import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** An archive that is written as it grows; nothing of it is held in memory. */
export interface Archive {
  /** Resolves when its bytes are on their way to the disk. */
  add(name: string, bytes: Uint8Array): Promise<void>;
  addStream(name: string, stream: Readable): Promise<void>;
  /** The archive appears under its name, whole. */
  finish(): Promise<void>;
  /** As if it had never been begun. */
  abandon(): Promise<void>;
}

/** Begins an archive beside `file` (`<file>.part`), readable for its owner alone: it is full of buyers. */
export function openArchive(file: string, mtime: Date): Archive {
  const part = `${file}.part`;
  const zip = new ZipFile();
  const written = pipeline(Readable.from(zip.outputStream), createWriteStream(part, { mode: 0o600 }));
  // Told by whoever awaits it below.
  written.catch(() => {});
  const broken = new Promise<never>((_, reject) => {
    zip.once('error', reject);
    written.catch(reject);
  });
  broken.catch(() => {});

  async function addStream(name: string, stream: Readable): Promise<void> {
    const read = once(stream, 'end');
    zip.addReadStream(stream, name, { mtime, mode: 0o100600 });
    await Promise.race([read, broken]);
  }

  return {
    addStream,
    add: (name, bytes) => addStream(name, Readable.from([Buffer.from(bytes)])),
    async finish() {
      zip.end();
      await Promise.race([written, broken]);
      await rename(part, file);
    },
    async abandon() {
      (zip.outputStream as Readable).destroy();
      await written.catch(() => {});
      await rm(part, { force: true });
    },
  };
}
