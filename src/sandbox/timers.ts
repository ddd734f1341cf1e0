/** Everything the sandbox does later, so that closing or resetting it leaves nothing behind. */
export interface Timers {
  /** Runs `task` after so many real milliseconds, unless the sandbox is reset or closed before. */
  after(milliseconds: number, task: (signal: AbortSignal) => void | Promise<void>): void;
  /** Forgets what waits and aborts what runs. */
  clear(): void;
}

export function openTimers(onError: (error: unknown) => void): Timers {
  const pending = new Set<NodeJS.Timeout>();
  let running = new AbortController();
  return {
    after(milliseconds, task) {
      const { signal } = running;
      const timer = setTimeout(async () => {
        pending.delete(timer);
        try {
          await task(signal);
        } catch (error) {
          onError(error);
        }
      }, milliseconds);
      pending.add(timer);
    },
    clear() {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
      running.abort();
      running = new AbortController();
    },
  };
}
