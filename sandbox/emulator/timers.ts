import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxClock } from './clock.ts';

/** Something to do later; `signal` says that the sandbox was reset or closed meanwhile. */
export type Task = (signal: AbortSignal) => void | Promise<void>;

/** Everything the sandbox does later, so that closing or resetting it leaves nothing behind. */
export interface Timers {
  /** Runs `task` after so many real milliseconds, whatever happens to the sandbox's clock. */
  after(milliseconds: number, task: Task): void;
  /**
   * Runs `task` when the sandbox's clock reaches `due` (epoch milliseconds): at once when that has passed.
   * Setting, stepping or running the clock brings forward, or puts off, what waits. A clock that only its
   * owner moves (a function that always answers the same) still lets the waits pass, in real milliseconds
   * divided by its rate; one stopped with `run(0)` does not.
   */
  at(due: number, task: Task): void;
  /** Resolves when all that a set or step made due has been started and had a moment to end. */
  settled(): Promise<void>;
  /** Aborted when the sandbox is reset or closed. */
  signal(): AbortSignal;
  /** Forgets what waits and aborts what runs. */
  clear(): void;
  /** `clear`, for good. */
  close(): void;
}

interface Entry {
  due: number;
  task: Task;
  timer?: NodeJS.Timeout;
}

// setTimeout's own limit; what waits longer is armed again then.
const longestMs = 2 ** 31 - 1;
// After a step, tasks start in order of due time; one that hangs holds up the next this long (real time).
const patienceMs = 250;

export function openTimers(clock: SandboxClock, onError: (error: unknown) => void): Timers {
  const realTimers = new Set<NodeJS.Timeout>();
  const waiting = new Set<Entry>();
  /** While the clock's leap is being caught up with: what is due, earliest first. */
  let queue: Entry[] | undefined;
  let caughtUp = Promise.resolve();
  let running = new AbortController();

  const run = async (task: Task, signal: AbortSignal) => {
    try {
      await task(signal);
    } catch (error) {
      onError(error);
    }
  };
  const start = (entry: Entry) => {
    clearTimeout(entry.timer);
    waiting.delete(entry);
    return run(entry.task, running.signal);
  };
  const arm = (entry: Entry) => {
    clearTimeout(entry.timer);
    const left = Math.max(0, entry.due - clock.now().getTime());
    if (left > 0 && clock.rate === 0) return;
    const real = left === 0 ? 0 : Math.ceil(left / clock.rate);
    const go = () => (real > longestMs ? arm(entry) : void start(entry));
    entry.timer = setTimeout(go, Math.min(real, longestMs));
  };
  const catchUp = async (signal: AbortSignal) => {
    for (let entry = queue?.shift(); entry && !signal.aborted; entry = queue?.shift()) {
      await Promise.race([start(entry), wait(patienceMs, undefined, { ref: false })]);
    }
    if (!signal.aborted) queue = undefined;
  };
  const follow = () => {
    const now = clock.now().getTime();
    const due: Entry[] = [];
    for (const entry of waiting) {
      if (entry.due > now) arm(entry);
      else due.push(entry);
    }
    for (const { timer } of due) clearTimeout(timer);
    due.sort((a, b) => a.due - b.due);
    const alreadyAtIt = queue !== undefined;
    queue = due;
    if (!alreadyAtIt) caughtUp = catchUp(running.signal);
  };
  const stopFollowing = clock.onChange(follow);
  const clear = () => {
    for (const timer of realTimers) clearTimeout(timer);
    for (const { timer } of waiting) clearTimeout(timer);
    realTimers.clear();
    waiting.clear();
    queue = undefined;
    running.abort();
    running = new AbortController();
  };
  return {
    after(milliseconds, task) {
      const { signal } = running;
      const timer = setTimeout(() => {
        realTimers.delete(timer);
        void run(task, signal);
      }, milliseconds);
      realTimers.add(timer);
    },
    at(due, task) {
      const entry: Entry = { due, task };
      waiting.add(entry);
      // What a task makes due in turn (the next attempt of a delivery) takes its place in the same order.
      if (queue && due <= clock.now().getTime()) {
        const later = queue.findIndex((other) => other.due > due);
        queue.splice(later === -1 ? queue.length : later, 0, entry);
      } else arm(entry);
    },
    settled: () => caughtUp,
    signal: () => running.signal,
    clear,
    close() {
      clear();
      stopFollowing();
    },
  };
}
