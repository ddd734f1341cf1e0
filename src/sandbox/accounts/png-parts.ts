import { inflateSync } from 'node:zlib';

const needed = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
// What some encoders leave behind the last row, and every decoder skips.
const slack = 65_536;
/** Samples per pixel, by colour type. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** First column and row, and steps, of the seven pictures an interlaced one comes as. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * The parts of a PNG its picture is made of, after a look at what they would unpack to: a decoder that trusts
 * them takes gigabytes for a file of one megabyte. Throws RangeError on a file with more pixels than allowed,
 * without any, or with bytes for fewer pixels than it says.
 */
export function imagePart(png: Buffer, maxPixels: number): Buffer {
  const parts = [...readParts(png)].filter(({ type }) => needed.has(type));
  const head = parts[0];
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw new RangeError('The PNG has no head.');
  const width = head.data.readUInt32BE(0);
  const height = head.data.readUInt32BE(4);
  if (width * height === 0 || width * height > maxPixels)
    throw new RangeError('The PNG has too many pixels.');
  const bits = (head.data[8] ?? 0) * (samples[head.data[9] ?? -1] ?? 0);
  const passes = head.data[12] === 0 ? [[0, 0, 1, 1] as const] : adam7;
  const due = sum(
    passes.map(
      ([x, y, dx, dy]) => rowBytes(Math.ceil((width - x) / dx), bits) * Math.ceil((height - y) / dy),
    ),
  );
  const packed = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const { length } = inflateSync(packed, { maxOutputLength: due + slack });
  if (length < due) throw new RangeError('The PNG lacks rows.');
  return Buffer.concat([png.subarray(0, 8), ...parts.map(({ whole }) => whole)]);
}

// A row has one byte more than its pixels; a row without pixels has none.
const rowBytes = (width: number, bits: number) => (width > 0 ? Math.ceil((width * bits) / 8) + 1 : 0);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function* readParts(png: Buffer): Generator<{ type: string; data: Buffer; whole: Buffer }> {
  let at = 8;
  let type = '';
  while (type !== 'IEND') {
    const length = png.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > png.length) throw new RangeError('The PNG is cut short.');
    type = png.toString('latin1', at + 4, at + 8);
    yield { type, data: png.subarray(at + 8, end - 4), whole: png.subarray(at, end) };
    at = end;
  }
}
