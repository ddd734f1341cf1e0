import { structureFaults } from '../../sandbox/emulator/authority/structure.ts';
import { writeDocument } from '../../sandbox/emulator/authority/xml/document.ts';
import type { FacturaDocument, NotaCreditoDocument } from '../../sandbox/emulator/emission/documents.ts';
import { factura, notaCredito } from '../../sandbox/emulator/emission/kinds.ts';
import type { Checked } from '../../sandbox/emulator/emission/validation.ts';
import { stored } from '../sandbox/stored.ts';

type Contents = Pick<FacturaDocument, 'tipo' | 'body' | 'figures'>;
type CreditContents = Pick<NotaCreditoDocument, 'tipo' | 'body' | 'figures'>;

/** What the sandbox, which shares no code with the mappers, makes of a body: its complaints, and the XML. */
export function asXml(body: unknown, kind: 'factura' | 'nota-credito' = 'factura', today = '2026/11/20') {
  const reading = { dialect: 'former', arithmetic: 'totals' } as const;
  const read = (kind === 'factura' ? factura : notaCredito)(reading).read(body, today) as Checked<
    Contents | CreditContents
  >;
  if ('errors' in read) return { complaints: read.errors, xml: '' };
  const document = stored(read.body);
  const complaints = [...structureFaults(document), ...document.figures.differences];
  return { complaints, xml: writeDocument(document) };
}
