import { buildAccessKey } from '../../sandbox/emulator/emission/access-key.ts';
import type { PricedDocument, WrittenDocument } from '../../sandbox/emulator/emission/documents.ts';

type ContentsOf<Document> = Document extends WrittenDocument
  ? Pick<Document, 'tipo' | 'body' | 'figures'>
  : never;

/** The document as the emission route would store it, with the fifteenth entry that the service adds. */
export function stored(contents: ContentsOf<PricedDocument>): PricedDocument;
export function stored(contents: ContentsOf<WrittenDocument>): WrittenDocument;
export function stored(contents: ContentsOf<WrittenDocument>): WrittenDocument {
  const { emisor, ambiente, informacion_adicional: entries = [] } = contents.body;
  const series = {
    ruc: emisor.ruc,
    ambiente,
    establecimiento: emisor.codigo_establecimiento,
    puntoEmision: emisor.codigo_puntoemision,
    secuencial: '000000123',
  };
  const parts = { codDoc: contents.tipo, fechaEmision: emisor.fecha_emision, codigoNumerico: '12345678' };
  return {
    ...series,
    ...contents,
    id: 1,
    claveacceso: buildAccessKey({ ...series, ...parts, tipoEmision: 1 }),
    apiKey: 'k',
    numero: `${series.establecimiento}-${series.puntoEmision}-${series.secuencial}`,
    fechaEmision: emisor.fecha_emision,
    informacionAdicional: [...entries, { nombre: 'RUC Proveedor', detalle: '1790016919001' }],
    recibido: '2026-11-20T10:00:00-05:00',
    estado: 1,
    errores: [],
    advertencias: [],
    fechaAutorizacion: null,
  };
}
