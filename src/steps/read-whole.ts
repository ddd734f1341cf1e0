import type { ServiceCalls } from '../service/client.ts';

/** Far more than a RIDE of a thousand lines. */
const mostBytes = 16 * 1024 * 1024;

/** A file of an authorised document as a whole; null when it cannot be had now, or breaks off. */
export async function readWhole(
  calls: Pick<ServiceCalls, 'descargarPdf' | 'descargarXml'>,
  kind: 'pdf' | 'xml',
  accessKey: string,
): Promise<Uint8Array | null> {
  const answer = await (kind === 'pdf'
    ? calls.descargarPdf(accessKey)
    : calls.descargarXml(accessKey, 'stream'));
  if (answer.kind !== 'found') return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of answer.stream as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > mostBytes) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  if (answer.length !== null && answer.length !== size) return null;
  return Buffer.concat(parts);
}
