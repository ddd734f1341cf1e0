/** What may stand on a span: ids and words of ours, never keys, bodies or buyers' data. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** Spans around the parts of a journey (door, step, call); `inSpan` runs the task either way. */
export interface Spans {
  /** The task may add what it learned with `note`. A thrown error marks the span and is thrown on. */
  inSpan<T>(
    name: string,
    facts: SpanFacts,
    task: (note: (more: SpanFacts) => void) => Promise<T>,
  ): Promise<T>;
  /** Sends what is still held back. */
  close(): Promise<void>;
}

const ignore = (): void => {};

/** Tracing switched off: nothing is loaded, made or kept. */
export const noSpans: Spans = {
  inSpan: (_name, _facts, task) => task(ignore),
  async close() {},
};
