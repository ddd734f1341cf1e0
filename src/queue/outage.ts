import type { Log } from '../domain/log.ts';

/** Something that can be down for a while: its beginning and its end are worth a line, each failure between is not. */
export interface Outage {
  readonly down: boolean;
  failed(error: unknown): void;
  over(): void;
}

export function watchOutage(log: Log, words: { failed: string; over: string }): Outage {
  let since: unknown = null;
  return {
    get down() {
      return since !== null;
    },
    failed(error) {
      if (since === null) log.error({ err: error }, words.failed);
      since = error ?? words.failed;
    },
    over() {
      if (since !== null) log.info({}, words.over);
      since = null;
    },
  };
}
