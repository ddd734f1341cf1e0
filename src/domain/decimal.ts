import { Decimal as Base } from 'decimal.js';

/** What can be told of two values that have an order: `comparedTo` is below, at or above zero. */
abstract class Ordered<Other> {
  abstract comparedTo(value: Other): number;

  equals(value: Other): boolean {
    return this.comparedTo(value) === 0;
  }

  eq(value: Other): boolean {
    return this.comparedTo(value) === 0;
  }

  gt(value: Other): boolean {
    return this.comparedTo(value) > 0;
  }

  gte(value: Other): boolean {
    return this.comparedTo(value) >= 0;
  }

  lt(value: Other): boolean {
    return this.comparedTo(value) < 0;
  }

  lte(value: Other): boolean {
    return this.comparedTo(value) <= 0;
  }
}

/*
 * Exact decimal numbers. Nearly every figure of an order is a whole number of small units (1250 hundredths), and
 * whole numbers up to 2^53 − 1 are exact in a double: such a value is kept as `units` and `places`, which makes
 * arithmetic some ten times faster than the library's lists of digits. Whatever leaves that range or has no end
 * (1/3) goes to decimal.js with 40 digits; test/domain/decimal.test.ts holds both roads against each other.
 *
 * Where a comment below says exact: a product, sum or quotient of whole doubles that comes out at 2^53 − 1 or less
 * was not rounded, since rounding is monotonic and every whole number up to there is a double.
 */
const Wide = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP });

const largest = Number.MAX_SAFE_INTEGER;
/** A number of more places is left to the library. All powers up to here are exact. */
const mostPlaces = 15;
const tens: readonly number[] = Array.from({ length: mostPlaces + 1 }, (_, power) => 10 ** power);
/** 10^power, of a power from 0 to 15. */
const ten = (power: number): number => tens[power] as number;

type Rounding = typeof Base.ROUND_HALF_UP | typeof Base.ROUND_UP | typeof Base.ROUND_FLOOR;
type Numeric = Decimal | string | number;

/** An exact decimal number. Operations give a new one; zero has no sign. */
export class Decimal extends Ordered<Numeric> {
  static readonly ROUND_HALF_UP = Base.ROUND_HALF_UP;
  static readonly ROUND_UP = Base.ROUND_UP;
  static readonly ROUND_FLOOR = Base.ROUND_FLOOR;

  /** The value is units / 10^places, unless `wide` holds it. */
  readonly #units: number;
  readonly #places: number;
  readonly #wide: Base | null;

  private constructor(units: number, places: number, wide: Base | null = null) {
    super();
    // Adding zero takes the sign off a negative zero.
    this.#units = units + 0;
    this.#places = places;
    this.#wide = wide;
  }

  /** Reads a decimal string, or the digits a number shows. Throws on anything that is not a finite number. */
  static of(value: Numeric): Decimal {
    if (typeof value === 'object') return value;
    if (Number.isSafeInteger(value)) return new Decimal(value as number, 0);
    return Decimal.#read(String(value)) ?? Decimal.#fromWide(new Wide(value));
  }

