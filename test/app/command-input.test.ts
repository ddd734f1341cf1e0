import { expect, test } from 'vitest';
import { z } from 'zod';
import { command } from '../../src/app/commands.ts';

test('a command that cannot be read names the fields, and neither values nor words of a library', async () => {
  const { run } = command({ document: z.string(), store: z.string() }, async () => ({
    done: true,
    says: '',
  }));
  const given = { document: 7, store: 'tienda', by: 'cli', clave: 'muy-secreta' };
  await expect((async () => run(given, {} as never))()).rejects.toMatchObject({
    code: 'input-invalid',
    params: { fields: 'document' },
    merchant: 'El comando no entiende lo que recibió: document. Corríjalo y repita.',
  });
});
