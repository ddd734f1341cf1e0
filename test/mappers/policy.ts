import type { z } from 'zod';
import type { MappingContext } from '../../mappers/index.ts';
import { toMoneyPolicy } from '../../src/config/money-policy.ts';
import { defaultPolicy } from '../../src/config/resolve-stores.ts';
import { moneyPart } from '../../src/config/schema-money.ts';
import { store } from '../support/orders.ts';

/** The policy as the config room makes it of what a merchant writes. */
export function policyOf(written: z.input<typeof moneyPart> = {}) {
  return { ...defaultPolicy(), ...toMoneyPolicy(moneyPart.parse(written)) };
}

/** Everything a mapper knows beside the order, on 20 November 2026. */
export function contextOf(written: z.input<typeof moneyPart> = {}): MappingContext {
  return {
    issuer: store.issuer,
    series: store.series,
    secuencial: '000000123',
    today: '2026-11-20',
    policy: policyOf(written),
    recipient: { type: '05', id: '1710034065', name: 'Carlos Andrade Muñoz' },
    reference: 'woocommerce/tienda.example.ec/factura/29/1',
  };
}
