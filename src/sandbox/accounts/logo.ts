import { imagePart } from './png-parts.ts';

/** A company's logo as it came. */
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
  const tipo = typeOf(bytes);
  if (!tipo) return { refused: 'El logo debe ser una imagen PNG, JPG o JPEG.' };
  try {
    const { width, height } = await (tipo === 'image/png' ? decodePng(bytes) : decodeJpeg(bytes));
    return { tipo, ancho: width, alto: height, base64: bytes.toString('base64') };
  } catch {
    const name = tipo === 'image/png' ? 'PNG' : 'JPEG';
    return {
      refused: `La imagen ${name} del logo está dañada o tiene más de ${maxMegapixels} megapíxeles.`,
    };
  }
}

function typeOf(bytes: Buffer): Logo['tipo'] | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  return undefined;
}

interface Size {
  width: number;
  height: number;
}

// Loaded on the first logo of their kind: most runs never need them.
async function decodePng(bytes: Buffer): Promise<Size> {
  const { decode } = await import('fast-png');
  return decode(imagePart(bytes, maxMegapixels * 1_000_000), { checkCrc: true });
}

async function decodeJpeg(bytes: Buffer): Promise<Size> {
  const { default: jpeg } = await import('jpeg-js');
  return jpeg.decode(bytes, {
    useTArray: true,
    tolerantDecoding: false,
    maxResolutionInMP: maxMegapixels,
    maxMemoryUsageInMB: 512,
  });
}
