import { expect } from 'vitest';
import { ShopError } from '../../../src/domain/errors.ts';

/** The ShopError a call of a shop ends with. */
export async function failureOf(job: Promise<unknown>): Promise<ShopError> {
  const error = await job.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ShopError);
  return error as ShopError;
}
