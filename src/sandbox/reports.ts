import { estadoTexts, isAuthorised, isRefused, type StoredDocument } from './documents.ts';
import type { SriMessage } from './tables.ts';
import type { World } from './world.ts';

/** What webhook and consult say about a document (spec, "Body fields"). */
export interface DocumentReport {
  claveacceso: string;
  tipo_comprobante: string;
  numero: string;
  ambiente: 1 | 2;
  ruc_emisor: string;
  estado: number;
  estado_texto: string;
  autorizado: boolean;
  requiere_correccion: boolean;
  errores?: SriMessage[];
  numero_autorizacion: string | null;
  fecha_autorizacion: string | null;
  xml: string;
  pdf: string;
}

/** A document's state in the words of the service. */
export function documentReport(world: World, document: StoredDocument): DocumentReport {
  const autorizado = isAuthorised(document);
  return {
    claveacceso: document.claveacceso,
    tipo_comprobante: document.tipo,
    numero: document.numero,
    ambiente: document.ambiente,
    ruc_emisor: document.ruc,
    estado: document.estado,
    estado_texto: estadoTexts[document.estado],
    autorizado,
    requiere_correccion: isRefused(document),
    ...(document.errores.length > 0 ? { errores: document.errores } : {}),
    // In the offline scheme the authorisation number is the access key (ficha técnica §5.9).
    numero_autorizacion: autorizado ? document.claveacceso : null,
    fecha_autorizacion: document.fechaAutorizacion,
    xml: `${world.baseUrl}/api/comprobante/xml/${document.claveacceso}`,
    pdf: `${world.baseUrl}/api/comprobante/pdf/${document.claveacceso}`,
  };
}
