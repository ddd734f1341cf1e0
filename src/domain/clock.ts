export const dayMs = 24 * 3_600_000;

/** The only source of time in the product. */
export interface Clock {
  now(): Date;
}

/** Never jumps by itself. A jump of the machine's clock enters through `move`, whose caller fixes what depends on it. */
export interface SteadyClock extends Clock {
  move(ms: number): void;
}

/** Both functions answer milliseconds. */
export function steadyClock(wall: () => number, monotonic: () => number): SteadyClock {
  let offset = wall() - monotonic();
  return {
    now: () => new Date(offset + monotonic()),
    move(ms) {
      offset += ms;
    },
  };
}

/** `now = anchor + offset + (real − anchor) × rate`; processes given the same text agree. */
export interface TestClock {
  anchor: Date;
  offsetMs: number;
  rate: number;
}

/** Missing parts default to anchor = the Unix epoch, offset = 0, rate = 1. */
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

export function runTestClock(test: TestClock, real: Clock): Clock {
  return {
    now() {
      const elapsed = real.now().getTime() - test.anchor.getTime();
      return new Date(test.anchor.getTime() + test.offsetMs + elapsed * test.rate);
    },
  };
}

/** Continental Ecuador is UTC−5 all year. The service accepts only today's date there (spec, key rules). */
const OFFSET_MS = 5 * 60 * 60 * 1000;

/** "YYYY-MM-DD" in Ecuador. */
export type Day = string;

export function ecuadorDay(instant: Date): Day {
  return new Date(instant.getTime() - OFFSET_MS).toISOString().slice(0, 10);
}

export function startOfEcuadorDay(day: Day): Date {
  return new Date(`${day}T00:00:00-05:00`);
}

/** "YYYY-MM-DD" → the service's `fecha_emision` "YYYY/MM/DD" (spec, issuer block). */
export function toServiceDate(day: Day): string {
  return day.replaceAll('-', '/');
}

const timeOfDay = new Intl.DateTimeFormat('es-EC', {
  timeZone: 'America/Guayaquil',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

/** Written as "22/11/2026 a las 09:39:04", in continental Ecuador. */
export function momentInEcuador(instant: string): string {
  const at = new Date(instant);
  return `${ecuadorDay(at).split('-').reverse().join('/')} a las ${timeOfDay.format(at)}`;
}

export function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** A day of Ecuador (2026-11-01) or an instant with its zone (2026-11-01T08:00:00-05:00); null for any other text. */
export function readInstant(text: string): Date | null {
  if (isDay(text)) return startOfEcuadorDay(text);
  const time = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time);
}
