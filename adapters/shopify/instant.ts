import { PayloadError } from '../../src/core/errors.ts';

/**
 * One spelling for REST (-05:00) and GraphQL (Z).
 * @throws PayloadError when the text is no instant.
 */
export function instant(text: string | null): string {
  const time = new Date(text ?? Number.NaN);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new PayloadError(
    'shopify-order-unreadable',
    'El pedido de Shopify trae una fecha que no se puede leer.',
    'An instant of the Shopify order is not ISO 8601; look at created_at, processed_at and updated_at.',
  );
}
