import { expect, test } from 'vitest';
import { balanceOf, toFactura, toNotaCredito } from '../../../mappers/index.ts';
import { bareRefund } from '../../../src/domain/order.ts';
import { line, order } from '../../support/orders.ts';
import { contextOf } from '../policy.ts';

test('facturapuente/mappers maps a factura and the nota de crédito of its refund', () => {
  const sale = order({ lines: [line({ quantity: '2' })] });
  const context = contextOf();
  const factura = toFactura(sale, context);
  if (!factura.ok) throw new Error(factura.reason);
  const { body, lineReferences } = factura;
  const original = {
    number: '001-001-000000123',
    date: context.today,
    accessKey: null,
    comprador: body.comprador,
    balance: balanceOf({ ...body, lineReferences }, []),
  };
  const back = { order: sale, refund: bareRefund('48', '11.50'), money: '11.50', original };
  expect(toNotaCredito(back, context)).toMatchObject({
    ok: true,
    total: '11.50',
    owed: '0.00',
    body: { items: [{ cantidad: 1, precio_unitario: 10 }] },
  });
});
