import { structureFaults } from '../../src/sandbox/authority/structure.ts';
import { writeDocument } from '../../src/sandbox/authority/xml/document.ts';
import type { FacturaDocument } from '../../src/sandbox/emission/documents.ts';
import { factura } from '../../src/sandbox/emission/kinds.ts';
import type { Checked } from '../../src/sandbox/emission/validation.ts';
import { stored } from '../sandbox/stored.ts';

/** What the sandbox, which shares no code with the mappers, makes of a body: its complaints, and the XML. */
export function asXml(body: unknown): { complaints: string[]; xml: string } {
  const read = factura.read(body, '2026/11/20') as Checked<
    Pick<FacturaDocument, 'tipo' | 'body' | 'figures'>
  >;
  if ('errors' in read) return { complaints: read.errors, xml: '' };
  const document = stored(read.body);
  const complaints = [...structureFaults(document), ...document.figures.differences];
  return { complaints, xml: writeDocument(document) };
}
