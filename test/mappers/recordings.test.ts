import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { woocommerce } from '../../adapters/woocommerce/index.ts';
import { toFactura } from '../../mappers/index.ts';
import { readJson } from '../../src/domain/loose.ts';
import { hasShared, readShared, sharedPath } from '../support/shared.ts';
import { contextOf, rateRules } from './policy.ts';

const folder = 'data/woocommerce/recordings/webhooks';

/** Every order a real shop sent, whoever bought it and whether it was paid or not. */
function orders(): [file: string, order: unknown][] {
  if (!hasShared) return [];
  return readdirSync(sharedPath(folder)).flatMap((file): [string, unknown][] => {
    const { rawBodyText } = JSON.parse(readShared(`${folder}/${file}`)) as { rawBodyText: string };
    if (!rawBodyText.includes('"line_items"')) return [];
    return [[file, readJson(rawBodyText)]];
  });
}

describe.skipIf(!hasShared)('orders of a real WooCommerce shop', () => {
  it('map to the cent where a rule names the cement’s 5 %, but for the product that carries neither tax nor class', () => {
    const held = new Map<string, string>();
    const context = contextOf({ tax: { rules: rateRules } });
    for (const [file, payload] of orders()) {
      const mapped = toFactura(woocommerce.readOrder(payload, woocommerce.demoConnection()), context);
      if (!mapped.ok) held.set(file, `${mapped.code}: ${mapped.reason}`);
      else expect([file, mapped.trace.money.difference]).toEqual([file, '0.00']);
    }
    expect(orders().length).toBeGreaterThan(70);
    expect([...new Set(held.values())]).toEqual([
      expect.stringMatching(/^unmapped-tax: «Producto sin impuesto \(tax_status none\)» no lleva impuesto/),
    ]);
  });
});
