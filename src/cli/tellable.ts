import { FacturapuenteError } from '../domain/errors.ts';

/** The error as a sentence where the ledger's server went away under a command; every other one as it is. */
export async function tellable(error: unknown): Promise<unknown> {
  if (error instanceof FacturapuenteError) return error;
  // Loaded here, for it brings the driver along, which most commands never need.
  const { unusableLedger } = await import('../ledger/lost.ts');
  return unusableLedger(error);
}

/**
 * What a command answers; where the ledger's server does not answer it ends with `code`, for 1 says something else of
 * it. Throws what the task throws.
 */
export async function endingWith<T>(code: number, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const told = await tellable(error);
    if (told instanceof FacturapuenteError && told.code === 'ledger-unreachable') process.exitCode = code;
    throw told;
  }
}
