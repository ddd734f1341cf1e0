/** SRI table 24: forms of payment in force (ficha técnica, tabla 24; 02–14 are retired). */
export const paymentForms: Readonly<Record<string, { name: string; since: string }>> = {
  '01': { name: 'Sin utilización del sistema financiero', since: '2013-01-01' },
  '15': { name: 'Compensación de deudas', since: '2013-01-01' },
  '16': { name: 'Tarjeta de débito', since: '2016-06-01' },
  '17': { name: 'Dinero electrónico', since: '2016-06-01' },
  '18': { name: 'Tarjeta prepago', since: '2016-06-01' },
  '19': { name: 'Tarjeta de crédito', since: '2016-06-01' },
  '20': { name: 'Otros con utilización del sistema financiero', since: '2016-06-01' },
  '21': { name: 'Endoso de títulos', since: '2016-06-01' },
};

/** Any gateway no rule names: money that came through a bank or a payment company. */
export const defaultPaymentForm = '20';

/** Gateway ids of the platforms and of Ecuador's common gateways → table 24. Laid under the merchant's own. */
export const gatewayForms: Readonly<Record<string, string>> = {
  // Cash, and what never touched the financial system.
  cod: '01',
  cash: '01',
  cash_on_delivery: '01',
  'cash on delivery (cod)': '01',
  'pago contra entrega': '01',
  contraentrega: '01',
  efectivo: '01',
  gift_card: '01',
  shopify_store_credit: '01',
  // Cards.
  payphone: '19',
  kushki: '19',
  placetopay: '19',
  paymentez: '19',
  nuvei: '19',
  datafast: '19',
  pagomedios: '19',
  stripe: '19',
  stripe_cc: '19',
  shopify_payments: '19',
  authorize_net: '19',
  ppcp: '20',
  'ppcp-gateway': '20',
  'ppcp-credit-card-gateway': '19',
  paypal: '20',
  // Transfers, deposits, cheques.
  bacs: '20',
  cheque: '20',
  bank_deposit: '20',
  'bank deposit': '20',
  'transferencia bancaria': '20',
  deuna: '20',
  manual: '20',
};
