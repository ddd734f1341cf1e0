/** A row of SRI table 6 (tipo de identificación del comprador; ficha técnica, tabla 6). */
interface IdentificationRow {
  code: string;
  name: string;
  /** null: as old as the electronic documents themselves. */
  since: string | null;
  source: string;
}

const source = 'Ficha técnica SRI, tabla 6';

export const identificationTable = {
  ruc: { code: '04', name: 'RUC', since: null, source },
  cedula: { code: '05', name: 'Cédula', since: null, source },
  pasaporte: { code: '06', name: 'Pasaporte', since: null, source },
  'consumidor-final': {
    code: '07',
    name: 'Consumidor final',
    since: null,
    // Up to 50.00 USD since 2022-10-31; neither annulled nor credited since 2026-01-01.
    source: `${source}; Decreto Ejecutivo 586 (2022), límite; NAC-DGERCGC25-00000017, sin anulación ni nota de crédito`,
  },
  exterior: { code: '08', name: 'Identificación del exterior', since: null, source },
} as const satisfies Record<string, IdentificationRow>;

export type IdentificationCode = (typeof identificationTable)[keyof typeof identificationTable]['code'];
