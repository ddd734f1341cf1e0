/**
 * What an order or a refund is on a document of the service, published as `facturapuente/mappers`:
 *
 *     const factura = toFactura(order, context);
 *     if (factura.ok) console.log(factura.body, factura.trace);
 *     else console.log(factura.code, factura.reason);
 *
 * Pure; both answer a body that adds up to the cent, or why there is none.
 */

export {
  type CompradorBody,
  type CreditItemBody,
  type FacturaBody,
  facturaBody,
  type NotaCreditoBody,
  notaCreditoBody,
  type TotalBody,
} from './body.ts';
export type {
  CreditCalculation,
  ItemCalculation,
  MappingCalculation,
  PaymentCalculation,
  TaxCalculation,
} from './calculation.ts';
export { type Balance, balanceOf, type GroupLeft, type Issued, type ItemLeft } from './credit/balance.ts';
export type { ClaimBasis } from './credit/claims.ts';
export { type MappedFactura, toFactura } from './factura.ts';
export type { DocumentContext, FacturaContext, Recipient, Unmapped } from './hold.ts';
export {
  type IssuedFactura,
  type MappedNotaCredito,
  type RefundToCredit,
  toNotaCredito,
} from './nota-credito.ts';
export { type DecreedDays, decreedDays } from './tables/holidays.ts';
export { type Dated, type IdentificationCode, identificationTable } from './tables/limits.ts';
export { gatewayForms, paymentForms } from './tables/payment-forms.ts';
export { ivaRates, ivaTable } from './tables/taxes.ts';
export type { Way } from './tax-computation.ts';
export type { Destination } from './tax-rules.ts';
