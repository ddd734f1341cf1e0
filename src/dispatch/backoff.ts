/** First and longest pause between two tries of failing work, in milliseconds. */
const firstMs = 1_000;
const longestMs = 15 * 60_000;
/** For errors that waiting cannot cure: often enough to notice that somebody fixed the cause. */
export const hopelessMs = 60 * 60_000;

/**
 * Exponential backoff with full jitter: anywhere between a second and 2 s × 2^attempts, 15 minutes at most.
 * Full jitter keeps works that failed together from coming back together.
 */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const ceiling = Math.min(2 * firstMs * 2 ** attempts, longestMs);
  return Math.round(firstMs + random() * (ceiling - firstMs));
}

/** What a thrown error says about coming back (the port: `retryable` and `retryAfterMs`, see core/errors.ts). */
export function retryOf(error: unknown): { retryable: boolean; retryAfterMs: number | null } {
  const says = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const after = says.retryAfterMs;
  return {
    retryable: says.retryable !== false,
    retryAfterMs: typeof after === 'number' && Number.isFinite(after) && after >= 0 ? after : null,
  };
}
