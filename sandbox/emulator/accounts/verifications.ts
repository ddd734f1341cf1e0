import type { verificationPrices } from './prices.ts';

export type VerificationKind = keyof typeof verificationPrices;
/** How a verification can end (assumption A26). */
export type VerificationEnd = 'aprobada' | 'rechazada' | 'expirada';
export const verificationEnds = ['aprobada', 'rechazada', 'expirada'] as const satisfies VerificationEnd[];

/** One identity verification. Instants are ISO in UTC, `costo` is USD without VAT. */
export interface Verification {
  id: string;
  tipo: VerificationKind;
  cedula_esperada: string | null;
  webhook_url: string | null;
  estado: 'pendiente' | VerificationEnd;
  costo: number;
  creado_en: string;
  expira_en: string;
  finalizado_en: string | null;
}
