import { Buffer } from 'node:buffer';
import { type FileKind, fileTypes } from '../../document-links.ts';
import type { PanelPage } from '../visit.ts';
import { documentWords } from './words.ts';

/** `/panel/documento/:id/pdf` and `/xml`: they name the buyer, so that not everybody sees them. */
const filePage = (kind: FileKind): PanelPage => ({
  path: `/documento/:id/${kind}`,
  role: 'operate',
  async show({ deps, params, language, query }) {
    const document = await deps.ledger.documents.get(params.id ?? '');
    const key = document?.state === 'authorized' ? document.accessKey : null;
    const bytes = document && key !== null ? await deps.file(document, key, kind) : null;
    // Shown inside the frame of the document's page, where a page of ours would not fit.
    if (!bytes || key === null)
      return {
        bytes: Buffer.from(documentWords[language].away),
        type: 'text/plain; charset=utf-8',
        name: 'aviso.txt',
      };
    return { bytes, type: fileTypes[kind], name: `${key}.${kind}`, download: query.get('guardar') !== null };
  },
});

export const pdfPage = filePage('pdf');
export const xmlPage = filePage('xml');
