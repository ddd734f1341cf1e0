import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/**
 * The way of one order through the product, from a webhook to the note on the order. Its `trace` is an id of 32
 * hexadecimal digits (the form of an OpenTelemetry trace id): a delivery gets it at the door, the ledger hands it
 * on from work to work, and every log line and span on the way carries it.
 */
interface Journey {
  trace: string;
}

const current = new AsyncLocalStorage<Journey>();

/** Randomness for 256 ids is drawn at once: one draw for each would cost a webhook more than all else here. */
const drawn = Buffer.alloc(256 * 16);
let used = drawn.length;

/** All of it random, because a share of the journeys is chosen for spans by these digits. */
export function newTrace(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 16;
  return drawn.toString('hex', used - 16, used);
}

/** Runs `task` on the journey `trace`, or on a new one. */
export function onJourney<T>(trace: string | null, task: () => T): T {
  return current.run({ trace: trace ?? newTrace() }, task);
}

/** The journey this code runs on; null outside of all. */
export const currentTrace = (): string | null => current.getStore()?.trace ?? null;

/**
 * From here on this task belongs to an earlier journey: a service webhook turned out to be about a document whose
 * journey began with an order. Null, and outside of all journeys, changes nothing.
 */
export function joinJourney(trace: string | null): void {
  const journey = current.getStore();
  if (journey && trace !== null) journey.trace = trace;
}
