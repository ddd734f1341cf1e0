/**
 * The answer of an expensive question, asked anew at the earliest after `atLeastMs` and so seldom that asking takes
 * at most `share` of the time. Who asks meanwhile gets the last answer; who asks while it is asked waits for it.
 * A failure is not kept.
 */
export function seldom<T>(
  ask: () => Promise<T>,
  { atLeastMs = 2_000, share = 0.002 } = {},
): () => Promise<T> {
  let kept: Promise<T> | undefined;
  let until = 0;

  async function askNow(): Promise<T> {
    const begun = performance.now();
    try {
      const answer = await ask();
      const now = performance.now();
      until = now + Math.max(atLeastMs, (now - begun) / share);
      return answer;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  }

  return () => {
    if (kept === undefined || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      kept = askNow();
    }
    return kept;
  };
}
