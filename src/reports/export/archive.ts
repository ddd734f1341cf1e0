import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface Archive {
  add(name: string, bytes: Uint8Array): Promise<void>;
  addStream(name: string, stream: Readable): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
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

export function openZip(sink: Writable, mtime: Date): Archive {
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
