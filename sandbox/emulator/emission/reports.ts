import { z } from 'zod';
import { estadoTexts, isAuthorised, isRefused, type StoredDocument } from './documents.ts';

const message = z
  .object({
    identificador: z.string(),
    mensaje: z.string(),
    informacionAdicional: z.string(),
    tipo: z.enum(['ERROR', 'ADVERTENCIA']),
  })
  .meta({ id: 'MensajeSri', description: 'As the tax authority writes it.' });

/** What webhook and consult say about a document (spec, "Body fields"). */
export const reportSchema = z.object({
  claveacceso: z.string(),
  tipo_comprobante: z.string(),
  numero: z.string(),
  ambiente: z.literal([1, 2]),
  ruc_emisor: z.string(),
  estado: z.int(),
  estado_texto: z.string(),
  autorizado: z.boolean(),
  requiere_correccion: z.boolean(),
  errores: z.array(message).optional(),
  numero_autorizacion: z.string().nullable(),
  fecha_autorizacion: z.string().nullable(),
  xml: z.string(),
  pdf: z.string(),
});
export type DocumentReport = z.infer<typeof reportSchema>;

/** A document's state in the words of the service. */
export function documentReport({ baseUrl }: { baseUrl: string }, document: StoredDocument): DocumentReport {
  const autorizado = isAuthorised(document);
  return {
    claveacceso: document.claveacceso,
    tipo_comprobante: document.tipo,
    numero: document.numero,
    ambiente: document.ambiente,
    ruc_emisor: document.ruc,
    estado: document.estado,
    estado_texto: document.annulled ? 'Anulado' : estadoTexts[document.estado],
    autorizado: autorizado && !document.annulled,
    requiere_correccion: isRefused(document),
    ...(document.errores.length > 0 ? { errores: document.errores } : {}),
    // In the offline scheme the authorisation number is the access key (ficha técnica §5.9).
    numero_autorizacion: autorizado ? document.claveacceso : null,
    fecha_autorizacion: document.fechaAutorizacion,
    xml: `${baseUrl}/api/comprobante/xml/${document.claveacceso}`,
    pdf: `${baseUrl}/api/comprobante/pdf/${document.claveacceso}`,
  };
}
