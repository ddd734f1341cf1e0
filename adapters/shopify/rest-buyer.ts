import { limitText } from '../../src/domain/text.ts';
import type { RestOrder } from './payload.ts';
import type { SaleAddress, SaleBuyer } from './shape.ts';

/** Whom a REST-shaped order names, unjudged. */
export function toBuyer(order: RestOrder): SaleBuyer {
  const customer = order.customer ?? null;
  return {
    email: order.email || order.contact_email || customer?.email || null,
    phone: order.phone || customer?.phone || null,
    otherPhones: [customer?.phone].filter((phone) => phone != null),
    customerName: fullName(customer),
    billing: toAddress(order.billing_address),
    shipping: toAddress(order.shipping_address),
    noteAttributes: toAttributes(order.note_attributes),
    localizedFields: [],
    customerMetafields: [],
    b2bTaxRegistration: null,
    b2bCompany: null,
  };
}

type Named = { first_name?: string | null | undefined; last_name?: string | null | undefined } | null;

function fullName(person: Named): string | null {
  return [person?.first_name, person?.last_name].filter(Boolean).join(' ').trim() || null;
}

function toAddress(address: RestOrder['billing_address']): SaleAddress | null {
  if (!address) return null;
  return {
    name: address.name || fullName(address),
    company: address.company ?? null,
    address1: address.address1 ?? null,
    address2: address.address2 ?? null,
    city: address.city ?? null,
    province: address.province ?? null,
    countryCode: address.country_code || address.country || null,
    phone: address.phone ?? null,
  };
}

export function toAttributes(pairs: RestOrder['note_attributes']): { name: string; value: string }[] {
  return (pairs ?? []).map(({ name, value }) => ({
    name: name ?? '',
    value: limitText(
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    ),
  }));
}
