/*
 * Loaded before a process (`--import`): its wall clock is as many milliseconds ahead as the file named by
 * TEST_WALL_CLOCK says at the time, so that a test can step it. Monotonic time is the machine's.
 */
import { readFileSync } from 'node:fs';

const file = process.env.TEST_WALL_CLOCK ?? '';
const Machine = Date;
let ahead = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now() {
  if (performance.now() - readAt > 20) {
    readAt = performance.now();
    ahead = Number(readFileSync(file, 'utf8'));
  }
  return Machine.now() + ahead;
}

globalThis.Date = class Stepped extends Machine {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }
  static now() {
    return now();
  }
};
