import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
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

interface Placed {
  metas: Record<string, string>;
  errors: string[];
}

/** Orders of 80.00, for which the plugin requires an identification; those with the snippet last. */
function place(...orders: Given[]): Placed[] {
  const whole = orders.map((given) => {
    const options = Object.entries({ required: 'always', ...given.options });
    return {
      ...{ metas: {}, fields: {}, snippet: false, route: '/wc/store/v1/checkout' },
      ...given,
      options: Object.fromEntries(options.map(([name, value]) => [`facturapuente_${name}`, value])),
    };
  });
  const run = spawnSync(php, [script, JSON.stringify(whole)], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}

// The snippet's field has the key of the plugin's number, and no type beside it.
const untouched: [where: string, given: Given][] = [
  ['the plugin brings no fields', { options: { fields: 'no' } }],
  ['an order that exists is paid', { route: '/wc/store/v1/checkout/1201', options: { digital: 'hidden' } }],
  ['the pasted snippet brings the fields', { snippet: true }],
  ['the snippet is there and the plugin brings no fields', { snippet: true, options: { fields: 'no' } }],
];

describe.skipIf(skippedWithoutPhp())('the block checkout of the plugin', () => {
  let named: Placed | undefined;
  let nameless: Placed | undefined;
  let others: Placed[];
  beforeAll(() => {
    const fields = {
      'facturapuente/tipo-identificacion': 'ruc',
      'facturapuente/identificacion': cedula,
    };
    const given = { metas: { [numberMeta]: cedula }, fields: { 'facturapuente/identificacion': cedula } };
    [named, nameless, ...others] = place(
      { fields, metas: { [typeMeta]: 'ruc', [numberMeta]: cedula } },
      {},
      ...untouched.map(([, where]) => ({ ...where, ...given })),
    );
  });

  test('a chosen type and its number stand on the order, the type as the digits say', () => {
    expect(named).toMatchObject({ errors: [], metas: { [typeMeta]: 'cedula', [numberMeta]: cedula } });
  });

  test('who must name himself and does not is told', () => {
    expect(nameless?.errors).toHaveLength(1);
  });

  test.each(untouched.map(([where], at) => [where, at] as const))(
    'where %s, the identification stays as it is and nothing is refused',
    (_, at) => {
      expect(others[at]).toEqual({ metas: { [numberMeta]: cedula }, errors: [] });
    },
  );
});
