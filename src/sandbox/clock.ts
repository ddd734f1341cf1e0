/** The sandbox's time. `rate` says how many sandbox milliseconds pass in one real millisecond. */
export interface SandboxClock {
  now(): Date;
  rate: number;
}

/** What callers may give as time: a function, or anything with a `now()` of its own. */
export type TimeSource = (() => Date) | { now(): Date; rate?: number };

/** Without a source the sandbox lives in real time. */
export function readClock(source?: TimeSource): SandboxClock {
  if (source === undefined) return { now: () => new Date(), rate: 1 };
  if (typeof source === 'function') return { now: source, rate: 1 };
  return { now: () => source.now(), rate: source.rate ?? 1 };
}

/**
 * Reads `anchor=<ISO real instant>,offset=<ms>,rate=<number>`: now = anchor + offset + (real − anchor) × rate.
 * Every process given the same text lives in the same time.
 */
export function readTestClock(text: string): SandboxClock {
  const parts = new Map<string, string>();
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    parts.set(name.trim(), value.trim());
  }
  const anchor = Date.parse(parts.get('anchor') ?? '');
  const offset = Number(parts.get('offset') ?? '0');
  const rate = Number(parts.get('rate') ?? '1');
  if (Number.isNaN(anchor) || !Number.isFinite(offset) || !(rate > 0) || !Number.isFinite(rate)) {
    throw new RangeError(
      `The test clock "${text}" cannot be read; write anchor=<ISO instant>,offset=<milliseconds>,rate=<number above 0>.`,
    );
  }
  return { now: () => new Date(anchor + offset + (Date.now() - anchor) * rate), rate };
}

// Mainland Ecuador, whose day the tax authority uses, is UTC−5 all year round (ficha técnica SRI, tabla 1).
const ECUADOR_OFFSET_MS = 5 * 60 * 60 * 1000;

/** The instant as Ecuador writes it: `2026-11-20T08:30:00-05:00`. */
export function isoInEcuador(instant: Date): string {
  return `${new Date(instant.getTime() - ECUADOR_OFFSET_MS).toISOString().slice(0, 19)}-05:00`;
}

/** Ecuador's calendar day in the service's format `YYYY/MM/DD`. */
export function dayInEcuador(instant: Date): string {
  return isoInEcuador(instant).slice(0, 10).replaceAll('-', '/');
}

/** `YYYY/MM/DD` as the XML and the printed document write it: `DD/MM/YYYY`. */
export function dayFirst(day: string): string {
  return day.split('/').reverse().join('/');
}
