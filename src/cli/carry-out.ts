import type { z } from 'zod';
import { operationsOf } from '../app/operating.ts';
import { type InstallationProcess, openProcess } from '../app/runtime.ts';
import type { Config } from '../config/load.ts';
import { readInput } from '../operations/carry-out.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import { type ConfigFlag, readConfig, whoAmI } from './given.ts';

/** Works beside a running `start`, too. Throws FacturapuenteError. */
export async function carryOut<Input extends z.ZodObject, Data>(
  operation: Operation<Input, Data>,
  input: z.input<Input>,
  flags: ConfigFlag,
  { mayBegin = false }: { mayBegin?: boolean } = {},
): Promise<Answer<Data>> {
  readInput(operation, input);
  const config = await readConfig(flags);
  const run = (opened: InstallationProcess) =>
    operationsOf(opened, config).run(operation, input, { by: whoAmI() });
  return withProcess(config, operation.name, run, mayBegin);
}

export async function withProcess<T>(
  config: Config,
  role: string,
  task: (opened: InstallationProcess) => Promise<T>,
  mayBegin = false,
): Promise<T> {
  const opened = await openProcess(config, { role, mayBegin });
  try {
    return await task(opened);
  } finally {
    await opened.close();
  }
}
