/** A recharge of the billing wallet (spec, limits and prices: "Billing wallet recharge tiers"). */
export interface Recharge {
  usd: number;
  usdPerDocument: number;
}

export const recharges: readonly Recharge[] = [
  { usd: 50, usdPerDocument: 0.0287 },
  { usd: 100, usdPerDocument: 0.023 },
  { usd: 500, usdPerDocument: 0.0161 },
  { usd: 1500, usdPerDocument: 0.0115 },
];

/** Credits are valid for 12 months from each recharge (spec, same table). */
const validDays = 365;

/** How many documents a recharge pays for. */
export function documentsOf({ usd, usdPerDocument }: Recharge): number {
  return Math.floor(usd / usdPerDocument);
}

/** The recharge that costs least for each document that will really be issued before its credits lapse. */
export function cheapestRecharge(documentsPerDay: number): Recharge {
  const priceOf = (one: Recharge) =>
    one.usd / Math.max(Math.min(documentsOf(one), documentsPerDay * validDays), 1);
  return recharges.reduce((best, one) => (priceOf(one) < priceOf(best) ? one : best));
}
