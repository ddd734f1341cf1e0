import { countryCode } from '../../src/domain/country.ts';
import type { Buyer, Delivery } from '../../src/domain/order.ts';
import { loneNumber } from '../../src/domain/stated-identification.ts';
import { metaText, readIds } from './identification.ts';
import type { WooOrder } from './payload.ts';
import type { Connection } from './settings.ts';

/** Where plugins keep the legal name a buyer gives for the factura. */
const legalNames = [
  '_billing_razon_social',
  'billing_razon_social',
  '_razon_social',
  'razon_social',
  'Razon social',
];

/**
 * Billing texts come raw, unlike names and block checkout values: "Hijos & Co" stays as it is (measured on
 * WooCommerce 11.0.1).
 */
export function readBuyer(order: WooOrder, connection: Connection): Buyer {
  const { billing } = order;
  const line = (...parts: string[]) => parts.map((part) => part.trim()).filter((part) => part !== '');
  const legalName = order.meta_data.find(({ key }) => legalNames.includes(key) || isLegalNameField(key));
  // A number typed there is an identification, not a company.
  const company = loneNumber(billing.company) ? '' : billing.company.trim();
  return {
    name: line(billing.first_name, billing.last_name).join(' ') || null,
    company: (legalName && metaText(legalName)) || company || null,
    email: billing.email.trim() || null,
    phone: billing.phone.trim() || null,
    phones: [...new Set(line(billing.phone, order.shipping?.phone ?? ''))],
    address: line(billing.address_1, billing.address_2, billing.city).join(', ') || null,
    country: countryCode(billing.country) ?? countryCode(order.shipping?.country),
    ids: readIds(order, connection.idSources),
  };
}

/** WooCommerce's own methods of picking up: of shipping zones, and of the block checkout. */
const pickUps = ['local_pickup', 'pickup_location'];

/** Of an order without anything to ship there is no ship-to address. */
export function readDelivery({ shipping_lines: lines, shipping }: WooOrder): Delivery {
  const inShop = lines.length > 0 && lines.every(({ method_id }) => pickUps.includes(method_id));
  return { by: inShop ? 'in-shop' : 'shipping', country: countryCode(shipping?.country) };
}

/** A block checkout field such as `_wc_other/tienda/razon-social`. */
function isLegalNameField(key: string): boolean {
  return /^_wc_(billing|other)\/.+\/razon[-_]?social$/.test(key);
}
