import { z } from 'zod';
import { LedgerError } from '../core/errors.ts';

/** Reads what a command was given, once. Throws LedgerError `command-unreadable`. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  throw new LedgerError(
    'command-unreadable',
    'El comando trae datos que no se entienden; revise lo que escribió.',
    `A command could not be read: ${z.prettifyError(result.error)}`,
  );
}
