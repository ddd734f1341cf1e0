import { type Doc, frame, innerWidth, labelled, measureLabelled, page, rule } from './page.ts';

export type Entry = readonly [label: string, value: string];
/** One line of a box: an entry over its whole width, or two beside each other. */
export type Row = readonly [Entry] | readonly [Entry, Entry];

const pad = 9;
const x = page.margin + pad;
const inner = innerWidth - 2 * pad;
const wide = 330;
const narrowX = x + wide + 12;
const narrow = inner - wide - 12;
const ruleHeight = 7;

/** A box of labelled entries, its groups parted by a line, never split over pages; answers where it ends. */
export function drawBox(doc: Doc, groups: readonly (readonly Row[])[], top: number): number {
  const height = groups.flat().reduce((sum, row) => sum + rowHeight(doc, row), 0) + 2 * pad - 6;
  const total = height + (groups.length - 1) * ruleHeight;
  let boxTop = top;
  if (top + total > page.bottom) {
    doc.addPage();
    boxTop = page.margin;
  }
  let y = boxTop + pad - 1;
  groups.forEach((rows, index) => {
    if (index > 0) {
      rule(doc, x, y + 1, inner);
      y += ruleHeight;
    }
    for (const row of rows) {
      const [left, right] = row;
      labelled(doc, ...left, x, y, right ? wide : inner);
      if (right) labelled(doc, ...right, narrowX, y, narrow);
      y += rowHeight(doc, row);
    }
  });
  frame(doc, page.margin, boxTop, innerWidth, total);
  return boxTop + total;
}

function rowHeight(doc: Doc, [left, right]: Row): number {
  const height = measureLabelled(doc, ...left, right ? wide : inner);
  return Math.max(height, right ? measureLabelled(doc, ...right, narrow) : 0) + 4;
}