  /** Digits with at most one point among them and a minus before them; null for all else, and for 16 digits. */
  static #read(text: string): Decimal | null {
    const { length } = text;
    const start = text.charCodeAt(0) === 45 ? 1 : 0;
    let point = -1;
    let units = 0;
    if (length - start > mostPlaces) return null;
    for (let at = start; at < length; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      if (digit >= 0 && digit <= 9) units = units * 10 + digit;
      else if (digit === -2 && point < 0 && at > start) point = at;
      else return null;
    }
    const last = length - 1;
    if (length === start || point === last) return null;
    return new Decimal(start === 1 ? -units : units, point < 0 ? 0 : last - point);
  }

  static #fromWide(value: Base): Decimal {
    if (!value.isFinite()) throw new RangeError(`Not a finite decimal: ${value.toString()}`);
    const places = value.decimalPlaces();
    if (places <= mostPlaces) {
      const units = value.times(ten(places));
      if (units.abs().lte(largest)) return new Decimal(units.toNumber(), places);
    }
    return new Decimal(0, 0, value);
  }

  #toWide(): Base {
    return this.#wide ?? new Wide(`${this.#units}e-${this.#places}`);
  }

  /** This plus `sign` times the other. */
  #add(value: Numeric, sign: 1 | -1): Decimal {
    const other = Decimal.of(value);
    if (this.#wide === null && other.#wide === null) {
      const places = Math.max(this.#places, other.#places);
      const mine = this.#units * ten(places - this.#places);
      const its = other.#units * ten(places - other.#places);
      // Exact: neither part can be larger than the two sizes together.
      if (Math.abs(mine) + Math.abs(its) <= largest) return new Decimal(mine + sign * its, places);
    }
    return Decimal.#fromWide(this.#toWide().plus(other.#toWide().times(sign)));
  }

  plus(value: Numeric): Decimal {
    return this.#add(value, 1);
  }

  minus(value: Numeric): Decimal {
    return this.#add(value, -1);
  }

  times(value: Numeric): Decimal {
    const other = Decimal.of(value);
    if (this.#wide === null && other.#wide === null) {
      const units = this.#units * other.#units;
      const places = this.#places + other.#places;
      if (Math.abs(units) <= largest && places <= mostPlaces) return new Decimal(units, places);
    }
    return Decimal.#fromWide(this.#toWide().times(other.#toWide()));
  }

  /** Exact where the quotient ends within the range, else to 40 digits. Throws on a division by zero. */
  div(value: Numeric): Decimal {
    const other = Decimal.of(value);
    if (this.#wide === null && other.#wide === null && other.#units !== 0) {
      // Zeros are put behind the dividend until it divides.
      for (let zeros = Math.max(0, other.#places - this.#places); zeros <= mostPlaces; zeros += 1) {
        const dividend = this.#units * ten(zeros);
        const places = this.#places - other.#places + zeros;
        if (Math.abs(dividend) > largest || places > mostPlaces) break;
        const quotient = Math.round(dividend / other.#units);
        if (quotient * other.#units === dividend) return new Decimal(quotient, places);
      }
    }
    return Decimal.#fromWide(this.#toWide().div(other.#toWide()));
  }

  negated(): Decimal {
    if (this.#wide !== null) return Decimal.#fromWide(this.#wide.negated());
    return new Decimal(-this.#units, this.#places);
  }

  abs(): Decimal {
    return this.isNegative() ? this.negated() : this;
  }

  /** Rounds to so many places, halves away from zero unless told otherwise. */
  toDecimalPlaces(places: number, rounding: Rounding = Base.ROUND_HALF_UP): Decimal {
    if (this.#wide !== null) return Decimal.#fromWide(this.#wide.toDecimalPlaces(places, rounding));
    if (this.#places <= places) return this;
    const size = Math.abs(this.#units);
    const step = ten(this.#places - places);
    const rest = size % step;
    const whole = (size - rest) / step;
    const halfUp = rounding === Base.ROUND_HALF_UP;
    const up = halfUp ? rest * 2 >= step : rest > 0 && (rounding === Base.ROUND_UP || this.#units < 0);
    return new Decimal((up ? whole + 1 : whole) * Math.sign(this.#units), places);
  }

  /** How many places the value needs: 1 of "12.50". */
  decimalPlaces(): number {
    if (this.#wide !== null) return this.#wide.decimalPlaces();
    let places = this.#places;
    for (let units = this.#units; places > 0 && units % 10 === 0; units /= 10) places -= 1;
    return places;
  }

  /** Plain digits, never an exponent; with just so many places, else as many as the value needs. */
  toFixed(places: number = this.decimalPlaces()): string {
    const value = this.toDecimalPlaces(places);
    if (value.#wide !== null) return value.#wide.toFixed(places);
    const digits = String(Math.abs(value.#units)).padStart(value.#places + 1, '0');
    const point = digits.length - value.#places;
    const whole = value.#units < 0 ? `-${digits.slice(0, point)}` : digits.slice(0, point);
    return places === 0 ? whole : `${whole}.${digits.slice(point, point + places).padEnd(places, '0')}`;
  }

  override toString(): string {
    return this.toFixed();
  }

  /** The nearest double: dividing two exact ones rounds once, as reading the digits does. */
  toNumber(): number {
    return this.#wide === null ? this.#units / ten(this.#places) : this.#wide.toNumber();
  }

  override comparedTo(value: Numeric): number {
    const other = Decimal.of(value);
    const aligned = this.#wide === null && other.#wide === null && this.#places === other.#places;
    if (aligned) return Math.sign(this.#units - other.#units);
    const rest = this.minus(other);
    return rest.#wide === null ? Math.sign(rest.#units) : rest.#wide.comparedTo(0);
  }

  isZero(): boolean {
    return this.#wide === null && this.#units === 0;
  }

  isNegative(): boolean {
    return this.#wide === null ? this.#units < 0 : this.#wide.isNegative();
  }

  isInteger(): boolean {
    return this.decimalPlaces() === 0;
  }
}
