import { z } from 'zod';
import type { EffectFailure, Failure, NoFunds, Refused } from '../answers.ts';
import { digits, httpUrl } from './checked.ts';

/** What an identity verification is made with (spec, "Identity verification"). Only `tipo` is needed (A26). */
export const verificationRequest = z.strictObject({
  tipo: z.enum(['prueba_de_vida', 'cedula_ocr', 'completa']),
  cedula_esperada: digits(10).optional(),
  webhook_url: httpUrl.optional(),
  tiempo_expiracion_minutos: z.int().positive('Debe ser 1 o más.').optional(),
});
export type VerificationRequest = z.input<typeof verificationRequest>;

/** A verification; all but `id` and `estado` may be left unsaid. `costo` in USD without VAT; times ISO 8601. */
export interface Verification {
  id: string;
  /** `pendiente`, later `aprobada`, `rechazada` or `expirada`; others pass as they come (assumption A26). */
  estado: string;
  urlVerificacion: string | null;
  costo: number | null;
  expiraEn: string | null;
  tipo: string | null;
  cedulaEsperada: string | null;
  creadoEn: string | null;
  finalizadoEn: string | null;
}

/** 403 `beta_privada`: the account has no access to identity verification. */
export interface BetaPrivada {
  kind: 'beta-privada';
  mensaje: string | null;
}

export type NewVerificationAnswer =
  | { kind: 'created'; verificacion: Verification; aviso: string | null }
  | BetaPrivada
  | NoFunds
  | Refused
  | EffectFailure;

export type VerificationAnswer =
  | { kind: 'found'; verificacion: Verification; aviso: string | null }
  | { kind: 'not-found' }
  | BetaPrivada
  | Refused
  | Failure;

export type VerificationsAnswer =
  | { kind: 'list'; verificaciones: Verification[]; aviso: string | null }
  | BetaPrivada
  | Refused
  | Failure;
