import type { z } from 'zod';
import { type Settings, scopeOf, storeOf } from '../domain/settings.ts';
import type { Operations } from './carry-out.ts';
import * as documents from './documents.ts';
import * as installation from './installation.ts';
import type { Answer, Operation } from './operation.ts';
import * as orders from './orders.ts';
import * as privacy from './privacy.ts';
import * as reports from './reports.ts';

export const operations = { ...orders, ...documents, ...reports, ...installation, ...privacy };

/** In the order of the help. An operation exported from this folder has a command, and the forms and tools it names. */
export const allOperations: readonly Operation[] = Object.values(operations);

export interface CallOptions {
  /** Default: "program". */
  by?: string;
  /** Ids of stores; default: all. */
  stores?: readonly string[];
}

type Call<Each> =
  Each extends Operation<infer Input, infer Data>
    ? (input: z.input<Input>, options?: CallOptions) => Promise<Answer<Data>>
    : never;

/** Each throws CommandError `input-invalid`, ConfigError `store-unknown` and the FacturapuenteError of the operation. */
export type CallableOperations = {
  readonly [Name in keyof typeof operations]: Call<(typeof operations)[Name]>;
};

export function callable(
  { run }: Pick<Operations, 'run'>,
  settings: Pick<Settings, 'stores'>,
): CallableOperations {
  const call =
    (operation: Operation) =>
    async (input: Record<string, unknown>, { by = 'program', stores }: CallOptions = {}) => {
      for (const id of stores ?? []) storeOf(settings, id);
      return run(operation, input, { by, scope: stores ? scopeOf(stores, settings.stores, by) : null });
    };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, call(operation)]),
  ) as unknown as CallableOperations;
}
