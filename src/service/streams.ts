import { Readable } from 'node:stream';
import type { StreamAnswer } from './answers.ts';
import { breakage, type Reply } from './connection.ts';
import { isPage } from './replies.ts';

/** A kind of file that is known by its first bytes. */
export interface FileKind {
  /** For the sentence "something that is no …". */
  name: string;
  /** Null while the bytes so far do not tell. */
  begins(head: Buffer): boolean | null;
}

const MAGIC = Buffer.from('%PDF');
/** So much white space before the first tag is no XML. */
const LONGEST_HEAD = 4096;

/** A PDF begins with `%PDF` (assumption A6). */
export const pdfFile: FileKind = {
  name: 'PDF',
  begins: (head) => (head.length < MAGIC.length ? null : head.subarray(0, MAGIC.length).equals(MAGIC)),
};

/** An XML begins with a declaration, a comment or a tag; a page of HTML is none (assumption A5). */
export const xmlFile: FileKind = {
  name: 'XML',
  begins(head) {
    const text = head
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart();
    if (text.length < '<!doctype html'.length) return null;
    return /^<(?!!doctype html|html[\s>])[\w?!]/i.test(text);
  },
};

/** Hands a file on as it comes, once its first bytes say what it is. Nothing of it is held back in memory. */
export async function readStream({ status, headers, body }: Reply, file: FileKind): Promise<StreamAnswer> {
  // A stream that is destroyed before its end reports an error; nobody listens any more by then.
  body.on('error', () => {});
  const refuse = (answer: StreamAnswer): StreamAnswer => {
    body.destroy();
    return answer;
  };
  if (status === 401) return refuse({ kind: 'unauthorized' });
  if (status === 404) {
    // What does not end is cut off by the connection.
    const text = await body.text().catch(() => '<');
    return isPage({ status, text })
      ? { kind: 'unknown', reason: 'answered 404 with a page' }
      : { kind: 'not-found' };
  }
  if (status !== 200) return refuse({ kind: 'unknown', reason: `answered ${status}` });
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let right: boolean | null = null;
  try {
    while (right === null) {
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
      right = file.begins(head) ?? (head.length > LONGEST_HEAD ? false : null);
    }
  } catch (error) {
    return refuse({ kind: 'unknown', reason: breakage(error) });
  }
  if (right !== true) {
    return refuse({ kind: 'unknown', reason: `answered 200 with something that is no ${file.name}` });
  }
  const stream = Readable.from(continued(head, chunks), { objectMode: false });
  stream.once('close', () => body.destroy());
  const length = Number(headers['content-length'] ?? Number.NaN);
  return { kind: 'found', length: Number.isSafeInteger(length) ? length : null, stream };
}

async function* continued(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return;
    yield next.value;
  }
}
