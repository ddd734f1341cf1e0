import { type Decimal, decimal, roundCents, toAmount } from '../src/domain/money.ts';
import type { Order, Payment } from '../src/domain/order.ts';
import type { ItemBody, TotalBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { balanceOf, type Issued } from './credit/balance.ts';
import { restOf } from './credit/credit-of.ts';
import type { Mapped } from './factura.ts';
import { toPagos, toTenders } from './payments.ts';
import { prove } from './prove.ts';
import { computedOf, type ItemTrace, type TaxTrace, toIrbpnrTrace, toPaymentTrace } from './trace.ts';
import { netOf } from './ways.ts';

type MappedFactura = Extract<Mapped, { ok: true }>;

/**
 * The factura of what refunds leave of an order: the factura of all of it, less what a nota de crédito of each
 * refund would take. So the same lines and taxes stand in the end, whichever came first. Pure.
 * @throws Hold where what is left cannot be proven.
 */
export function toReducedFactura(
  full: MappedFactura,
  credits: readonly Issued[],
  order: Order,
  context: MappingContext,
): MappedFactura {
  const balance = balanceOf({ ...full.body, ties: full.ties }, credits);
  const total = toAmount(balance.total);
  const { items: said, totales, ties, credit } = restOf(balance);
  const items = said.map(
    (item): ItemBody => ({ ...item, precio_total_sin_impuesto: netOf(item).toNumber() }),
  );
  const paid = { ...order, payments: paidLess(order.payments, decimal(full.charged).minus(total)) };
  const tenders = toTenders(paid, total, context);
  const body = prove({ ...full.body, items, totales, pagos: toPagos(tenders) }, total);
  const taxes = totales.flatMap(toTaxTrace);
  const stated = taxes.filter(({ tax, difference }) => tax === 'IVA' && !decimal(difference).isZero());
  const { money } = full.trace;
  const lines = decimal(money.lines).minus(decimal(full.charged).minus(total));
  return {
    ok: true,
    body,
    charged: total,
    total,
    statedTax: Object.fromEntries(stated.map(({ code, difference }) => [code, difference])),
    ties,
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
        toItemTrace(full.trace.items[balance.items.indexOf(left)], items[at]),
      ),
      taxes,
      payments: tenders.map(toPaymentTrace),
    },
  };
}

function toItemTrace(full: ItemTrace | undefined, item: ItemBody | undefined): ItemTrace[] {
  if (!full || !item) return [];
  const { cantidad, precio_unitario, descuento, precio_total_sin_impuesto } = item;
  const base = decimal(precio_total_sin_impuesto).toFixed(2);
  return [{ ...full, document: { cantidad, precio_unitario, descuento, base } }];
}

function toTaxTrace({ codigo, codigo_porcentaje, tarifa, base_imponible, valor }: TotalBody): TaxTrace[] {
  if (codigo === '5') return [toIrbpnrTrace({ base_imponible, valor })];
  const base = decimal(base_imponible);
  const difference = decimal(valor).minus(roundCents(base.times(tarifa).div(100)));
  return [
    {
      tax: codigo === '2' ? 'IVA' : 'ICE',
      code: Number(codigo_porcentaje),
      rate: decimal(tarifa).toFixed(),
      base: base.toFixed(2),
      valor: decimal(valor).toFixed(2),
      difference: toAmount(difference),
      why: difference.isZero()
        ? 'base × tarifa, redondeado'
        : 'lo que queda de lo vendido después de los reembolsos, centavo por centavo',
    },
  ];
}

/** The largest tender gives back first. */
function paidLess(payments: readonly Payment[], back: Decimal): Payment[] {
  let owed = back;
  const bySize = payments.toSorted((a, b) => decimal(b.amount ?? '0').comparedTo(a.amount ?? '0'));
  const less = new Map(
    bySize.map((payment) => {
      const amount = decimal(payment.amount ?? '0');
      const taken = amount.lt(owed) ? amount : owed;
      owed = owed.minus(taken);
      return [payment, toAmount(amount.minus(taken))];
    }),
  );
  return payments.map((payment) =>
    payment.amount === null ? payment : { ...payment, amount: less.get(payment) ?? payment.amount },
  );
}
