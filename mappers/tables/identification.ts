import { type Dated, ficha } from './dated.ts';

/** A row of SRI table 6 (tipo de identificación del comprador). */
interface IdentificationRow extends Dated {
  code: string;
  name: string;
}

const always = {
  since: null,
  until: null,
  source: ficha('tabla 6'),
  checkedOn: '2026-11-20',
} as const;

export const identificationTable = {
  ruc: { code: '04', name: 'RUC', ...always },
  cedula: { code: '05', name: 'Cédula', ...always },
  pasaporte: { code: '06', name: 'Pasaporte', ...always },
  'consumidor-final': { code: '07', name: 'Consumidor final', ...always },
  exterior: { code: '08', name: 'Identificación del exterior', ...always },
} as const satisfies Record<string, IdentificationRow>;

export type IdentificationCode = (typeof identificationTable)[keyof typeof identificationTable]['code'];
