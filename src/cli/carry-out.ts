import type { z } from 'zod';
import { type Installation, openInstallation } from '../app/installation.ts';
import { operationsOf } from '../app/operating.ts';
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
  const run = (installation: Installation) =>
    operationsOf(installation).run(operation, input, { by: whoAmI() });
  return withInstallation(config, { role: operation.name, mayBegin }, run);
}

export async function withInstallation<T>(
  config: Config,
  options: { role: string; mayBegin?: boolean },
  task: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config, options);
  try {
    return await task(installation);
  } finally {
    await installation.close();
  }
}
