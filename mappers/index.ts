export { type FacturaBody, facturaBody } from './body.ts';
export type { MappingContext, Recipient } from './context.ts';
export { type Mapped, toFactura } from './factura.ts';
export type { Dated } from './tables/dated.ts';
export { type DecreedDays, decreedDays } from './tables/decreed-days.ts';
export { type IdentificationCode, identificationTable } from './tables/identification.ts';
export { ivaRates, ivaTable } from './tables/iva.ts';
export { gatewayForms, paymentForms } from './tables/payment-forms.ts';
