import type { Doc } from './page.ts';

/** The issuer's logo, as large as the box allows without changing its shape, in the middle of it. */
export function drawLogo(doc: Doc, logo: Buffer, x: number, y: number, width: number, height: number): void {
  doc.image(logo, x, y, { fit: [width, height], align: 'center', valign: 'center' });
}
