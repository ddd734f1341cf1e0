import type { StoredDocument } from '../../sandbox/emulator/index.ts';

/** What the service says of a document in an event (spec, body fields). */
export function eventBody(stored: StoredDocument): Record<string, unknown> {
  const { claveacceso, tipo, numero, ambiente, ruc, estado, errores, fechaAutorizacion } = stored;
  const autorizado = estado === 4 || estado === 9;
  return {
    evento: autorizado ? 'comprobante.autorizado' : 'comprobante.error',
    ...{ claveacceso, tipo_comprobante: tipo, numero, ambiente, ruc_emisor: ruc },
    ...{ estado, autorizado, requiere_correccion: errores.length > 0 },
    ...(errores.length > 0 ? { errores } : {}),
    numero_autorizacion: autorizado ? claveacceso : null,
    fecha_autorizacion: fechaAutorizacion,
  };
}
