/** Whoever asks for more is asked again all the same: a wrong header must not put an order off for days. */
const longestMs = 3_600_000;

/** `Retry-After` in milliseconds, an hour at most: seconds or an HTTP date (RFC 9110 §10.2.3); null for neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), longestMs);
}

/** PHP goes on after its caller left, for as long as hosts commonly let it. */
export const stillAtItMs = 60_000;
