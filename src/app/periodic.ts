import type { Log } from '../domain/log.ts';

/** What a process does again and again, in real time, not in that of a test clock. */
export interface Periodic {
  run(): Promise<unknown>;
  everyMs: number;
  /** Before the first run; `everyMs` by default. */
  firstMs?: number;
  /** Logged where a run fails; the next one comes all the same. */
  failed: string;
}

/** Starts the tasks; a task never runs beside itself. Answers how to stop, which waits for what runs. */
export function startPeriodic(tasks: readonly Periodic[], log: Log): () => Promise<void> {
  const stops = tasks.map(({ run, everyMs, firstMs = everyMs, failed }) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const runNow = () => {
      running = run()
        .catch((error: unknown) => log.warn({ err: error }, failed))
        .finally(() => runIn(everyMs));
    };
    function runIn(ms: number): void {
      if (isOver) return;
      timer = setTimeout(runNow, ms);
      timer.unref();
    }
    if (firstMs === 0) runNow();
    else runIn(firstMs);
    return async () => {
      isOver = true;
      clearTimeout(timer);
      await running;
    };
  });
  return async () => {
    for (const stop of stops) await stop();
  };
}
