import type { Log } from '../domain/ports.ts';

export interface Periodic {
  name: string;
  run(): Promise<unknown>;
  everyMs: number;
  firstMs?: number;
}

/** No task runs twice at once; the answer stops them and waits for running ones. */
export function startPeriodic(tasks: readonly Periodic[], log: Log): () => Promise<void> {
  const stops = tasks.map(({ name: task, run, everyMs, firstMs = everyMs }) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const runNow = () => {
      running = run()
        .catch((error: unknown) =>
          log.warn({ err: error, task, everyMs }, 'A periodic task failed; it runs again after everyMs'),
        )
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
