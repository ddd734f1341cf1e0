import fc from 'fast-check';
import { expect } from 'vitest';
import { facturaBody, type MappedFactura, toFactura } from '../../mappers/index.ts';
import { decimal, roundCents, sum } from '../../src/domain/money.ts';
import type { Order } from '../../src/domain/order.ts';
import { wrongSums } from '../sandbox/independent-sums.ts';
import { draws } from '../support/chance.ts';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { asXml } from './as-xml.ts';
import { comesTo, fourWays, hasBase } from './four-ways.ts';
import { generatedOrders } from './generated-orders.ts';
import { contextOf, decreed, decreedDate, rateRules } from './policy.ts';

/** In each of the two files. */
export const runs = draws(2_000, 500_000);
const long = runs > 100_000;

/** What bears ICE, what a deposit on bottles, and which rates need a rule. */
export const excise: Parameters<typeof contextOf>[0] = {
  tax: {
    rules: [
      {
        when: { sku: 'BEBIDA-*', rate: 15 },
        // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
        then: { iva: 4, tipo: 'bien' },
      },
      // biome-ignore lint/suspicious/noThenProperty: as above.
      { when: { sku: 'BEBIDA-*' }, then: { ice: { codigo: 3101, tarifa: 75 } } },
      // biome-ignore lint/suspicious/noThenProperty: as above.
      { when: { sku: 'JUEGO-*' }, then: { ice: { codigo: 3620, tarifa: 13.5 } } },
      // biome-ignore lint/suspicious/noThenProperty: as above.
      { when: { sku: 'BOTELLA-*' }, then: { irbpnr: true } },
      ...rateRules,
    ],
  },
};
const context = contextOf(excise, decreed);

/** What may stop an order that adds up: rules on parts of bottles, rounding cents of an order given away. */
const honest = ['irbpnr-quantity', 'negative-amount', 'total-mismatch', 'tax-contradiction'];

interface Seen {
  emitted: number;
  held: Record<string, number>;
  /** The charge in all four ways of computing; by its totals alone, no base reaching the money; with ICE, which is not asked. */
  allWays: number;
  stated: number;
  withIce: number;
}

/** Every order becomes a body that reaches what was charged, or says why not; a sample goes through the sandbox. */
export function checkOrders(taxIncluded: boolean): Seen {
  const validate = hasShared ? openXsd('factura_V1.1.0.xsd') : () => {};
  const every = long ? 1 : Math.max(1, Math.floor(runs / 300));
  const seen: Seen = { emitted: 0, held: {}, allWays: 0, stated: 0, withIce: 0 };
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
      seen[waysOf(mapped)] += 1;
      if (seen.emitted % every !== 0) return;
      const { complaints, xml } = asXml(mapped.body, 'factura', decreedDate);
      expect(facturaBody.safeParse(mapped.body).success).toBe(true);
      expect(complaints).toEqual([]);
      validate(xml);
      expect(wrongSums(xml, 2n)).toEqual([]);
    }),
    { numRuns: runs },
  );
  return seen;
}

/**
 * Where totals are ignored the rate of ICE is nobody's to know; every other factura is the charge in all four ways of
 * computing, or one of its rates has no base that gives its part of it.
 */
function waysOf({ body, charged, trace }: MappedFactura): 'allWays' | 'stated' | 'withIce' {
  if (body.items.some(({ tipo_ice }) => tipo_ice !== undefined)) return 'withIce';
  const off = fourWays.filter((way) => comesTo(body, way) !== Math.round(Number(charged) * 100));
  if (off.includes('totals')) throw new Error(`not ${charged} by its own totals`);
  if (off.length === 0) return 'allWays';
  const groups = body.totales.filter(({ codigo, tarifa }) => codigo === '2' && tarifa > 0);
  const sayable = groups.every(({ base_imponible, codigo_porcentaje, valor }) =>
    hasBase(Math.round((base_imponible + valor) * 100), Number(codigo_porcentaje)),
  );
  if (sayable) throw new Error(`not ${charged} by ${off.join()}: ${JSON.stringify(body.items)}`);
  if (trace.money.computed === null) throw new Error('the trace does not tell what it may come to');
  return 'stated';
}

function reachesTheTotal({ body, trace }: MappedFactura, order: Order): void {
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
