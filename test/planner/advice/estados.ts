import { decimal, toAmount } from '../../../src/domain/money.ts';
import { item, type Metas, read, sold } from '../../adapters/woocommerce/sold.ts';
import { authorized } from '../../support/authorized.ts';
import { type Advice, type Advised, byHand, gone, inPolicy, inShop } from './following.ts';

/** Statuses of WooCommerce's orders, read as the adapter reads them, and what becomes of them when the advice is followed. */

interface Payload {
  status?: string;
  metas?: Metas;
  more?: Record<string, unknown>;
  line?: Metas;
}

const payload = ({ status = 'processing', metas = {}, more = {}, line = {} }: Payload) =>
  sold({ lines: [{ ...item('Camiseta', '100.00', 15, line), id: 1 }], metas, more: { status, ...more } });
const given = (of: Payload) => ({ order: read(payload(of)) });
/** The shop's order reads otherwise, or the store's connection has another setting. */
const shown = (message: string, of: Payload, becomes = 'emit paid', connection = {}): Advice => ({
  ...{ message, becomes },
  follow: (before) => ({ ...before, order: read(payload(of), { connection }) }),
});
const connected = (message: string, of: Payload, connection: object): Advice =>
  shown(message, of, 'emit paid', connection);
const accepting = (status: string) => ({ paidStatuses: ['processing', 'completed', status] });

const undated = { payment_method: '', date_paid_gmt: null };
const onDelivery = { payment_method: 'cod', payment_method_title: 'Contra entrega', date_paid_gmt: null };
const depositMeta = { _awcdp_deposits_order_has_deposit: 'yes', _awcdp_deposits_deposit_amount: '34.5' };
const deposit: Payload = {
  status: 'partial-payment',
  line: { _is_deposit: 'yes', _deposit_full_amount: '115' },
};

/** Paid in part with a gift card of YITH, and cancelled; WooCommerce's total lacks the card. */
function cancelledWith(card: string, back?: string): Payload {
  const total = toAmount(decimal('115.00').minus(card));
  const refunds = back === undefined ? [] : [{ id: 9, total: `-${back}` }];
  return {
    status: 'cancelled',
    metas: { _ywgc_applied_gift_cards: { 'AB12-CD34': Number(card) } },
    more: { total, refunds },
  };
}
const spending = (card: string, status = 'cancelled') => given({ ...cancelledWith(card), status });

