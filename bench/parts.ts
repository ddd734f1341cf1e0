import { dispatch } from './dispatch.ts';
import { endpoint } from './endpoint.ts';
import { grown } from './grown.ts';
import { isMet, type Line, row, tableHead } from './line.ts';
import { mapping } from './mapping.ts';
import { memory } from './memory.ts';
import { sandbox } from './sandbox.ts';
import type { Starter } from './starter.ts';

export interface Part {
  name: string;
  /** Of its table in docs/performance.md. */
  title: string;
  /** Several times what it takes on a quiet machine. */
  limitSeconds: number;
  run(start: Starter): Promise<Line[]>;
}

/** In the order of docs/performance.md. */
export const parts: readonly Part[] = [
  { name: 'endpoint', title: 'The webhook endpoint', limitSeconds: 600, run: endpoint },
  { name: 'mapping', title: 'Mapping', limitSeconds: 120, run: mapping },
  { name: 'dispatch', title: 'From the order to the service', limitSeconds: 480, run: dispatch },
  { name: 'memory', title: 'Memory', limitSeconds: 480, run: memory },
  { name: 'sandbox', title: 'The sandbox', limitSeconds: 120, run: sandbox },
  { name: 'grown', title: 'A million documents', limitSeconds: 600, run: grown },
];

/**
 * Runs parts one after another and prints the table of each as it ends. A part that fails or takes longer than its limit
 * is named, everything it started ends, and the next one runs. Resolves to whether all parts ended and all goals are met.
 */
export async function runParts(
  chosen: readonly Part[],
  open: (signal: AbortSignal) => Starter & { close(): Promise<void> },
  print: (text: string) => void,
): Promise<boolean> {
  let good = true;
  for (const part of chosen) {
    const fail = (error: unknown) => {
      good = false;
      print(`\nThe part ${part.name} failed: ${error instanceof Error ? error.message : error}`);
    };
    const over = new AbortController();
    const start = open(over.signal);
    const began = performance.now();
    try {
      const lines = await within(part.limitSeconds, part.run(start));
      const seconds = Math.round((performance.now() - began) / 1000);
      print(`\n## ${part.title} (${part.name}, ${seconds} s)\n\n${tableHead}\n${lines.map(row).join('\n')}`);
      good &&= lines.every(isMet);
    } catch (error) {
      fail(error);
    }
    over.abort(new Error(`The part ${part.name} is over.`));
    await within(30, start.close()).catch(fail);
  }
  return good;
}

/** Throws when a promise takes longer. */
async function within<T>(seconds: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it took longer than ${seconds} s.`)), seconds * 1000);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
