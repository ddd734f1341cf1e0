import { ShopError } from '../../src/domain/errors.ts';

/** What came is another's: a proxy before Shopify, or Shopify itself, mixed answers up. Never believed, asked for again. */
export function mixedUp(doing: string): ShopError {
  return new ShopError(
    'shopify-mixed-up',
    'Shopify respondió con datos de otro pedido. No se creyó nada y se leerá de nuevo.',
    `Shopify, ${doing}: what came is another order's. Look at what stands between us and Shopify.`,
    { retryable: true, outage: false },
  );
}

/** One order comes in several answers; when it changed in between they must not be pieced together. */
export function orderChanged(doing: string): ShopError {
  return new ShopError(
    'shopify-order-changing',
    'El pedido cambió mientras se leía; se volverá a leer.',
    `Shopify, ${doing}: the order changed between two answers. Will be read again.`,
    { retryable: true, retryAfterMs: 2_000 },
  );
}
