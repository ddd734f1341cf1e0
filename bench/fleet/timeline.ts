import type { Clock } from '../../src/domain/clock.ts';
import type { Timers } from '../../src/queue/worker.ts';

/** Virtual time that jumps from one event to the next. Code on it takes no time unless it waits. */
export interface Timeline extends Timers {
  clock: Clock;
  /** Milliseconds since the epoch. */
  now(): number;
  wait(ms: number): Promise<void>;
  /** Plays all events until then. */
  play(until: number): Promise<void>;
}

interface Event {
  at: number;
  /** Breaks ties: the event planned first runs first. */
  n: number;
  run: (() => void) | null;
}

/** Events between two checks for signals. */
const eventsInARow = 5_000;

export function openTimeline(start: number): Timeline {
  const events = heapOf<Event>((a, b) => a.at - b.at || a.n - b.n);
  let now = start;
  let planned = 0;

  function after(ms: number, run: () => void): () => void {
    planned += 1;
    const event: Event = { at: now + Math.max(ms, 0), n: planned, run };
    events.push(event);
    return () => {
      event.run = null;
    };
  }

  return {
    clock: { now: () => new Date(now) },
    now: () => now,
    passed: () => now,
    after,
    wait: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve);
      }),
    play: (until) =>
      new Promise((resolve) => {
        let played = 0;
        const next = () => {
          for (;;) {
            const event = events.peek();
            if (event === undefined || event.at > until) {
              now = until;
              return resolve();
            }
            events.pop();
            if (event.run === null) continue;
            now = event.at;
            event.run();
            played += 1;
            // A tick requested by a microtask runs after all microtasks, when every resolvable promise has continued.
            if (played % eventsInARow === 0) setImmediate(next);
            else queueMicrotask(() => process.nextTick(next));
            return;
          }
        };
        setImmediate(next);
      }),
  };
}

export interface Heap<T> {
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

/** A binary heap: the least is on top. */
export function heapOf<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const less = (a: number, b: number) => compare(items[a] as T, items[b] as T) < 0;
  const swap = (a: number, b: number) => {
    const item = items[a] as T;
    items[a] = items[b] as T;
    items[b] = item;
  };
  return {
    push(item) {
      let at = items.push(item) - 1;
      for (let above = (at - 1) >> 1; at > 0 && less(at, above); above = (at - 1) >> 1) {
        swap(at, above);
        at = above;
      }
    },
    peek: () => items[0],
    pop() {
      const top = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return top;
      items[0] = last;
      for (let at = 0; ; ) {
        let least = 2 * at + 1;
        if (least >= items.length) return top;
        if (least + 1 < items.length && less(least + 1, least)) least += 1;
        if (!less(least, at)) return top;
        swap(at, least);
        at = least;
      }
    },
  };
}