export const estados: readonly Advised[] = [
  {
    code: 'status-not-accepted',
    given: given({ status: 'shipped' }),
    advice: [
      connected(
        'Agregue «shipped» a paidStatuses en la conexión de la tienda',
        { status: 'shipped' },
        accepting('shipped'),
      ),
      shown('cambie el estado del pedido', { status: 'completed' }),
    ],
  },
  {
    code: 'status-not-accepted',
    of: 'of an order without payment',
    given: given({ status: 'on-hold' }),
    advice: [
      shown('Si el dinero sigue en la tienda, páselo a Procesando o Completado', { status: 'processing' }),
      shown(
        'si volvió o nunca entró, registre su reembolso',
        { status: 'refunded', more: { refunds: [{ id: 9, total: '-115.00' }] } },
        'nothing fully-refunded',
      ),
      shown('cancelarlo no basta', { status: 'cancelled' }, 'hold cancelled-kept'),
    ],
  },
  {
    code: 'status-not-accepted',
    of: 'of a part payment',
    given: given({ status: 'abonado' }),
    advice: [
      shown('Cuando se pague el resto, cámbielo a un estado de paidStatuses', { status: 'processing' }),
    ],
  },
  {
    code: 'status-not-accepted',
    of: 'of a deposit that is an order of its own',
    given: given(deposit),
    advice: [
      connected(
        'agregue «partial-payment» a paidStatuses en la conexión de la tienda',
        deposit,
        accepting('partial-payment'),
      ),
      shown('sale cuando la tienda lo pase a un estado de paidStatuses', { ...deposit, status: 'completed' }),
    ],
  },
  {
    code: 'payment-date-missing',
    given: given({ status: 'completed', more: undated }),
    advice: [
      shown('Si está pagado, páselo a pendiente de pago y después a Completado', {
        ...{ status: 'completed', more: { payment_method: '' } },
      }),
      shown('déjelo en pendiente', { status: 'pending', more: undated }, 'wait unpaid'),
    ],
  },
  {
    code: 'payment-date-missing',
    of: 'of an accepted status',
    given: { order: { ...read(payload({ status: 'completed', more: onDelivery })), ...held('cod') } },
    advice: [
      shown('Si está pagado, páselo a pendiente de pago y después a Completado', {
        ...{ status: 'completed', more: { payment_method: 'cod' } },
      }),
      connected(
        'agregue «cod» a invoiceUnpaidMethods en la conexión para facturar sin esperar esa fecha',
        { status: 'completed', more: onDelivery },
        { invoiceUnpaidMethods: ['cod'] },
      ),
    ],
  },
  {
    code: 'payment-date-missing',
    of: 'of goods on their way',
    given: given({ status: 'processing', more: onDelivery }),
    advice: [
      shown('Cuando se cobre, páselo a Completado', { status: 'completed', more: { payment_method: 'cod' } }),
      connected(
        'agregue «cod» a invoiceUnpaidMethods en la conexión para facturar sin esperar esa fecha',
        { status: 'processing', more: onDelivery },
        { invoiceUnpaidMethods: ['cod'] },
      ),
    ],
  },
  {
    code: 'partially-paid',
    given: {
      ...given({}),
      order: { ...given({}).order, settlement: 'partially-paid', paidAt: '2026-11-10T12:00:00Z' },
    },
    advice: [
      inShop('quite del pedido en la tienda lo que no se cobró', () => ({ settlement: 'paid' })),
      byHand('emita a mano la factura por lo cobrado'),
    ],
  },
  {
    code: 'unpaid-after-invoice',
    given: afterFactura('failed'),
    advice: [
      shown('devuelva el pedido a un estado de pagado', { status: 'processing' }, gone),
      shown(
        'registre en la tienda el reembolso de ese dinero',
        { status: 'failed', more: { refunds: [{ id: 9, total: '-115.00' }] } },
        gone,
      ),
      byHand('también puede anular la factura en línea en el portal del SRI'),
    ],
  },
  {
    code: 'unpaid-after-invoice',
    of: 'in a status of a plugin',
    given: afterFactura('shipped'),
    advice: [
      {
        ...connected(
          'agregue «shipped» a paidStatuses en la conexión de la tienda',
          { status: 'shipped' },
          accepting('shipped'),
        ),
        becomes: gone,
      },
      shown('o cambie el estado del pedido', { status: 'completed' }, gone),
      shown(
        'registre en la tienda el reembolso de ese dinero',
        { status: 'shipped', more: { refunds: [{ id: 9, total: '-115.00' }] } },
        gone,
      ),
      byHand('también puede anular la factura en línea en el portal del SRI'),
    ],
  },
  {
    code: 'cancelled-kept',
    of: 'paid with a card in part',
    given: spending('15.00'),
    advice: [
      shown(
        'Devuelva en la tienda los otros 100.00; lo que pase con el saldo se pregunta después',
        cancelledWith('15.00', '100.00'),
        'hold cancelled-kept',
      ),
      inPolicy('decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice)', {
        cancelledOrders: 'invoice',
      }),
      inPolicy('o no lleva documento (nothing)', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
    ],
  },
  {
    code: 'cancelled-kept',
    of: 'paid with a card whole',
    given: spending('115.00'),
    advice: [
      byHand('emita a mano el documento por lo que se queda'),
      inPolicy('con policy.cancelledOrders en nothing', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
    ],
  },
  {
    code: 'cancelled-kept',
    of: 'paid with a card whole, after the factura',
    given: { ...spending('115.00'), documents: [authorized(spending('115.00', 'processing').order)] },
    advice: [
      byHand('emita a mano la nota de crédito de esos 115.00'),
      inPolicy('ponga policy.cancelledOrders en invoice', { cancelledOrders: 'invoice' }, gone),
    ],
  },
  {
    code: 'cancelled-kept',
    of: 'paid with a card in part, after the factura',
    given: { ...spending('15.00'), documents: [authorized(spending('15.00', 'processing').order)] },
    advice: [
      shown(
        'registre en la tienda el reembolso de los otros 100.00; lo que pase con el saldo se pregunta después',
        cancelledWith('15.00', '100.00'),
        'nothing already-authorised',
      ),
      inPolicy('ponga policy.cancelledOrders en invoice', { cancelledOrders: 'invoice' }, gone),
    ],
  },
  {
    code: 'cancelled-kept',
    of: 'a deposit',
    given: given({ status: 'cancelled', metas: depositMeta }),
    advice: [
      inShop(
        'Devuelva ese dinero en la tienda',
        () => ({
          refunds: [
            {
              ...{ id: '9', at: null, reason: null, pending: '0.00', discrepancy: '0.00' },
              amount: '34.50',
              parts: [],
            },
          ],
        }),
        'nothing fully-refunded',
      ),
      byHand('emita a mano el documento por lo que se queda'),
      inPolicy('con policy.cancelledOrders en nothing', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
    ],
  },
];

function afterFactura(status: string) {
  return { ...given({ status }), documents: [authorized(given({ status: 'processing' }).order)] };
}

function held(value: string) {
  return {
    settlement: 'unpaid' as const,
    notAccepted: { setting: 'invoiceUnpaidMethods' as const, value, waits: false },
  };
}
