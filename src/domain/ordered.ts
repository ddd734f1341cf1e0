/** What can be told of two values that have an order: `comparedTo` is below, at or above zero. */
export abstract class Ordered<Other> {
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
