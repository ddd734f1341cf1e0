import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bareRefund, type Order, type Refund } from '../../src/domain/order.ts';
import type { PlanInput } from '../../src/planner/action.ts';
import { plan } from '../../src/planner/plan.ts';
import { line, noon, order, store } from '../support/orders.ts';

function heldOf(sale: Order, known: Pick<PlanInput, 'reused' | 'paid'> = {}): string {
  const given = { order: sale, documents: [], store, invoiceFrom: new Date(0), now: noon };
  const [action] = plan({ ...given, ...known });
  return action?.action === 'hold' ? `${action.code}: ${action.reason}` : 'not held';
}

const refunded = (refund: Partial<Refund>) =>
  order({ settlement: 'partially-refunded', refunds: [{ ...bareRefund('7', '5.00'), ...refund }] });

const unaccepted = (notAccepted: NonNullable<Order['notAccepted']>) =>
  order({ settlement: 'unpaid', status: 'completed', notAccepted });

/** What a merchant reads: what is wrong with which figures, and in the last sentence what to do. */
const sentences: [Order, string, Pick<PlanInput, 'reused' | 'paid'>?][] = [
  [
    order({ currency: 'EUR' }),
    'currency: El pedido cobró 11.50 EUR y solo se factura en dólares de los Estados Unidos. Venda en USD en la tienda, o emita esta factura a mano por su valor en dólares.',
  ],
  [
    order(),
    'order-id-reused: La tienda tiene ahora otro pedido con el id 29: este registro lo conoce como #29, del 19/11/2026 a las 22:04:05, y el de ahora es #29, del 20/11/2026 a las 05:00:00. Suele pasar cuando la tienda se restaura de una copia. No se factura, acredita ni escribe nada por el de ahora, y lo del anterior queda como está. Si es otra venta, acéptelo con «facturapuente accept» y el id de este documento, o factúrela a mano.',
    { reused: { key: 'a', placedAt: '2026-11-20T03:04:05.000Z', name: '#29' } },
  ],
  [
    order(),
    'changed-after-payment: El pedido cobró 30.84 USD cuando se pagó y ahora suma 11.50 USD: se editó después del pago. Si se cobró la diferencia, o se devolvió fuera de la tienda, acéptelo con «facturapuente accept» y el id de este documento; si no, devuelva el pedido a lo que se cobró (lo devuelto se registra como reembolso). policy.changedAfterPayment: current factura siempre lo que el pedido suma.',
    { paid: { total: '30.84', currency: 'USD', at: null } },
  ],
  [
    { ...order(), unclearEdit: true, refunds: [bareRefund('7', null)] },
    'refund-contradiction: Al pedido le falta algo de lo que vendió, y lo que la tienda dice de sus reembolsos (7) no permite saber si se quitó al editarlo o se devolvió, ni cuánto se cobró por lo que queda. La API de la tienda sí lo dice: con la tienda conectada se decide solo; si no, emita los documentos a mano.',
  ],
  [
    refunded({ pending: '1.25' }),
    'refund-pending: El reembolso 7 devolvió 5.00 y faltan 1.25 por devolver; la factura sale cuando termine. Si la devolución no va a completarse, corríjala en la tienda.',
  ],
  [
    refunded({ parts: [{ of: 'line:1', name: 'Camiseta', quantity: '1', net: '10.00', tax: '1.50' }] }),
    'refund-contradiction: El reembolso 7 devolvió 5.00 y sus líneas suman 11.50, una diferencia de 6.50 que la tienda no explica. Corrija el reembolso en la tienda, o emita la nota de crédito a mano.',
  ],
  [
    // With dp=6 WooCommerce states totals so.
    order({ lines: [line({ price: '50.00' })], total: '57.500000', buyer: { ...order().buyer, ids: [] } }),
    'buyer-id-missing: El pedido no trae cédula, RUC ni pasaporte del comprador y el total de 57.50 supera el límite de 50.00 para consumidor final. Pida la identificación al comprador, con el enlace que dan el panel y «facturapuente identification-link», y escríbala en el pedido o en el panel.',
  ],
  [
    order({ settlement: 'refunded', status: 'refunded', refunds: [bareRefund('7', '5.00')] }),
    'refund-missing: El pedido figura como reembolsado (estado «refunded»), pero sus reembolsos suman 5.00 de los 11.50 cobrados. Registre en la tienda el reembolso que falta, o devuelva al pedido su estado de pagado para facturar lo que queda.',
  ],
  [
    order({ settlement: 'partially-refunded', status: 'partially_refunded' }),
    'refund-missing: El pedido figura como reembolsado en parte (estado «partially_refunded»), pero la tienda no tiene ningún reembolso de dinero suyo. Registre en la tienda el reembolso que falta, o devuelva al pedido su estado de pagado para facturar lo que queda.',
  ],
  [
    order({ settlement: 'cancelled' }),
    'cancelled-kept: El pedido está cancelado y quedan 11.50 cobrados. Devuelva ese dinero en la tienda, o decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice) o no lleva documento (nothing).',
  ],
  [
    unaccepted({ setting: 'paidStatuses', value: 'shipped', waits: false }),
    'status-not-accepted: El pedido tiene fecha de pago y el estado «shipped» no está en paidStatuses: no se factura mientras siga en él. Agregue «shipped» a paidStatuses en la conexión de la tienda, o cambie el estado del pedido.',
  ],
  [
    unaccepted({ setting: 'paidStatuses', value: 'on-hold', waits: false }),
    'status-not-accepted: El pedido tiene fecha de pago y ahora está en «on-hold», el estado de un pedido sin pagar. Si el dinero sigue en la tienda, páselo a Procesando o Completado; si volvió o nunca entró, registre su reembolso: cancelarlo no basta, porque WooCommerce conserva la fecha de pago. No agregue «on-hold» a paidStatuses.',
  ],
  [
    unaccepted({ setting: 'invoiceUnpaidMethods', value: '', waits: false }),
    'payment-date-missing: El pedido está en el estado «completed» y la tienda no registra ni la fecha ni el medio de su pago. Si está pagado, páselo a pendiente de pago y después a Completado, con lo que WooCommerce guarda la fecha; si no, déjelo en pendiente.',
  ],
  [
    unaccepted({ setting: 'invoiceUnpaidMethods', value: 'cod', waits: false }),
    'payment-date-missing: El pedido está en el estado «completed» y la tienda no registra la fecha de su pago con «cod». Si está pagado, páselo a pendiente de pago y después a Completado, con lo que WooCommerce guarda la fecha; o agregue «cod» a invoiceUnpaidMethods en la conexión para facturar sin esperar esa fecha.',
  ],
  [
    order({
      settlement: 'refunded',
      status: 'refunded',
      payments: [{ gateway: 'wallet', title: 'Monedero', amount: '6.50', apart: true }],
      refunds: [bareRefund('7', '5.00')],
    }),
    'refund-wallet: El pedido figura como reembolsado (estado «refunded»): volvieron 5.00 y los otros 6.50 se pagaron con «Monedero», un saldo del que la tienda no dice si también volvió. Si volvió, no hay nada más que facturar; si no, emita a mano el documento por lo que quedó.',
  ],
  [
    order({
      lines: [line({ price: '50.00' })],
      buyer: { ...order().buyer, ids: [{ value: '0000000000', source: 'meta cedula', type: null }] },
    }),
    'buyer-id-wrong: La identificación del comprador en «meta cedula» son solo ceros y el total de 57.50 supera el límite de 50.00 para consumidor final. Pida al comprador su cédula, RUC o pasaporte y corríjalo en el pedido.',
  ],
  [
    order({ accessKeys: ['1'.repeat(49)] }),
    `unknown-access-key: El pedido ya lleva la clave de acceso ${'1'.repeat(49)}, que este sistema no registra. Búsquela en el portal del SRI: si es la factura de esta venta, no facture nada más; si no, acéptelo con «facturapuente accept» y el id de este documento, y se factura.`,
  ],
];

describe('a hold says what is wrong, with its figures, and what to do', () => {
  it.each(sentences)('case %#', (sale, sentence, known) => {
    expect(heldOf(sale, known)).toBe(sentence);
  });

  it('for every code decided before mapping', () => {
    const source = readFileSync(new URL('../../src/planner/eligibility.ts', import.meta.url), 'utf8');
    const codes = new Set([...source.matchAll(/\bhold\(\s*'([a-z-]+)'/g)].map((found) => found[1]));
    const reported = new Set(sentences.map(([, sentence]) => sentence.split(':')[0]));
    expect(codes.size).toBeGreaterThan(1);
    for (const code of codes) expect(reported).toContain(code);
  });
});
