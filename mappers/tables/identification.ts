/** SRI table 6: types of the buyer's identification (ficha técnica, tabla 6). */
export const identificationCodes = {
  ruc: '04',
  cedula: '05',
  pasaporte: '06',
  'consumidor-final': '07',
  exterior: '08',
} as const;

export type IdentificationCode = (typeof identificationCodes)[keyof typeof identificationCodes];
