import { expect, test } from 'vitest';
import { z } from 'zod';
import { readInput } from '../../src/operations/carry-out.ts';

test('an input that cannot be read names the fields, and neither values nor words of a library', () => {
  const operation = { title: 'Probar', input: z.object({ document: z.string(), store: z.string() }) };
  const given = { document: 7, store: 'tienda', clave: 'muy-secreta' };
  expect(() => readInput(operation, given)).toThrow(
    expect.objectContaining({
      code: 'input-invalid',
      params: expect.objectContaining({ fields: 'document' }),
      merchant: '«Probar» no entiende lo que recibió: document. Corríjalo y repita.',
    }),
  );
});
