import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { php, skippedWithoutPhp } from './php.ts';

const script = fileURLToPath(new URL('block-checkout.php', import.meta.url));
const typeMeta = '_wc_other/facturapuente/tipo-identificacion';
const numberMeta = '_wc_other/facturapuente/identificacion';
const cedula = '1710034065';

interface Given {
  /** Of the plugin, without their prefix. */
  options?: Record<string, unknown>;
  metas?: Record<string, string>;
  fields?: Record<string, string>;
  snippet?: boolean;
  route?: string;
}

/** One order of 80.00, for which the plugin requires an identification. */
function place(given: Given): { metas: Record<string, string>; errors: string[] } {
  const options = Object.fromEntries(
    Object.entries({ required: 'always', ...given.options }).map(([name, value]) => [
      `facturapuente_${name}`,
      value,
    ]),
  );
  const order = { metas: {}, fields: {}, snippet: false, route: '/wc/store/v1/checkout', ...given, options };
  const run = spawnSync(php, [script, JSON.stringify(order)], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}

describe.skipIf(skippedWithoutPhp())('the block checkout of the plugin', () => {
  test('a chosen type and its number stand on the order, the type as the digits say', () => {
    const fields = {
      'facturapuente/tipo-identificacion': 'ruc',
      'facturapuente/identificacion': cedula,
    };
    const { metas, errors } = place({ fields, metas: { [typeMeta]: 'ruc', [numberMeta]: cedula } });
    expect(errors).toEqual([]);
    expect(metas).toMatchObject({ [typeMeta]: 'cedula', [numberMeta]: cedula });
  });

  test('who must name himself and does not is told', () => {
    expect(place({}).errors).toHaveLength(1);
  });

  // The snippet's field has the key of the plugin's number, and no type beside it.
  test.each<[string, Given]>([
    ['the pasted snippet brings the fields', { snippet: true }],
    ['the plugin brings no fields', { options: { fields: 'no' } }],
    ['the snippet is there and the plugin brings no fields', { snippet: true, options: { fields: 'no' } }],
    ['an order that exists is paid', { route: '/wc/store/v1/checkout/1201', options: { digital: 'hidden' } }],
  ])('where %s, the identification stays as it is and nothing is refused', (_, given) => {
    const metas = { [numberMeta]: cedula };
    expect(place({ ...given, metas, fields: { 'facturapuente/identificacion': cedula } })).toEqual({
      metas,
      errors: [],
    });
  });
});
