import { decimal, toAmount } from '../../../src/domain/money.ts';
import { item, type Metas, read, sold } from '../../adapters/woocommerce/sold.ts';
import { authorized } from '../../support/authorized.ts';
import { type Advice, type Advised, advised, byHand, gone, inPolicy, inShop } from './following.ts';

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
  advised(
    'status-not-accepted',
    given({ status: 'shipped' }),
    connected(
      'Agregue «shipped» a paidStatuses en la conexión de la tienda',
      { status: 'shipped' },
      accepting('shipped'),
    ),
    shown('cambie el estado del pedido', { status: 'completed' }),
  ),
  advised(
    'status-not-accepted: of an order without payment',
    given({ status: 'on-hold' }),
    shown('Si el dinero sigue en la tienda, páselo a Procesando o Completado', { status: 'processing' }),
    shown(
      'si volvió o nunca entró, registre su reembolso',
      { status: 'refunded', more: { refunds: [{ id: 9, total: '-115.00' }] } },
      'nothing fully-refunded',
    ),
    shown('cancelarlo no basta', { status: 'cancelled' }, 'hold cancelled-kept'),
  ),
  advised(
    'status-not-accepted: of a part payment',
    given({ status: 'abonado' }),
    shown('Cuando se pague el resto, cámbielo a un estado de paidStatuses', { status: 'processing' }),
  ),
  advised(
    'status-not-accepted: of a deposit that is an order of its own',
    given(deposit),
    connected(
      'agregue «partial-payment» a paidStatuses en la conexión de la tienda',
      deposit,
      accepting('partial-payment'),
    ),
    shown('sale cuando la tienda lo pase a un estado de paidStatuses', { ...deposit, status: 'completed' }),
  ),
  advised(
    'payment-date-missing',
    given({ status: 'completed', more: undated }),
    shown('Si está pagado, páselo a pendiente de pago y después a Completado', {
      ...{ status: 'completed', more: { payment_method: '' } },
    }),
    shown('déjelo en pendiente', { status: 'pending', more: undated }, 'wait unpaid'),
  ),
  advised(
    'payment-date-missing: of an accepted status',
    { order: { ...read(payload({ status: 'completed', more: onDelivery })), ...held('cod') } },
    shown('Si está pagado, páselo a pendiente de pago y después a Completado', {
      ...{ status: 'completed', more: { payment_method: 'cod' } },
    }),
    connected(
      'agregue «cod» a invoiceUnpaidMethods en la conexión para facturar sin esperar esa fecha',
      { status: 'completed', more: onDelivery },
      { invoiceUnpaidMethods: ['cod'] },
    ),
  ),
  advised(
    'payment-date-missing: of goods on their way',
    given({ status: 'processing', more: onDelivery }),
    shown('Cuando se cobre, páselo a Completado', { status: 'completed', more: { payment_method: 'cod' } }),
    connected(
      'agregue «cod» a invoiceUnpaidMethods en la conexión para facturar sin esperar esa fecha',
      { status: 'processing', more: onDelivery },
      { invoiceUnpaidMethods: ['cod'] },
    ),
  ),
  advised(
    'partially-paid',
    {
      ...given({}),
      order: { ...given({}).order, settlement: 'partially-paid', paidAt: '2026-11-10T12:00:00Z' },
    },
    inShop('quite del pedido en la tienda lo que no se cobró', () => ({ settlement: 'paid' })),
    byHand('emita a mano la factura por lo cobrado'),
  ),
  advised(
    'unpaid-after-invoice',
    afterFactura('failed'),
    shown('devuelva el pedido a un estado de pagado', { status: 'processing' }, gone),
    shown(
      'registre en la tienda el reembolso de ese dinero',
      { status: 'failed', more: { refunds: [{ id: 9, total: '-115.00' }] } },
      gone,
    ),
    byHand('también puede anular la factura en línea en el portal del SRI'),
  ),
  advised(
    'unpaid-after-invoice: in a status of a plugin',
    afterFactura('shipped'),
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
  ),
  advised(
    'cancelled-kept: paid with a card in part',
    spending('15.00'),
    shown(
      'Devuelva en la tienda los otros 100.00; lo que pase con el saldo se pregunta después',
      cancelledWith('15.00', '100.00'),
      'hold cancelled-kept',
    ),
    inPolicy('decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice)', {
      cancelledOrders: 'invoice',
    }),
    inPolicy('o no lleva documento (nothing)', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
  ),
  advised(
    'cancelled-kept: paid with a card whole',
    spending('115.00'),
    byHand('emita a mano el documento por lo que se queda'),
    inPolicy('con policy.cancelledOrders en nothing', { cancelledOrders: 'nothing' }, 'nothing cancelled'),
  ),
  advised(
    'cancelled-kept: paid with a card whole, after the factura',
    { ...spending('115.00'), documents: [authorized(spending('115.00', 'processing').order)] },
    byHand('emita a mano la nota de crédito de esos 115.00'),
    inPolicy('ponga policy.cancelledOrders en invoice', { cancelledOrders: 'invoice' }, gone),
  ),
  advised(
    'cancelled-kept: paid with a card in part, after the factura',
    { ...spending('15.00'), documents: [authorized(spending('15.00', 'processing').order)] },
    shown(
      'registre en la tienda el reembolso de los otros 100.00; lo que pase con el saldo se pregunta después',
      cancelledWith('15.00', '100.00'),
      'nothing already-authorised',
    ),
    inPolicy('ponga policy.cancelledOrders en invoice', { cancelledOrders: 'invoice' }, gone),
  ),
  advised(
    'cancelled-kept: a deposit',
    given({ status: 'cancelled', metas: depositMeta }),
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
  ),
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
