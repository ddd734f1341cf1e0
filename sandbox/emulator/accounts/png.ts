import { crc32, inflateSync } from 'node:zlib';

const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** First column and row, and steps, of the one picture, or of the seven an interlaced one comes as. */
const whole = [[0, 0, 1, 1]] as const;
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
// What some encoders leave behind the last row, and every decoder skips.
const slack = 65_536;
const lastFilter = 4;

export interface PngSize {
  width: number;
  height: number;
  /** Palettes and interlaced pictures of less than 8 bits: many decoders take their pixels apart wrongly. */
  isOdd: boolean;
}

/**
 * Decodes a PNG down to its rows of pixels: every part with its checksum, every row with its filter. Throws on
 * whatever is damaged, missing, or beyond `maxPixels`. Own code, because no library bounds what a file of one
 * megabyte may unpack to.
 */
export function readPng(png: Buffer, maxPixels: number): PngSize {
  const parts = [...readParts(png)];
  const { width, height, bits, passes, palette, isSmallSample } = readHead(parts[0], maxPixels);
  if (palette && !parts.some(({ type }) => type === 'PLTE')) throw new RangeError('The PNG has no palette.');
  const sizes = passes.map(([x, y, dx, dy]) => ({
    rows: width > x ? Math.max(0, Math.ceil((height - y) / dy)) : 0,
    rowBytes: Math.ceil((Math.ceil((width - x) / dx) * bits) / 8) + 1,
  }));
  const due = sizes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
  const packed = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = inflateSync(packed, { maxOutputLength: due + slack });
  if (pixels.length < due) throw new RangeError('The PNG lacks rows.');
  let at = 0;
  for (const { rows, rowBytes } of sizes) {
    for (let row = 0; row < rows; row++, at += rowBytes) {
      if ((pixels[at] ?? 0) > lastFilter) throw new RangeError('The PNG has a filter that does not exist.');
    }
  }
  return { width, height, isOdd: isSmallSample && (palette || passes !== whole) };
}

interface Part {
  type: string;
  data: Buffer;
}

function readHead(part: Part | undefined, maxPixels: number) {
  if (part?.type !== 'IHDR' || part.data.length !== 13) throw new RangeError('The PNG has no head.');
  const width = part.data.readUInt32BE(0);
  const height = part.data.readUInt32BE(4);
  const [depth = 0, colour = 0, packing, filtering, interlacing = 0] = part.data.subarray(8);
  if (!depths[colour]?.includes(depth) || packing !== 0 || filtering !== 0 || interlacing > 1) {
    throw new RangeError('The PNG is of a kind that does not exist.');
  }
  if (width * height === 0 || width * height > maxPixels) {
    throw new RangeError('The PNG has no pixels, or too many.');
  }
  const bits = depth * (samples[colour] ?? 0);
  const passes = interlacing === 1 ? adam7 : whole;
  return { width, height, bits, passes, palette: colour === 3, isSmallSample: depth < 8 };
}

function* readParts(png: Buffer): Generator<Part> {
  let at = 8;
  let type = '';
  while (type !== 'IEND') {
    const end = at + 8 + png.readUInt32BE(at);
    type = png.toString('latin1', at + 4, at + 8);
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) {
      throw new RangeError(`The PNG's part ${type} is damaged.`);
    }
    yield { type, data: png.subarray(at + 8, end) };
    at = end + 4;
  }
}
