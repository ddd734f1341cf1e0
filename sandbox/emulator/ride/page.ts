/** A4 in points, and the look all parts of the RIDE share. */
export const page = { width: 595.28, height: 841.89, margin: 30, bottom: 796 } as const;
export const innerWidth = page.width - 2 * page.margin;
/** Between boxes. */
export const gap = 8;
export const ink = { text: '#1a1a1a', label: '#555555', rule: '#b5b5b5', shade: '#efefef' } as const;
export const fonts = { plain: 'Helvetica', bold: 'Helvetica-Bold' } as const;

export type Doc = PDFKit.PDFDocument;

// The standard PDF fonts know Windows-1252 only; anything else would come out as other letters.
const unprintable = /[^\x20-\x7E\xA0-\xFF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu;

/** Text the fonts can draw: composed accents, white space as spaces, and "?" for what they lack. */
export function printable(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').replace(unprintable, '?').trim();
}

export interface TextStyle {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right' | 'center';
}

/** Writes text wrapped inside `width`; answers the height it took. */
export function write(
  doc: Doc,
  text: string,
  x: number,
  y: number,
  width: number,
  style: TextStyle = {},
): number {
  const clean = printable(text);
  select(doc, style).fillColor(style.color ?? ink.text);
  // Without an explicit height pdfkit opens a new page whenever text comes near the bottom.
  const height = measured(doc, clean, width);
  doc.text(clean, x, y, { width, align: style.align ?? 'left', height: height + 2 });
  return height;
}

/** The height `write` would take. */
export function measure(doc: Doc, text: string, width: number, style: TextStyle = {}): number {
  select(doc, style);
  return measured(doc, printable(text), width);
}

/** The size, not above the style's own, at which the text stays on one line: an amount must not break. */
export function sizeOnOneLine(doc: Doc, text: string, width: number, style: TextStyle = {}): number {
  const size = style.size ?? 8;
  const taken = select(doc, style).widthOfString(printable(text));
  return taken <= width ? size : (size * (width - 0.1)) / taken;
}

function select(doc: Doc, style: TextStyle): Doc {
  return doc.font(style.bold ? fonts.bold : fonts.plain).fontSize(style.size ?? 8);
}

const measured = (doc: Doc, text: string, width: number) =>
  text === '' ? 0 : doc.heightOfString(text, { width });

/** A bold label with its value after it on the same paragraph; answers the height. */
export function labelled(
  doc: Doc,
  label: string,
  value: string,
  x: number,
  y: number,
  width: number,
  size = 8,
): number {
  const indent = labelWidth(doc, label, width, size);
  write(doc, label, x, y, indent + 4, { size, bold: true });
  write(doc, value || '—', x + indent, y, width - indent, { size });
  return measureLabelled(doc, label, value, width, size);
}

/** The height `labelled` would take. */
export function measureLabelled(doc: Doc, label: string, value: string, width: number, size = 8): number {
  const height = measure(doc, value || '—', width - labelWidth(doc, label, width, size), { size });
  return Math.max(height, size * 1.16);
}

function labelWidth(doc: Doc, label: string, width: number, size: number): number {
  return Math.min(select(doc, { size, bold: true }).widthOfString(`${label} `) + 2, width * 0.85);
}

/** A box with rounded corners. */
export function frame(doc: Doc, x: number, y: number, width: number, height: number): void {
  doc.lineWidth(0.7).roundedRect(x, y, width, height, 5).stroke(ink.rule);
}

/** A shaded bar that heads a table or a section. */
export function bar(doc: Doc, x: number, y: number, width: number, height: number): void {
  doc.rect(x, y, width, height).fill(ink.shade);
}

/** A thin horizontal line. */
export function rule(doc: Doc, x: number, y: number, width: number): void {
  doc
    .lineWidth(0.4)
    .moveTo(x, y)
    .lineTo(x + width, y)
    .stroke(ink.rule);
}

/** A decimal string as printed: at least two decimals, no zeros beyond. */
export function trimmed(amount: string): string {
  const least = amount.indexOf('.') + 3;
  let end = amount.length;
  while (least > 2 && end > least && amount[end - 1] === '0') end -= 1;
  return amount.slice(0, end);
}
