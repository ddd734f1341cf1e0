import { structureFaults } from '../../src/sandbox/authority/structure.ts';
import { writeDocument } from '../../src/sandbox/authority/xml/document.ts';
import { buildAccessKey } from '../../src/sandbox/emission/access-key.ts';
import type { FacturaDocument, PricedDocument } from '../../src/sandbox/emission/documents.ts';
import { factura } from '../../src/sandbox/emission/kinds.ts';
import type { Checked } from '../../src/sandbox/emission/validation.ts';

/** What the sandbox, which shares no code with the mappers, makes of a body: its complaints, and the XML. */
export function asXml(body: unknown): { complaints: string[]; xml: string } {
  const read = factura.read(body, '2026/11/20') as Checked<
    Pick<FacturaDocument, 'tipo' | 'body' | 'figures'>
  >;
  if ('errors' in read) return { complaints: read.errors, xml: '' };
  const contents = read.body;
  const { emisor, ambiente, informacion_adicional: entries = [] } = contents.body;
  const series = {
    ruc: emisor.ruc,
    ambiente,
    establecimiento: emisor.codigo_establecimiento,
    puntoEmision: emisor.codigo_puntoemision,
    secuencial: '000000123',
  };
  const parts = { codDoc: contents.tipo, fechaEmision: emisor.fecha_emision, codigoNumerico: '12345678' };
  const document: PricedDocument = {
    ...series,
    ...contents,
    id: 1,
    claveacceso: buildAccessKey({ ...series, ...parts, tipoEmision: 1 }),
    apiKey: 'k',
    numero: '001-001-000000123',
    fechaEmision: emisor.fecha_emision,
    // What the service adds with approved provider data: the fifteenth entry.
    informacionAdicional: [...entries, { nombre: 'RUC Proveedor', detalle: '1790016919001' }],
    recibido: '2026-11-20T10:00:00-05:00',
    estado: 1,
    errores: [],
    advertencias: [],
    fechaAutorizacion: null,
  };
  const complaints = [...structureFaults(document), ...document.figures.differences];
  return { complaints, xml: writeDocument(document) };
}
