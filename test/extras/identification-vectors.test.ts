import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { examine, foreignId, rucOwner } from '../../src/domain/identification.ts';
import { php, skippedWithoutPhp } from './php.ts';

const right = z.strictObject({
  written: z.string(),
  type: z.string(),
  value: z.string(),
  /** Of a RUC: whether it is a company's and no person's. */
  company: z.boolean().optional(),
  why: z.string(),
});
const wrong = z.strictObject({ written: z.string(), flaw: z.string(), digits: z.int(), why: z.string() });
const vectors = z
  .object({
    cedulaOrRuc: z.array(z.union([right, wrong])),
    passport: z.array(z.strictObject({ written: z.string(), value: z.string().nullable(), why: z.string() })),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../fixtures/identification-vectors.json', import.meta.url), 'utf8')),
  );

const wanted = vectors.cedulaOrRuc.map((vector) =>
  'flaw' in vector
    ? { type: null, value: null, flaw: vector.flaw, digits: vector.digits }
    : valid(vector.type, vector.value, vector.company),
);

function valid(type: string, value: string, company: boolean | undefined) {
  return { type, value, flaw: null, digits: value.length, ...(company !== undefined && { company }) };
}

describe('each example of an identification', () => {
  test('is what the file says in the product', () => {
    const said = vectors.cedulaOrRuc.map(({ written }) => {
      const found = examine(written);
      if (!found.ok) return { type: null, value: null, flaw: found.flaw, digits: found.digits };
      const { type, value } = found.found;
      return valid(type, value, type === 'ruc' ? rucOwner(value) === 'company' : undefined);
    });
    expect(said).toEqual(wanted);
    expect(vectors.passport.map(({ written }) => foreignId(written))).toEqual(
      vectors.passport.map(({ value }) => value),
    );
  });

  test.skipIf(skippedWithoutPhp())('is the same in the plugin for WooCommerce, in PHP', () => {
    const script = fileURLToPath(new URL('identification-vectors.php', import.meta.url));
    for (const options of [[], ['-n']]) {
      const run = spawnSync(php, [...options, script], { encoding: 'utf8' });
      expect(run.stderr).toBe('');
      expect(JSON.parse(run.stdout)).toEqual({
        cedulaOrRuc: wanted,
        passport: vectors.passport.map(({ value }) => value),
      });
    }
  });
});
