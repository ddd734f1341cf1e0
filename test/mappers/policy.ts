import type { z } from 'zod';
import type { FacturaContext } from '../../mappers/index.ts';
import { defaultPolicy, toMoneyPolicy } from '../../src/config/resolve-stores.ts';
import { moneyPart } from '../../src/config/schema-money.ts';
import { type Day, toServiceDate } from '../../src/domain/clock.ts';
import { store } from '../support/orders.ts';

/** The policy as the config room makes it of what a merchant writes. */
export function policyOf(written: z.input<typeof moneyPart> = {}) {
  return { ...defaultPolicy(), ...toMoneyPolicy(moneyPart.parse(written)) };
}

/** What a merchant writes who charges rates that no stated rate chooses. */
export const rateRules = [
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  { name: 'materiales', when: { rate: 5 }, then: { iva: 5 } },
  // biome-ignore lint/suspicious/noThenProperty: as above.
  { name: 'turismo', when: { rate: 8 }, then: { iva: 8 } },
] satisfies NonNullable<NonNullable<z.input<typeof moneyPart>['tax']>['rules']>;

/** A day on which 8 % is in force, so that a third rate may stand beside 15 and 5. */
export const decreed: Day = '2026-02-16';
export const decreedDate = toServiceDate(decreed);

/** Everything a mapper knows beside the order, on 20 November 2026. */
export function contextOf(
  written: z.input<typeof moneyPart> = {},
  today: Day = '2026-11-20',
): FacturaContext {
  return {
    issuer: store.issuer,
    series: store.series,
    secuencial: '000000123',
    today,
    policy: policyOf(written),
    recipient: { type: '05', id: '1710034065', name: 'Carlos Andrade Muñoz' },
    reference: 'woocommerce/tienda.example.ec/factura/29/1',
  };
}
