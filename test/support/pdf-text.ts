import { extractTextItems, getDocumentProxy } from 'unpdf';

/** The text of each page, in the order it was drawn, with single spaces. */
export async function pdfPages(pdf: Buffer): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { items } = await extractTextItems(document);
  return items.map((page) =>
    page
      .map(({ str }) => str)
      .join(' ')
      .replace(/\s+/g, ' '),
  );
}
