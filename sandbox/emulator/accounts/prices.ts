/** What a document costs by the recharge that paid for it, in USD (spec, "Limits"). */
export const rechargeTiers = [
  { recarga: 50, precio_documento: 0.0287 },
  { recarga: 100, precio_documento: 0.023 },
  { recarga: 500, precio_documento: 0.0161 },
  { recarga: 1500, precio_documento: 0.0115 },
] as const;

/** What an identity verification costs in USD, before VAT (spec, "Limits"). */
export const verificationPrices = { prueba_de_vida: 0.5, cedula_ocr: 0.75, completa: 1 } as const;

/** The least recharge of each wallet in USD; the specification gives none for the queries wallet. */
export const leastRecharge = { facturacion: 50, consultas: 0.01, general: 20 } as const;

/** Look-ups that cost nothing, per account and calendar month in Ecuador (spec, "Limits"). */
export const freeQueriesPerMonth = 20;

/** USD for each look-up after the free ones (assumption A25). */
export const queryPrice = 0.01;

/** Whole cents of an amount in USD; amounts are kept so, because sums of 0.01 are never exact. */
export const toCents = (usd: number) => Math.round(usd * 100);

const vatPercent = 15;

/** What the general wallet pays, in cents, for something that costs so many USD before VAT (assumption A26). */
export const centsWithVat = (usd: number) => Math.round((toCents(usd) * (100 + vatPercent)) / 100);

/**
 * How many documents a recharge of so many USD buys: whole ones, at the price of the highest tier it reaches.
 * 0 below the first tier.
 */
export function documentsFor(usd: number): number {
  const tier = rechargeTiers.findLast(({ recarga }) => usd >= recarga);
  // In whole numbers: as a fraction a sum that fits exactly could come out one document short.
  return tier ? Math.floor((toCents(usd) * 100) / Math.round(tier.precio_documento * 10_000)) : 0;
}
