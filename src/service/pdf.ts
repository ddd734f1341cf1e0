import { Readable } from 'node:stream';
import type { PdfAnswer } from './answers.ts';
import { breakage, type Reply } from './connection.ts';

const MAGIC = Buffer.from('%PDF');

/** Hands the PDF on as it comes, once its first bytes say that it is one (assumption A6). */
export async function readPdf({ status, headers, body }: Reply): Promise<PdfAnswer> {
  // A stream that is destroyed before its end reports an error; nobody listens any more by then.
  body.on('error', () => {});
  const refuse = (answer: PdfAnswer): PdfAnswer => {
    body.destroy();
    return answer;
  };
  if (status === 401) return refuse({ kind: 'unauthorized' });
  if (status === 404) return refuse({ kind: 'not-found' });
  if (status !== 200) return refuse({ kind: 'unknown', reason: `answered ${status}` });
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  try {
    while (head.length < MAGIC.length) {
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
  } catch (error) {
    return refuse({ kind: 'unknown', reason: breakage(error) });
  }
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) {
    return refuse({ kind: 'unknown', reason: 'answered 200 with something that is no PDF' });
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
