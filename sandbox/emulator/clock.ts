/** What callers may give as time: a function, or anything with a `now()` of its own. */
export type TimeSource = (() => Date) | { now(): Date; rate?: number };

/** The sandbox's clock, which a test can set, stop and speed up. */
export interface SandboxClock {
  now(): Date;
  /** Sandbox milliseconds that pass in one real millisecond; 0 while the clock stands still. */
  readonly rate: number;
  /** Makes it this instant, earlier or later. Throws a RangeError on an invalid date. */
  set(instant: Date): void;
  /** Moves so many milliseconds on (or, below 0, back). Throws a RangeError on what is no number. */
  step(milliseconds: number): void;
  /** From this instant on time passes at `rate`, whatever source was given; 0 stops it. RangeError below 0. */
  run(rate: number): void;
  /** Calls `listener` after every set, step and run; answers how to stop that. */
  onChange(listener: () => void): () => void;
}

/** Without a source the sandbox lives in real time. `set` and `step` lie on top of the source as an offset. */
export function readClock(source?: TimeSource): SandboxClock {
  let [base, rate] = readSource(source);
  let offset = 0;
  const listeners = new Set<() => void>();
  const now = () => base() + offset;
  const moveTo = (instant: number) => {
    if (Number.isNaN(new Date(instant).getTime())) {
      throw new RangeError('The clock takes a valid date, or a number of milliseconds that leads to one.');
    }
    offset += instant - now();
    changed();
  };
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    now: () => new Date(now()),
    get rate() {
      return rate;
    },
    set: (instant) => moveTo(instant.getTime()),
    step: (milliseconds) => moveTo(now() + milliseconds),
    run(wanted) {
      if (!Number.isFinite(wanted) || wanted < 0) {
        throw new RangeError(`The clock cannot run at ${wanted}; give 0 or a number above it.`);
      }
      [base, rate] = readSource(runFrom(new Date(now()), wanted));
      offset = 0;
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Time that begins at `instant` now and passes at `rate`; 0 stands still. */
export function runFrom(instant: Date, rate: number): { now(): Date; rate: number } {
  const [began, real] = [instant.getTime(), Date.now()];
  return { now: () => new Date(began + (Date.now() - real) * rate), rate };
}

function readSource(source: TimeSource | undefined): [base: () => number, rate: number] {
  if (source === undefined) return [() => Date.now(), 1];
  if (typeof source === 'function') return [() => source().getTime(), 1];
  return [() => source.now().getTime(), source.rate ?? 1];
}

/**
 * Reads `anchor=<ISO real instant>,offset=<ms>,rate=<number>`: now = anchor + offset + (real − anchor) × rate.
 * Every process given the same text lives in the same time.
 */
export function readTestClock(text: string): { now(): Date; rate: number } {
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

/** The same day and time so many months later in Ecuador; the month's last day where it has no such day. */
export function monthsLater(instant: Date, months: number): Date {
  const local = new Date(instant.getTime() - ECUADOR_OFFSET_MS);
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const days = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, days));
  return new Date(local.getTime() + ECUADOR_OFFSET_MS);
}
