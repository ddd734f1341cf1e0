/** Points of one app in one shop: a leaking bucket, in real time. */
export interface PointsOptions {
  maximum: number;
  /** Points a second. */
  restoreRate: number;
}

export interface Points extends PointsOptions {
  /** Takes `cost` points, or none where there are too few. */
  take(cost: number): boolean;
  /** What was asked for and not needed. */
  giveBack(cost: number): void;
  available(): number;
  /** Empties the bucket, as another process of the same app would. */
  drain(): void;
}

/** Without a bottom unless asked for: few tests are about points. Real shops have 100 to 2,000 a second. */
export const plenty: PointsOptions = { maximum: 1_000_000, restoreRate: 1_000_000 };

export function openPoints({ maximum, restoreRate }: PointsOptions): Points {
  let held = maximum;
  let at = performance.now();
  const refill = () => {
    const now = performance.now();
    held = Math.min(maximum, held + ((now - at) / 1000) * restoreRate);
    at = now;
  };
  return {
    maximum,
    restoreRate,
    available() {
      refill();
      return Math.floor(held);
    },
    take(cost) {
      refill();
      if (held < cost) return false;
      held -= cost;
      return true;
    },
    giveBack(cost) {
      refill();
      held = Math.min(maximum, held + cost);
    },
    drain() {
      refill();
      held = 0;
    },
  };
}
