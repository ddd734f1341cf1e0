import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** An archive that is written as it grows; nothing of it is held in memory. */
export interface Archive {
  /** Resolves when its bytes are on their way to the disk. */
  add(name: string, bytes: Uint8Array): Promise<void>;
  addStream(name: string, stream: Readable): Promise<void>;
  /** The archive is whole. */
  finish(): Promise<void>;
  /** As if it had never been begun. */
  abandon(): Promise<void>;
}

/**
 * The archive keeps the name of each entry until its end, and a name pins the slab of Node's buffer pool it was cut
 * from. In slabs of 64 KiB there lie the compressor's buffers too: 25 KB for each entry (measured). In small ones there
 * is no room for them.
 */
const smallPool = 8 * 1024;
const usualPool = Buffer.poolSize;
let open = 0;

/** Small slabs until the last archive that is being written has ended. Answers how to say that this one has. */
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

/** Begins an archive that goes into `sink` as it grows. Finished it ends the sink, abandoned it breaks it off. */
export function openZip(sink: Writable, mtime: Date): Archive {
  const giveBackPool = takeSmallPool();
  const zip = new ZipFile();
  const written = pipeline(Readable.from(zip.outputStream), sink);
  // Told by whoever awaits it below.
  written.catch(() => {});
  const broken = new Promise<never>((_, reject) => {
    zip.once('error', reject);
    written.catch(reject);
  });
  broken.catch(() => {});

  async function addStream(name: string, stream: Readable): Promise<void> {
    const read = once(stream, 'end');
    let given: Readable | null = stream;
    // Taken by a hand that lets go of it: the archive keeps the hand.
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
