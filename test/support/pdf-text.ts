import { extractTextItems, getDocumentProxy, type StructuredTextItem } from 'unpdf';

/** What stands on each page, in the order it was drawn: text, place from the lower left corner, width and size. */
export async function pdfPieces(pdf: Buffer): Promise<StructuredTextItem[][]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { items } = await extractTextItems(document);
  return items.map((page) => page.filter(({ str }) => str.trim() !== ''));
}

/** The text of each page, with single spaces. */
export async function pdfPages(pdf: Buffer): Promise<string[]> {
  const pages = await pdfPieces(pdf);
  return pages.map((page) =>
    page
      .map(({ str }) => str)
      .join(' ')
      .replace(/\s+/g, ' '),
  );
}
