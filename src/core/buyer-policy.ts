import type { Amount } from './money.ts';

/** What the merchant decided about whom a document names. */
export interface BuyerPolicy {
  /** Up to `limit` USD with tax, the limit itself included (art. 19 Reglamento; Decreto Ejecutivo 586). */
  finalConsumer: { allowed: boolean; limit: Amount };
  buyer: {
    /**
     * Looking up the legal name of a cédula or RUC costs money: never (`off`), only where the order has no name
     * that will do (`when-missing`), or always, the registry's name before the order's (`prefer`). A hint: what
     * cannot be looked up changes nothing.
     */
    registry: 'off' | 'when-missing' | 'prefer';
  };
}
