import { ShopError } from '../../src/core/errors.ts';

/** One order comes in several answers; when it changed in between they must not be pieced together. */
export function orderChanged(doing: string): ShopError {
  return new ShopError(
    'shopify-order-changing',
    'El pedido cambió mientras se leía; se volverá a leer.',
    `Shopify, ${doing}: the order changed between two answers. Will be read again.`,
    { retryable: true, retryAfterMs: 2_000 },
  );
}
