import bwip from 'bwip-js';
import type { Doc } from './page.ts';

/** Draws the text as Code 128, bars as vectors, exactly as wide as asked. */
export function drawBarcode(
  doc: Doc,
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const [code] = bwip.raw({ bcid: 'code128', text }) as unknown as { sbs: number[] }[];
  const widths = code?.sbs ?? [];
  // A quiet zone of ten modules on both sides, without which scanners miss the code.
  const modules = widths.reduce((a, b) => a + b, 0) + 20;
  const unit = width / modules;
  let at = x + 10 * unit;
  widths.forEach((modulesWide, index) => {
    if (index % 2 === 0) doc.rect(at, y, modulesWide * unit, height);
    at += modulesWide * unit;
  });
  doc.fill('#000000');
}
