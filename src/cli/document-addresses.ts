import { type DocumentKind, documentNumber } from '../domain/document.ts';
import { findDocument } from '../jobs/find-document.ts';
import { carryOut } from './carry-out.ts';
import { looking } from './look.ts';

export interface LinksFlags {
  config?: string;
  store?: string;
  kind?: DocumentKind;
  json: boolean;
}

/** The links that work now. Throws LedgerError `document-unknown` and `document-ambiguous`. */
export function showLinks(name: string, flags: LinksFlags): Promise<string> {
  return looking(flags, async ({ settings, reader, links }) => {
    const { store, kind, json } = flags;
    const document = await findDocument(reader, settings.stores.values(), { name, store, kind });
    const { id, orderName, state } = document;
    const version = await reader.linkVersions.of(id);
    const pageUrl = links.page(id, version);
    const pdfUrl = links.pdf(id, version);
    const xmlUrl = links.xml(id, version);
    const number = documentNumber(document);
    if (json)
      return `${JSON.stringify({ document: id, number, version, pageUrl, pdfUrl, xmlUrl }, null, 2)}\n`;
    const early = state === 'authorized' ? '' : 'Sirven cuando el SRI lo autorice.\n';
    return `Documento ${number ?? id} del pedido ${orderName}\n${early}Página: ${pageUrl}\nPDF:    ${pdfUrl}\nXML:    ${xmlUrl}\n`;
  });
}

/** Ends every link given out so far, by the running process where one holds the ledger, and tells the new ones. */
export async function revoke(name: string, flags: LinksFlags): Promise<string> {
  const { config, store, kind } = flags;
  await carryOut('revoke-links', { document: name, store, kind }, config ? { config } : {});
  return showLinks(name, flags);
}
