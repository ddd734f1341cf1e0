import { isRecord } from './service.ts';

/** The state of a document, wherever the consult carries it. */
export interface StateReport {
  authorised: boolean;
  refused: boolean;
  final: boolean;
  /** The numeric state, when there is one. */
  estado: number | null;
  fields: Record<string, unknown>;
}

/**
 * Reads the body of the consult, which the specification does not show: the fields of the webhook body, at the
 * top or under `data` or `comprobante`. Null when neither `autorizado` nor `estado` is found.
 */
export function readReport(json: unknown): StateReport | null {
  if (!isRecord(json)) return null;
  const fields = [json, json.data, json.comprobante]
    .filter(isRecord)
    .find((place) => 'autorizado' in place || 'estado' in place);
  if (!fields) return null;
  const estado = fields.estado === null || fields.estado === '' ? Number.NaN : Number(fields.estado);
  const authorised = fields.autorizado === true || estado === 4 || estado === 9;
  const refused = fields.requiere_correccion === true;
  return {
    authorised,
    refused,
    final: authorised || refused,
    estado: Number.isInteger(estado) ? estado : null,
    fields,
  };
}
