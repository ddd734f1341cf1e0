import type { Day } from './calendar.ts';

/** What the merchant decided about notas de crédito, and what of them the service's specification leaves open. */
export interface CreditPolicy {
  creditNotes: {
    /** Days beside Saturdays, Sundays and national holidays on which a deadline moves to the next working day. */
    holidays: readonly Day[];
    documentoModificado: ModifiedDocumentNames;
    /** Whether its taxes are stated in `totales`; else the service computes them from the lines (assumption A21). */
    totales: boolean;
    /**
     * What becomes of money no lines add up to, where totals are not stated: the nearest document, a cent off and made up
     * for by the next one, or a person.
     */
    roundingDifference: 'nearest' | 'hold';
    /** What becomes of an amount without lines over several rates: a person decides, or every rate gives its share. */
    amountOnly: 'hold' | 'prorate';
    /** `anula_comprobante`; null leaves it out. */
    anulaComprobante: 'SI' | 'NO' | null;
    /** `codigoDoc`; null leaves it out. */
    codigoDoc: string | null;
  };
}

/**
 * How `documento_modificado` names what it holds; the specification shows only its own name (assumption A21).
 * null leaves an entry out.
 */
export interface ModifiedDocumentNames {
  tipo: string;
  /** 1 rather than "01". */
  tipoNumerico: boolean;
  numero: string;
  fecha: string;
  motivo: string;
  claveAcceso: string | null;
  /** "001-001-000000123" rather than the 15 digits alone. */
  guiones: boolean;
}

/** As a public description of a service with this interface has them. */
export const assumedNames: ModifiedDocumentNames = {
  tipo: 'codigo_documento_sustento',
  tipoNumerico: true,
  numero: 'numero_documento_sustento',
  fecha: 'fecha_documento_sustento',
  motivo: 'motivo',
  claveAcceso: null,
  guiones: false,
};
