import { readPng } from './png.ts';

/** A company's logo. */
export interface Logo {
  tipo: 'image/png' | 'image/jpeg';
  /** Pixels. */
  ancho: number;
  alto: number;
  base64: string;
}

// More than any printer shows in a corner of a page, and little enough to decode at once.
const maxMegapixels = 25;

/** Decodes a whole PNG or JPEG; answers why not when it is damaged, too large or something else. */
export async function readLogo(bytes: Buffer): Promise<Logo | { refused: string }> {
  const read = readers.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins));
  if (!read) return { refused: 'El logo debe ser una imagen PNG, JPG o JPEG.' };
  try {
    const { width, height, drawable } = await read.decode(bytes);
    return { tipo: read.tipo, ancho: width, alto: height, base64: drawable.toString('base64') };
  } catch {
    return {
      refused: `La imagen ${read.name} del logo está dañada o tiene más de ${maxMegapixels} megapíxeles.`,
    };
  }
}

interface Decoded {
  width: number;
  height: number;
  /** The same picture as the RIDE's library draws it without fault. */
  drawable: Buffer;
}

const readers: readonly {
  tipo: Logo['tipo'];
  name: string;
  begins: Buffer;
  decode(bytes: Buffer): Promise<Decoded>;
}[] = [
  { tipo: 'image/png', name: 'PNG', begins: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), decode: decodePng },
  { tipo: 'image/jpeg', name: 'JPEG', begins: Buffer.from([0xff, 0xd8, 0xff]), decode: decodeJpeg },
];

// Libraries are loaded on the first logo that needs them: most runs have none.
async function decodePng(bytes: Buffer): Promise<Decoded> {
  const { width, height, isOdd } = readPng(bytes, maxMegapixels * 1_000_000);
  if (!isOdd) return { width, height, drawable: bytes };
  const { PNG } = await import('pngjs');
  return { width, height, drawable: PNG.sync.write(PNG.sync.read(bytes)) };
}

async function decodeJpeg(bytes: Buffer): Promise<Decoded> {
  const { default: jpeg } = await import('jpeg-js');
  const { width, height } = jpeg.decode(bytes, {
    useTArray: true,
    tolerantDecoding: false,
    maxResolutionInMP: maxMegapixels,
    maxMemoryUsageInMB: 512,
  });
  return { width, height, drawable: bytes };
}
