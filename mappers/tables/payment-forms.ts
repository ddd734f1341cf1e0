import { always, type Dated, ficha } from './limits.ts';

/** A row of SRI table 24 (formas de pago). */
export interface PaymentForm extends Dated {
  name: string;
}

const form = (name: string, since: string): PaymentForm => ({
  ...always,
  name,
  since,
  source: ficha('tabla 24'),
});

/** SRI table 24 by code: the forms of payment in force (02–14 are retired). */
export const paymentForms: Readonly<Record<string, PaymentForm>> = {
  '01': form('Sin utilización del sistema financiero', '2013-01-01'),
  '15': form('Compensación de deudas', '2013-01-01'),
  '16': form('Tarjeta de débito', '2016-06-01'),
  '17': form('Dinero electrónico', '2016-06-01'),
  '18': form('Tarjeta prepago', '2016-06-01'),
  '19': form('Tarjeta de crédito', '2016-06-01'),
  '20': form('Otros con utilización del sistema financiero', '2016-06-01'),
  '21': form('Endoso de títulos', '2016-06-01'),
};

/** Money that did not pass through the financial system. */
export const cashForm = '01';

/** Money that came through a bank or a payment company. */
export const defaultPaymentForm = '20';

/** Form of SRI table 24 by gateway id, of the platforms and of Ecuador's common gateways; the merchant's rules win. */
export const gatewayForms: Readonly<Record<string, string>> = {
  cod: cashForm,
  cash: cashForm,
  cash_on_delivery: cashForm,
  pos_cash: cashForm,
  // The shop's debt to the buyer is set off against the price (docs/assumptions.md, L2).
  gift_card: '15',
  gift_cards: '15',
  shopify_store_credit: '15',
  store_credit: '15',
  wallet: '15',
  payphone: '19',
  kushki: '19',
  placetopay: '19',
  paymentez: '19',
  nuvei: '19',
  datafast: '19',
  pagomedios: '19',
  pagoplux: '19',
  pago_plux: '19',
  diners: '19',
  medianet: '19',
  stripe: '19',
  stripe_cc: '19',
  shopify_payments: '19',
  woocommerce_payments: '19',
  square_credit_card: '19',
  authorize_net: '19',
  braintree_credit_card: '19',
  pos_card: '19',
  'ppcp-credit-card-gateway': '19',
  // Money moved by a company: PayPal balances, bank wallets.
  ppcp: '20',
  'ppcp-gateway': '20',
  paypal: '20',
  paypal_express: '20',
  deuna: '20',
  bacs: '20',
  cheque: '20',
  bank_deposit: '20',
  'bank deposit': '20',
  manual: '20',
};

/** These state when the buyer pays; they mean cash only where the title names no other way. */
export const onDeliveryIds: readonly string[] = ['cod', 'cash_on_delivery'];
export const onDelivery: readonly string[] = [
  'contra entrega',
  'contraentrega',
  'contra reembolso',
  'cash on delivery',
];
export const cashWords: readonly string[] = ['efectivo', 'cash'];

/** "Crédito" alone is in no group: it may be a card, store credit or a cooperative. */
export const gatewayWords: readonly (readonly [words: readonly string[], form: string])[] = [
  [
    [
      'gift card',
      'giftcard',
      'tarjeta de regalo',
      'store credit',
      'credito de tienda',
      'credito de la tienda',
    ],
    '15',
  ],
  [['nota de credito', 'saldo a favor', 'monedero'], '15'],
  [['prepago', 'prepagada', 'prepaid'], '18'],
  [['tarjeta de debito', 'debit card'], '16'],
  [
    [
      'tarjeta',
      'tarjetas',
      'credit card',
      'card',
      'cards',
      'payphone',
      'datafast',
      'datafono',
      'diners',
      'kushki',
    ],
    '19',
  ],
  [['transferencia', 'transferencias', 'deposito', 'bank transfer', 'deuna', 'paypal'], '20'],
  [onDelivery, cashForm],
  [['banco', 'bancario', 'bancaria', 'cooperativa', 'cheque', 'cheques'], '20'],
  [['debito', 'debit'], '16'],
  [cashWords, cashForm],
];
