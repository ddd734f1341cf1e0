import type { Day } from './calendar.ts';

/** What the merchant decided about notas de crédito, and what of them the service's specification leaves open. */
export interface CreditPolicy {
  creditNotes: {
    /** Days beside Saturdays and Sundays on which a deadline moves to the next working day. */
    holidays: readonly Day[];
    documentoModificado: ModifiedDocumentNames;
  };
}

/**
 * How `documento_modificado` names what it holds; the specification shows only its own name (assumption A21).
 * null leaves an entry out.
 */
export interface ModifiedDocumentNames {
  tipo: string;
  numero: string;
  fecha: string;
  motivo: string;
  claveAcceso: string | null;
  /** "001-001-000000123" rather than the 15 digits alone. */
  guiones: boolean;
}

/** Two comparable public APIs agree on these names. */
export const assumedNames: ModifiedDocumentNames = {
  tipo: 'codigo_documento_sustento',
  numero: 'numero_documento_sustento',
  fecha: 'fecha_documento_sustento',
  motivo: 'motivo',
  claveAcceso: null,
  guiones: true,
};
