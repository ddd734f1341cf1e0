import { expect, test } from 'vitest';
import { toFactura, toNotaCredito } from '../../../mappers/index.ts';
import { bareRefund } from '../../../src/domain/order.ts';
import { line, order } from '../../support/orders.ts';
import { contextOf } from '../policy.ts';

test('facturapuente/mappers maps a factura and the nota de crédito of its refund', () => {
  const sale = order({ lines: [line({ quantity: '2' })] });
  const context = contextOf();
  const factura = toFactura(sale, context);
  if (!factura.ok) throw new Error(factura.reason);
  const { body, lineReferences } = factura;
  const number = '001-001-000000123';
  const issued = { ...body, lineReferences, number, issueDate: context.today, accessKey: null };
  const back = { order: sale, refund: bareRefund('48', '11.50'), money: '11.50' };
  expect(toNotaCredito({ ...back, factura: issued, credits: [] }, context)).toMatchObject({
    ok: true,
    total: '11.50',
    owed: '0.00',
    body: { items: [{ cantidad: 1, precio_unitario: 10 }] },
  });
});
