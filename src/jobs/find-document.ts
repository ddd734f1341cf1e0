import { type Document, type DocumentKind, documentCodes } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Store } from '../domain/settings.ts';
import type { Documents } from '../ledger/document-tables.ts';

export interface DocumentQuery {
  /** Its id, or its number: 001-001-000000123. */
  name: string;
  store?: string | undefined;
  kind?: DocumentKind | undefined;
}

/**
 * The one document a person means, by its id, else by its number among the configured series. Throws LedgerError
 * `document-unknown` and `document-ambiguous`.
 */
export async function findDocument(
  { documents }: { documents: Pick<Documents, 'get' | 'byNumber'> },
  stores: Iterable<Store>,
  { name, store: only, kind }: DocumentQuery,
): Promise<Document> {
  const [, establecimiento, puntoEmision, secuencial] = /^(\d{3})-(\d{3})-(\d{9})$/.exec(name) ?? [];
  const found = new Map<string, Document>();
  const add = (document: Document | undefined) => document && found.set(document.id, document);
  if (!establecimiento || !puntoEmision || !secuencial) add(await documents.get(name));
  else
    for (const { issuer } of stores)
      for (const codDoc of Object.values(documentCodes)) {
        const series = { ruc: issuer.ruc, ambiente: issuer.ambiente, codDoc, establecimiento, puntoEmision };
        add(await documents.byNumber(series, secuencial));
      }
  const fits = [...found.values()].filter(
    (one) => (only === undefined || one.storeId === only) && (kind === undefined || one.kind === kind),
  );
  const [document, ...others] = fits;
  if (!document)
    throw new LedgerError(
      'document-unknown',
      `El registro no tiene ningún documento ${name}; facturapuente documents los muestra.`,
      `The ledger has no document ${name}.`,
    );
  if (others.length > 0)
    throw new LedgerError(
      'document-ambiguous',
      `Hay ${fits.length} documentos con el número ${name}: indique cuál con --store (${fits.map(({ storeId }) => storeId).join(', ')}) o --kind (${fits.map((one) => one.kind).join(', ')}).`,
      `${fits.length} documents bear the number ${name}; name the store or the kind.`,
    );
  return document;
}
