import { z } from 'zod';
import type { Failure, Refused } from '../answers.ts';

/** Which movements of the billing wallet are asked for (assumption A7). What is left out is the service's: 20, the first page, all. */
export const creditHistoryRequest = z.strictObject({
  limit: z.int().min(1).max(100).optional(),
  /** Counts from 1. */
  page: z.int().min(1).optional(),
  tipo: z.enum(['consumo', 'recarga', 'rollback']).optional(),
  ambiente: z.enum(['1', '2']).optional(),
});
export type CreditHistoryRequest = z.input<typeof creditHistoryRequest>;

/** One movement of the billing wallet. */
export interface CreditMovement {
  /** As the service writes it: an instant, or a day or time of Ecuador. */
  fecha: string;
  /** `consumo`, `recarga` or `rollback` (a consumed credit came back); others pass as they come. */
  tipo: string;
  /** Credits, with the sign the service gives them. */
  cantidad: number;
  descripcion: string | null;
  ambiente: 1 | 2 | null;
}

/** One page, in the service's order. A list of which one entry cannot be read is `unknown`: half of it misleads. */
export type CreditHistoryAnswer =
  | { kind: 'history'; movimientos: CreditMovement[]; aviso: string | null }
  | Refused
  | Failure;
