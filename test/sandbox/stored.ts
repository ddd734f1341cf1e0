import { buildAccessKey } from '../../src/sandbox/emission/access-key.ts';
import type { PricedDocument } from '../../src/sandbox/emission/documents.ts';

type Priced = PricedDocument extends infer D
  ? D extends PricedDocument
    ? Pick<D, 'tipo' | 'body' | 'figures'>
    : never
  : never;

/** The document as the emission route would store it, with the fifteenth entry that the service adds. */
export function stored(contents: Priced): PricedDocument {
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
