import { z } from 'zod';
import { PayloadError } from '../../src/core/errors.ts';
import { bareRefund, type Refund } from '../../src/core/refund.ts';
import { idSchema } from './payload.ts';

/**
 * A refund of `GET orders/{id}/refunds`: `amount` is positive there and takes precedence over its lines, which
 * may contradict it or be missing (measured on WooCommerce 11.0.1).
 */
const refund = z.looseObject({ id: idSchema, amount: z.string().regex(/^\d+(\.\d+)?$/) });
const refunds = z.union([z.array(refund), refund.transform((one) => [one])]);

export function readRefunds(payload: unknown): Refund[] {
  const read = refunds.safeParse(payload);
  if (!read.success) {
    throw new PayloadError(
      'not-refunds',
      'Esto no son reembolsos de WooCommerce. Entregue la respuesta de la API orders/<id>/refunds tal como llega.',
      'Not refunds of the WooCommerce API: each needs an id and a positive decimal amount.',
    );
  }
  return read.data.map(({ id, amount }) => bareRefund(id, amount));
}
