import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';

export interface PngParts {
  width?: number;
  height?: number;
  depth?: 1 | 2 | 4 | 8 | 16;
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  colour?: 0 | 2 | 3 | 4 | 6;
  interlaced?: boolean;
  /** What is packed instead of the rows. */
  rows?: Buffer;
  /** Chunks beside the necessary ones. */
  extra?: Buffer[];
}

const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A PNG of any kind, of noise that shows its shape. */
export function png(parts: PngParts = {}): Buffer {
  const { width = 40, height = 20, depth = 8, colour = 2, interlaced = false, extra = [] } = parts;
  const bits = samples[colour] * depth;
  const sizes = interlaced
    ? [0, 1, 2, 3, 4, 5, 6].map((pass) => passSize(pass, width, height))
    : [[width, height] as const];
  const rows = () =>
    Buffer.concat(
      sizes.flatMap(([w, h]) =>
        w === 0
          ? []
          : Array.from({ length: h }, (_, y) => {
              const row = Buffer.alloc(Math.ceil((w * bits) / 8) + 1, (y * 53) & 0xff);
              row[0] = 0;
              return row;
            }),
      ),
    );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  const palette = colour === 3 ? [chunk('PLTE', Buffer.alloc(3 * 2 ** depth, 0x7f))] : [];
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...extra,
    ...palette,
    chunk('IDAT', deflateSync(parts.rows ?? rows())),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Length, name, data and checksum of one part of a PNG. */
export function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, 'latin1');
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}

function passSize(pass: number, width: number, height: number): readonly [number, number] {
  const from = [0, 4, 0, 2, 0, 1, 0];
  const step = [8, 8, 4, 4, 2, 2, 1];
  const fromY = [0, 0, 4, 0, 2, 0, 1];
  const stepY = [8, 8, 8, 4, 4, 2, 2];
  const count = (all: number, first = 0, every = 1) => Math.ceil((all - first) / every);
  return [count(width, from[pass], step[pass]), count(height, fromY[pass], stepY[pass])];
}

export function jpg(width = 40, height = 20): Buffer {
  const data = Buffer.alloc(width * height * 4, 0xff);
  for (let i = 0; i < width * height; i++) data.set([(i * 7) & 0xff, (i * 3) & 0xff, 90], i * 4);
  return jpeg.encode({ width, height, data }, 85).data;
}
