import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Order } from '../../src/core/order.ts';
import { plan } from '../../src/planning/plan.ts';
import { line, noon, order, store } from '../support/orders.ts';

function heldOf(sale: Order): string {
  const [action] = plan({ order: sale, documents: [], store, invoiceFrom: new Date(0), now: noon });
  return action?.action === 'hold' ? `${action.code}: ${action.reason}` : 'not held';
}

const refunded = (...back: (string | null)[]) => {
  const refunds = back.map((amount, at) => ({ id: String(at), amount })) as Order['refunds'];
  return order({ settlement: 'partially-refunded', refunds });
};
const before = 'refunded-before-invoice: El pedido cobró 11.50 y antes de la factura';
const decide = 'Decida cuánto se factura y emita esta factura a mano.';

/** What a merchant reads: what is wrong with which figures, and in the last sentence what to do. */
const sentences: [Order, string][] = [
  [
    order({ currency: 'EUR' }),
    'currency: El pedido cobró 11.50 EUR y solo se factura en dólares de los Estados Unidos. Venda en USD en la tienda, o emita esta factura a mano por su valor en dólares.',
  ],
  [refunded('5.00', '1.25'), `${before} se reembolsaron 6.25 (quedan 5.25). ${decide}`],
  [refunded('5.00', null), `${before} se reembolsó un monto que la tienda no indica. ${decide}`],
  [refunded(), `${before} se reembolsó un monto que la tienda no indica. ${decide}`],
  [
    // With dp=6 WooCommerce states totals so.
    order({ lines: [line({ price: '50.00' })], total: '57.500000', buyer: { ...order().buyer, ids: [] } }),
    'buyer-id-missing: El pedido no trae cédula, RUC ni pasaporte del comprador y el total de 57.50 supera el límite de 50.00 para consumidor final. Pida la identificación al comprador y escríbala en el pedido.',
  ],
  [
    order({ accessKeys: ['1'.repeat(49)] }),
    `foreign-access-key: El pedido ya lleva la clave de acceso ${'1'.repeat(49)}, que este sistema no registra. Compruebe si ya fue facturado antes de continuar.`,
  ],
];

describe('a hold says what is wrong, with its figures, and what to do', () => {
  it.each(sentences)('case %#', (sale, sentence) => {
    expect(heldOf(sale)).toBe(sentence);
  });

  it('for every code decided before mapping', () => {
    const source = readFileSync(new URL('../../src/planning/eligibility.ts', import.meta.url), 'utf8');
    const codes = new Set([...source.matchAll(/'hold',\s*'([a-z-]+)'/g)].map((found) => found[1]));
    const told = new Set(sentences.map(([, sentence]) => sentence.split(':')[0]));
    expect(codes.size).toBeGreaterThan(2);
    for (const code of codes) expect(told).toContain(code);
  });
});
