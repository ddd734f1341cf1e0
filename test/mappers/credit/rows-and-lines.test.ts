import { describe, expect, it } from 'vitest';
import type { ItemBody, NotaCreditoBody } from '../../../mappers/body.ts';
import { toCreditLine } from '../../../mappers/nota-credito.ts';
import { statedRows } from '../../../mappers/tax-computation.ts';
import { decimal } from '../../../src/domain/money.ts';
import { bareRefund, type Order, type Refund, type RefundPart } from '../../../src/domain/order.ts';
import { plan } from '../../../src/planner/plan.ts';
import { authorized } from '../../support/authorized.ts';
import { store as demo, line, noon, order } from '../../support/orders.ts';
import { asXml } from '../as-xml.ts';
import { excise } from '../order-properties.ts';
import { policyOf } from '../policy.ts';

/* Counterexamples of test/planner/refunds/properties, each as the rule it taught. */

const store = { ...demo, policy: policyOf(excise) };

function bodies(sale: Order, refunds: Refund[]): NotaCreditoBody[] {
  const documents = [authorized(sale, {}, store)];
  const input = { order: { ...sale, refunds }, documents, store, invoiceFrom: new Date(0), now: noon };
  const actions = plan(input).filter(({ kind }) => kind === 'nota-credito');
  for (const { reason, difference } of actions)
    expect(reason + difference).toMatch(/se acredita.*(0\.00|ninguna base.*-0\.01)$/);
  return actions.map(({ body }) => body as NotaCreditoBody);
}

const part = (of: string, net: string, tax: string, quantity = '1'): RefundPart => ({
  of,
  name: 'Camiseta',
  quantity,
  net,
  tax,
});
const refund = (id: string, amount: string, parts: RefundPart[] = []): Refund => ({
  ...bareRefund(id, amount),
  parts,
});
const rowsOf = (body: NotaCreditoBody) =>
  statedRows(body).map(({ codigo, codigo_porcentaje: code, base_imponible: base, valor }) => [
    codigo,
    code,
    base,
    valor,
  ]);

describe('a nota de crédito', () => {
  it('of what was left names what cost nothing too, and the row of its tax', () => {
    const gift = line({ id: '2', price: '0.00', rate: '0', sku: 'REGALO' });
    const sale = order({ lines: [line({ quantity: '2' }), gift] });
    const [, last] = bodies(sale, [
      refund('1', '11.50', [part('line:1', '10.00', '1.50')]),
      refund('2', '11.50'),
    ]);
    expect(last?.items.map(({ codigo_principal }) => codigo_principal)).toEqual(['CAM-001', 'REGALO']);
    expect(last && rowsOf(last)).toEqual([
      ['2', '0', 0, 0],
      ['2', '4', 10, 1.5],
    ]);
    expect(asXml(last, 'nota-credito').complaints).toEqual([]);
  });

  it('of a gift that came back beside what was paid has the row of the gift', () => {
    const gift = line({ id: '2', price: '0.00', rate: '0', sku: 'REGALO', quantity: '3' });
    const sale = order({ lines: [line({ quantity: '2' }), gift] });
    const units = [part('line:1', '0.00', '0.00'), part('line:2', '0.00', '0.00')];
    const [first] = bodies(sale, [refund('1', '10.00', units)]);
    expect(first && rowsOf(first).map(([, code]) => code)).toEqual(['0', '4']);
    expect(asXml(first, 'nota-credito').complaints).toEqual([]);
  });

  it('of a cent that is tax alone stands on a line of its rate', () => {
    const sale = order({ lines: [line({ price: '0.03', quantity: '1' }), line({ id: '2', rate: '0' })] });
    const [, cent] = bodies(sale, [
      refund('1', '0.03', [part('line:1', '0.03', '0.00', '0')]),
      refund('2', '10.00'),
    ]);
    expect(cent && asXml(cent, 'nota-credito').complaints).toEqual([]);
  });
});

describe('bottles', () => {
  const beer = line({ sku: 'BOTELLA-1', name: 'Cerveza', quantity: '12', price: '1.00' });
  const sale = order({ lines: [beer] });

  it('come back where the money is more than all that is left without them', () => {
    // 13.80 of which 0.24 for the bottles: an amount alone brings none back until it must.
    const [some, more] = bodies(sale, [refund('1', '13.50'), refund('2', '0.20')]);
    expect(some && rowsOf(some)).toEqual([['2', '4', 11.74, 1.76]]);
    expect(more && rowsOf(more)).toEqual([
      ['2', '4', 0.05, 0.01],
      ['5', '5001', 7, 0.14],
    ]);
    expect(more?.items).toMatchObject([
      { cantidad: 7, precio_unitario: 0.98, descuento: 6.81, tipo_irbpnr: 5001 },
    ]);
  });

  it('stay, and the cent that is owed with them, where the money is all that is left without them', () => {
    // No base gives 3.33: a cent is owed, and beside 10.24 there is no room for it.
    const [less, rest] = bodies(sale, [refund('1', '3.33'), refund('2', '10.24')]);
    expect(less && rowsOf(less)).toEqual([['2', '4', 2.89, 0.43]]);
    expect(rest && rowsOf(rest)).toEqual([['2', '4', 8.9, 1.34]]);
  });

  it('come back whole: a half one is none', () => {
    const [body] = bodies(sale, [refund('1', '1.73', [part('line:1', '1.50', '0.23', '1.5')])]);
    expect(body && rowsOf(body)).toEqual([
      ['2', '4', 1.49, 0.22],
      ['5', '5001', 1, 0.02],
    ]);
  });
});

it('units of more than six decimals are one line of their price', () => {
  const sale = order({ lines: [line({ quantity: '2.5' })] });
  const [body] = bodies(sale, [refund('1', '1.42', [part('line:1', '1.23', '0.19', '0.1234567')])]);
  expect(body?.items).toMatchObject([{ cantidad: 1, precio_unitario: 1.23 }]);
});

it('a unit that rounds a cent off its price is credited at its own price, without a discount nobody gave', () => {
  // Two at 59.99 with the tax inside: 104.33 without it, of which half is neither 52.16 nor 52.17.
  const { sent } = authorized(
    order({ lines: [line({ quantity: '2', subtotal: '104.33', net: '104.33', tax: '15.65' })] }),
  );
  const left = {
    source: 'line:1',
    item: sent?.items[0] as ItemBody,
    sold: decimal(2),
    units: decimal(2),
    base: decimal('104.33'),
    gross: decimal('119.98'),
  };
  const credited = { left, base: decimal('52.16'), ice: decimal(0), units: decimal(1) };
  const { item } = toCreditLine(credited, false);
  expect(item).toMatchObject({
    cantidad: 1,
    precio_unitario: 52.16,
    descuento: 0,
    precio_total_sin_impuesto: 52.16,
  });
});
