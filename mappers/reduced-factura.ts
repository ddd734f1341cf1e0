import { Decimal, decimal, roundCents, toAmount } from '../src/domain/money.ts';
import type { Order, Payment } from '../src/domain/order.ts';
import type { ItemBody, TotalBody } from './body.ts';
import {
  computedOf,
  type ItemCalculation,
  type TaxCalculation,
  toIrbpnrCalculation,
  toPaymentCalculation,
  toTaxCalculation,
} from './calculation.ts';
import { balanceOf, type Issued } from './credit/balance.ts';
import { restOf } from './credit/credit-of.ts';
import type { MappedFactura } from './factura.ts';
import type { FacturaContext } from './hold.ts';
import { bySize, toPagos, toTenders } from './payments.ts';
import { netOf } from './tax-computation.ts';
import { assertTotals } from './totals.ts';

/** The same result whichever of factura and refund came first. Pure. @throws Hold. */
export function toReducedFactura(
  full: MappedFactura,
  credits: readonly Issued[],
  order: Order,
  context: FacturaContext,
): MappedFactura {
  const balance = balanceOf({ ...full.body, lineReferences: full.lineReferences }, credits);
  const total = toAmount(balance.total);
  const { items: said, totales, lineReferences, credit } = restOf(balance);
  const items = said.map(
    (item): ItemBody => ({ ...item, precio_total_sin_impuesto: netOf(item).toNumber() }),
  );
  const paid = { ...order, payments: paidLess(order.payments, decimal(full.charged).minus(total)) };
  const tenders = toTenders(paid, total, context);
  const body = assertTotals({ ...full.body, items, totales, pagos: toPagos(tenders) }, total);
  const taxes = totales.map(taxOf);
  const stated = taxes.filter(({ tax, difference }) => tax === 'IVA' && !decimal(difference).isZero());
  const { money } = full.trace;
  const lines = decimal(money.lines).minus(decimal(full.charged).minus(total));
  return {
    ok: true,
    body,
    charged: total,
    total,
    statedTax: Object.fromEntries(stated.map(({ code, difference }) => [code, difference])),
    lineReferences,
    leftOut: full.leftOut,
    trace: {
      ...full.trace,
      money: {
        ...money,
        charged: total,
        document: total,
        computed: computedOf(body, total),
        lines: lines.toFixed(Math.max(2, lines.decimalPlaces())),
      },
      items: credit.items.flatMap(({ left }, at) =>
        toItemCalculation(full.trace.items[balance.items.indexOf(left)], items[at]),
      ),
      taxes,
      payments: tenders.map(toPaymentCalculation),
    },
  };
}

function toItemCalculation(full: ItemCalculation | undefined, item: ItemBody | undefined): ItemCalculation[] {
  if (!full || !item) return [];
  const { cantidad, precio_unitario, descuento, precio_total_sin_impuesto } = item;
  const base = toAmount(decimal(precio_total_sin_impuesto));
  return [{ ...full, document: { cantidad, precio_unitario, descuento, base } }];
}

function taxOf(row: TotalBody): TaxCalculation {
  if (row.codigo === '5') return toIrbpnrCalculation(row);
  const [base, valor, tarifa] = [decimal(row.base_imponible), decimal(row.valor), decimal(row.tarifa)];
  const difference = valor.minus(roundCents(base.times(tarifa).div(100)));
  return toTaxCalculation(
    row.codigo === '2' ? 'IVA' : 'ICE',
    Number(row.codigo_porcentaje),
    tarifa.toFixed(),
    { base, valor, difference },
    'lo que queda de lo vendido después de los reembolsos, centavo por centavo',
  );
}

function paidLess(payments: readonly Payment[], back: Decimal): Payment[] {
  let owed = back;
  const less = new Map<Payment, Payment>();
  for (const payment of payments.toSorted(bySize)) {
    const amount = decimal(payment.amount ?? '0');
    const taken = Decimal.min(amount, owed);
    owed = owed.minus(taken);
    less.set(payment, { ...payment, amount: payment.amount && toAmount(amount.minus(taken)) });
  }
  return payments.map((payment) => less.get(payment) ?? payment);
}
