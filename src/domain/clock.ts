/** The only source of time in the product; injected, so that tests and the sandbox can share one clock. */
export interface Clock {
  now(): Date;
}

/**
 * Real time that goes on evenly. What a machine's clock says may jump; such a jump comes in through `move` alone, so that
 * whoever calls it can put right what the former time left behind.
 */
export interface SteadyClock extends Clock {
  move(ms: number): void;
}

/** Anchored to `wall` once, and carried on by `monotonic`; both in milliseconds. */
export function steadyClock(wall: () => number, monotonic: () => number): SteadyClock {
  let offset = wall() - monotonic();
  return {
    now: () => new Date(offset + monotonic()),
    move(ms) {
      offset += ms;
    },
  };
}

/**
 * A test clock: `now = anchor + offset + (real − anchor) × rate`. Its text form is
 * `anchor=<ISO instant>,offset=<milliseconds>,rate=<number>`; processes given the same text agree.
 */
export interface TestClock {
  anchor: Date;
  offsetMs: number;
  rate: number;
}

/** Reads the text form; missing parts default to anchor = the Unix epoch, offset = 0, rate = 1. */
export function parseTestClock(text: string): TestClock {
  const parts = new Map<string, string>();
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    parts.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  const anchor = new Date(parts.get('anchor') ?? 0);
  const offsetMs = Number(parts.get('offset') ?? 0);
  const rate = Number(parts.get('rate') ?? 1);
  const unknown = [...parts.keys()].filter((name) => !['anchor', 'offset', 'rate'].includes(name));
  if (unknown.length > 0 || Number.isNaN(anchor.getTime()) || !Number.isFinite(offsetMs) || !(rate > 0)) {
    throw new RangeError(
      `Test clock "${text}" is unreadable; write anchor=<ISO instant>,offset=<milliseconds>,rate=<number above 0>.`,
    );
  }
  return { anchor, offsetMs, rate };
}

/** A clock that runs by a test clock over a real one. */
export function runTestClock(test: TestClock, real: Clock): Clock {
  return {
    now() {
      const elapsed = real.now().getTime() - test.anchor.getTime();
      return new Date(test.anchor.getTime() + test.offsetMs + elapsed * test.rate);
    },
  };
}
