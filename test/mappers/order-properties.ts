import fc from 'fast-check';
import { expect } from 'vitest';
import { facturaBody, type Mapped, toFactura } from '../../mappers/index.ts';
import { decimal, roundCents, sum } from '../../src/core/money.ts';
import type { Order } from '../../src/core/order.ts';
import { wrongSums } from '../sandbox/independent-sums.ts';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { asXml } from './as-xml.ts';
import { generatedOrders } from './generated-orders.ts';
import { contextOf } from './policy.ts';

/** `npm test` draws 20,000 orders, `npm run test:long` a million: half of them in each of the two files. */
export const runs = Number(process.env.FACTURAPUENTE_ORDERS ?? 20_000) / 2;
const long = runs > 100_000;

/** What bears ICE, and what a deposit on bottles. */
export const excise: Parameters<typeof contextOf>[0] = {
  tax: {
    rules: [
      {
        when: { sku: 'LICOR-*', rate: 15 },
        // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
        then: { iva: 4, tipo: 'bien' },
      },
      // biome-ignore lint/suspicious/noThenProperty: as above.
      { when: { sku: 'LICOR-*' }, then: { ice: { codigo: 3031, tarifa: 75 } } },
      // biome-ignore lint/suspicious/noThenProperty: as above.
      { when: { sku: 'CERVEZA-*' }, then: { ice: { codigo: 3041, tarifa: 13.5 } } },
      // biome-ignore lint/suspicious/noThenProperty: as above.
      { when: { sku: 'BOTELLA-*' }, then: { irbpnr: true } },
    ],
  },
};
const context = contextOf(excise);

/** What may stop an order that adds up: rules on parts of bottles, rounding cents of an order given away. */
const honest = ['irbpnr-quantity', 'negative-fee', 'total-mismatch', 'tax-contradiction'];

/** Every order becomes a body that reaches what was charged, or says why not; a sample goes through the sandbox. */
export function checkOrders(taxIncluded: boolean): { emitted: number; held: Record<string, number> } {
  const validate = hasShared ? openXsd('factura_V1.1.0.xsd') : () => {};
  const every = long ? 1 : Math.max(1, Math.floor(runs / 300));
  const seen = { emitted: 0, held: {} as Record<string, number> };
  fc.assert(
    fc.property(generatedOrders(taxIncluded), (order) => {
      const mapped = toFactura(order, context);
      if (!mapped.ok) {
        if (!honest.includes(mapped.code)) throw new Error(`held: ${mapped.code} ${mapped.reason}`);
        seen.held[mapped.code] = (seen.held[mapped.code] ?? 0) + 1;
        return;
      }
      seen.emitted += 1;
      reachesTheTotal(mapped, order);
      if (seen.emitted % every !== 0) return;
      const { complaints, xml } = asXml(mapped.body);
      expect(facturaBody.safeParse(mapped.body).success).toBe(true);
      expect(complaints).toEqual([]);
      validate(xml);
      expect(wrongSums(xml, 2n)).toEqual([]);
    }),
    { numRuns: runs },
  );
  return seen;
}

function reachesTheTotal({ body, trace }: Extract<Mapped, { ok: true }>, order: Order): void {
  const bases = sum(body.items.map((item) => decimal(item.precio_total_sin_impuesto)));
  const taxes = sum(body.totales.map((group) => decimal(group.valor)));
  const paid = sum(body.pagos.map((pago) => decimal(pago.total)));
  if (bases.plus(taxes).toFixed(2) !== order.total)
    throw new Error(`${bases.plus(taxes)} for ${order.total}`);
  if (paid.toFixed(2) !== order.total) throw new Error(`paid ${paid} of ${order.total}`);
  if (trace.money.difference !== '0.00') throw new Error('a difference in the trace');
  for (const item of body.items) {
    const computed = decimal(item.cantidad).times(item.precio_unitario).minus(item.descuento);
    if (!roundCents(computed).equals(item.precio_total_sin_impuesto)) throw new Error(JSON.stringify(item));
    if (item.precio_total_sin_impuesto < 0 || item.descuento < 0) throw new Error('a negative line');
  }
  for (const { codigo, base_imponible, tarifa, valor } of body.totales) {
    if (codigo === '5') continue;
    const exact = roundCents(decimal(base_imponible).times(tarifa).div(100));
    if (exact.minus(valor).abs().gt('0.01')) throw new Error(`${valor} for ${exact} of tax ${codigo}`);
  }
}
