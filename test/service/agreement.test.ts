import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { check, type FieldErrors, facturaRequest, notaCreditoRequest } from '../../src/service/shapes.ts';
import {
  factura,
  facturaBodies,
  formerNotaCredito,
  formerNotaCreditoBodies,
  notaCredito,
  notaCreditoBodies,
  spoilt,
} from '../sandbox/generated-bodies.ts';
import { today } from '../sandbox/support.ts';
import { draws } from '../support/chance.ts';

// Written apart from the same field tables, the client's rules and the sandbox's may not contradict each other.

const kinds = [
  ['factura', facturaRequest, factura, facturaBodies],
  ['nota de crédito', notaCreditoRequest, notaCredito, notaCreditoBodies],
  ['former nota de crédito', notaCreditoRequest, formerNotaCredito, formerNotaCreditoBodies],
] as const;

describe.each(kinds)('%s', (_, schema, kind, bodies) => {
  test('the client lets every body leave that the service would take', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const checked: { ok: boolean; fields?: FieldErrors } = check(schema as z.ZodType, body);
        expect(checked.fields).toBeUndefined();
      }),
      { numRuns: draws(80, 5_000) },
    );
  });

  test('what the client holds back the service would have refused', () => {
    fc.assert(
      fc.property(spoilt(bodies), (body) => {
        if (!check(schema as z.ZodType, body).ok) expect(kind.read(body, today)).toHaveProperty('errors');
      }),
      { numRuns: draws(80, 5_000) },
    );
  });
});
