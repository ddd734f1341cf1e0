import { Decimal } from 'decimal.js';

// Enough digits that nothing is rounded before it is meant to be.
const Exact = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_HALF_UP });

export type Amount = Decimal;
export const exact = (value: Decimal.Value): Amount => new Exact(value);
export const sum = (values: readonly Amount[]): Amount => values.reduce((a, b) => a.plus(b), exact(0));
/** Rounded to cents, halves up. */
export const cents = (value: Amount): Amount => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
/** Cents as the XML writes them: `37.80`. */
export const money = (value: Amount): string => value.toFixed(2, Decimal.ROUND_HALF_UP);
/** Quantities and unit prices as the XML writes them: `17.382609`. */
export const six = (value: Decimal.Value): string => exact(value).toFixed(6);
