import { demoIssuer } from '../../src/cli/given.ts';
import { defaultPolicy } from '../../src/config/resolve-stores.ts';
import { decimal, roundCents, sum, toAmount } from '../../src/domain/money.ts';
import type { Charge, Line, Order } from '../../src/domain/order.ts';
import type { Store } from '../../src/domain/settings.ts';

/** A line as a shop states it: price without tax, tax rounded per line. */
export function line(fields: Partial<Line> & { price?: string; rate?: string | null } = {}): Line {
  const { price = '10.00', rate = '15', quantity = '1', ...rest } = fields;
  const subtotal = rest.subtotal ?? toAmount(decimal(price).times(quantity));
  const net = rest.net ?? subtotal;
  const tax =
    rest.tax ??
    toAmount(
      roundCents(
        decimal(net)
          .times(rate ?? '0')
          .div(100),
      ),
    );
  return {
    id: '1',
    kind: 'product',
    sku: 'CAM-001',
    name: 'Camiseta',
    quantity,
    subtotal,
    net,
    tax,
    taxes: rate === null ? [] : [{ title: `IVA ${rate}%`, rate, amount: tax, rateId: '1' }],
    taxClass: '',
    taxable: null,
    service: null,
    attributes: [],
    productId: null,
    tags: [],
    collections: [],
    ...rest,
  };
}

export function shipping(price = '4.35', rate = '15'): Charge {
  const { subtotal, net, tax, taxes, taxClass, taxable } = line({ price, rate });
  return { id: '9', kind: 'shipping', name: 'Servientrega', subtotal, net, tax, taxes, taxClass, taxable };
}

/** A paid order whose total is the sum of its parts, bought with a valid cédula. */
export function order(fields: Partial<Order> = {}): Order {
  const lines = fields.lines ?? [line()];
  const charges = fields.charges ?? [];
  const parts = [...lines, ...charges];
  const total = fields.total ?? toAmount(sum(parts.map((part) => decimal(part.net).plus(part.tax))));
  return {
    platform: 'woocommerce',
    shop: 'https://tienda.example.ec',
    id: '29',
    name: '#29',
    settlement: 'paid',
    status: 'processing',
    test: false,
    currency: 'USD',
    presentment: null,
    placedAt: '2026-11-20T10:00:00Z',
    paidAt: '2026-11-20T10:00:05Z',
    updatedAt: '2026-11-20T10:00:05Z',
    total,
    totalTax: toAmount(sum(parts.map((part) => part.tax))),
    buyer: {
      name: 'Carlos Andrade Muñoz',
      company: null,
      email: 'carlos@example.ec',
      phone: '0987654321',
      address: 'Calle Loja 123, Cuenca',
      country: 'EC',
      ids: [{ value: '1710034065', source: 'meta _billing_cedula', type: null }],
    },
    payments: [{ gateway: 'bacs', title: 'Transferencia bancaria', amount: total }],
    refunds: [],
    accessKeys: [],
    note: null,
    attributes: [],
    terms: null,
    ...fields,
    lines,
    charges,
  };
}

export const store: Pick<Store, 'issuer' | 'series' | 'policy'> = { ...demoIssuer, policy: defaultPolicy() };
export const noon = new Date('2026-11-20T17:00:00Z');
/** Noon of a day on which IVA of 8 % is in force, for orders of three taxed rates. */
export const decreedNoon = new Date('2026-02-16T17:00:00Z');

/** A policy whose merchant has amounts without lines shared over all rates. */
export const prorating = (policy: Store['policy']): Store['policy'] => ({
  ...policy,
  creditNotes: { ...policy.creditNotes, amountOnly: 'prorate' },
});
