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

/** Nobody is left alone for longer, whatever time to come back he names. */
const longestNamedMs = 24 * 60 * 60_000;
/** Who names a time to come back is believed so often in a row; then it takes at least as long as without. */
const believedTimes = 3;

/** How long failing work waits for its next try, after so many failures in a row. */
export function waitAfter(error: unknown, failures: number, random?: () => number): number {
  const { retryable, retryAfterMs } = retryOf(error);
  if (retryAfterMs === null) return retryable ? backoffMs(failures, random) : hopelessMs;
  const named = Math.min(retryAfterMs, longestNamedMs);
  return failures < believedTimes ? named : Math.max(named, backoffMs(failures - believedTimes, random));
}

/** What a thrown error says about coming back (the port: `retryable` and `retryAfterMs`, see domain/errors.ts). */
export function retryOf(error: unknown): { retryable: boolean; retryAfterMs: number | null } {
  const says = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const after = says.retryAfterMs;
  return {
    retryable: says.retryable !== false,
    retryAfterMs: typeof after === 'number' && Number.isFinite(after) && after >= 0 ? after : null,
  };
}
