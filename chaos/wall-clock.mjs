/*
 * Loaded before a process of the product (`--import`): its wall clock is off by the milliseconds in the file named by
 * CHAOS_WALL_CLOCK, as if NTP or a person stepped it. Monotonic time is the machine's.
 */
import { readFileSync } from 'node:fs';

const file = process.env.CHAOS_WALL_CLOCK ?? '';
const Machine = Date;
let off = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now() {
  if (performance.now() - readAt > 20) {
    readAt = performance.now();
    off = Number(readFileSync(file, 'utf8')) || 0;
  }
  return Machine.now() + off;
}

class WrongDate extends Machine {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }
  static now() {
    return now();
  }
}
Object.defineProperty(WrongDate, 'name', { value: 'Date' });
globalThis.Date = WrongDate;
