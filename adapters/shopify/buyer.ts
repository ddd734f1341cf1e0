import {
  chosenType,
  loneNumber,
  looksLikeIdentification,
  looksLikeMobile,
  namesIdentification,
  readIdType,
  wordsOf,
} from '../../src/domain/identification.ts';
import { type Buyer, countryCode, type IdCandidate } from '../../src/domain/order.ts';
import { limitText } from '../../src/domain/text.ts';
import type { RestOrder } from './payload.ts';
import type { AnswerOrder } from './queries.ts';
import { anyName, type IdSource } from './settings.ts';

interface SaleAddress {
  name: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  countryCode: string | null;
  phone: string | null;
}

export interface SaleBuyer {
  email: string | null;
  phone: string | null;
  otherPhones: string[];
  customerName: string | null;
  billing: SaleAddress | null;
  shipping: SaleAddress | null;
  noteAttributes: { name: string; value: string }[];
  localizedFields: { key: string; value: string }[];
  /** Keys are `namespace.key`. */
  customerMetafields: { key: string; value: string }[];
  b2bTaxRegistration: string | null;
  b2bCompany: string | null;
}

const legalNames = ['razonsocial', 'nombrefiscal', 'nombreorazonsocial', 'nombreempresa', 'empresa'];
const typeNames = [
  'tipoidentificacion',
  'tipodeidentificacion',
  'tipodocumento',
  'tipodedocumento',
  'tipoid',
];

export function readBuyer(buyer: SaleBuyer, sources: readonly IdSource[]): Buyer {
  const address = buyer.billing ?? buyer.shipping;
  const legalName = attribute(buyer, legalNames)?.value;
  const company = clean(buyer.billing?.company);
  return {
    name: clean(buyer.billing?.name) ?? clean(buyer.customerName) ?? clean(buyer.shipping?.name),
    company: clean(legalName) ?? clean(buyer.b2bCompany) ?? (company && loneNumber(company) ? null : company),
    email: clean(buyer.email),
    phone: clean(buyer.phone) ?? clean(address?.phone),
    phones: phonesOf(buyer),
    address: writeAddress(address),
    country: countryCode(buyer.billing?.countryCode) ?? countryCode(buyer.shipping?.countryCode),
    ids: sources.flatMap((source) => candidates(buyer, source)),
  };
}

function candidates(buyer: SaleBuyer, source: IdSource): IdCandidate[] {
  switch (source.kind) {
    case 'note-attribute': {
      if (buyer.noteAttributes.length === 0) return [];
      const names = new Set(source.names.filter((name) => name !== anyName).map(plain));
      const stated = readIdType(attribute(buyer, typeNames)?.value ?? '');
      const { listed = [], other = [] } = Object.groupBy(buyer.noteAttributes, ({ name }) =>
        names.has(plain(name)) ? 'listed' : 'other',
      );
      const worded = source.names.includes(anyName) ? other.filter(holdsIdentification) : [];
      return [...listed, ...worded].flatMap(({ name, value }) =>
        candidate(value, `note attribute ${name.trim()}`, chosenType(value, readIdType(name), stated)),
      );
    }
    case 'localized-field':
      return buyer.localizedFields
        .filter(({ key }) => key === source.key)
        .flatMap(({ key, value }) => candidate(value, `localized field ${key}`));
    case 'customer-metafield': {
      const key = `${source.namespace}.${source.key}`;
      return buyer.customerMetafields
        .filter((field) => field.key === key)
        .flatMap((field) => candidate(field.value, `customer metafield ${key}`, readIdType(source.key)));
    }
    case 'b2b-tax-registration':
      return candidate(buyer.b2bTaxRegistration, 'B2B tax registration');
    case 'address-company':
      return fromAddresses(buyer, 'company');
    case 'address2':
      return fromAddresses(buyer, 'address2');
  }
}

const otherPerson =
  /^(recib\w*|retir\w*|destinatari\w*|beneficiari\w*|transport\w*|mensajer\w*|repartidor\w*|conductor\w*|chofer|vendedor\w*|asesor\w*|referid\w*|representante|proveedor\w*|menor|mascota)$/;

function holdsIdentification({ name, value }: { name: string; value: string }): boolean {
  const words = wordsOf(name);
  return (
    namesIdentification(words) &&
    !words.some((word) => otherPerson.test(word)) &&
    looksLikeIdentification(value)
  );
}

function candidate(value: string | null, source: string, type: IdCandidate['type'] = null): IdCandidate[] {
  const text = clean(value);
  return text === null ? [] : [{ value: text, source, type }];
}

/** Billing before shipping, each value once; a phone number typed there is no cédula. */
function fromAddresses(buyer: SaleBuyer, field: 'company' | 'address2'): IdCandidate[] {
  const found = new Map<string, IdCandidate>();
  const phones = phonesOf(buyer).map((phone) => phone.replace(/\D/g, '').slice(-9));
  for (const [side, address] of [
    ['billing', buyer.billing],
    ['shipping', buyer.shipping],
  ] as const) {
    const number = loneNumber(clean(address?.[field]) ?? '');
    if (number === null || found.has(number.value)) continue;
    const { value, labelled, type } = number;
    if (!labelled && phones.includes(value.slice(-9))) continue;
    // A second phone number is typed into the second line of an address, not into the company.
    if (!labelled && field === 'address2' && looksLikeMobile(value)) continue;
    const source = `${side} address ${field}`;
    found.set(value, { value, source, type, ...(!labelled && { elsewhere: true as const }) });
  }
  return [...found.values()];
}

function phonesOf(buyer: SaleBuyer): string[] {
  const all = [buyer.phone, buyer.billing?.phone, buyer.shipping?.phone, ...buyer.otherPhones].map(clean);
  return [...new Set(all.filter((phone) => phone !== null))];
}

function attribute(buyer: SaleBuyer, names: string[]): { name: string; value: string } | undefined {
  return buyer.noteAttributes.find(({ name, value }) => names.includes(plain(name)) && value.trim() !== '');
}

/** "Cédula / RUC" and "cedula_ruc" are one name. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function writeAddress(address: SaleAddress | null): string | null {
  if (!address) return null;
  const parts = [address.address1, address.address2, address.city, address.province].map(clean);
  return [...new Set(parts.filter((part) => part !== null))].join(', ') || null;
}

function clean(text: string | null | undefined): string | null {
  return text?.trim().replace(/\s+/g, ' ') || null;
}

export function buyerFromRest(order: RestOrder): SaleBuyer {
  const customer = order.customer ?? null;
  return {
    email: order.email || order.contact_email || customer?.email || null,
    phone: order.phone || customer?.phone || null,
    otherPhones: [customer?.phone].filter((phone) => phone != null),
    customerName: fullName(customer),
    billing: addressFromRest(order.billing_address),
    shipping: addressFromRest(order.shipping_address),
    noteAttributes: pairsFromRest(order.note_attributes),
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

function addressFromRest(address: RestOrder['billing_address']): SaleAddress | null {
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

export function pairsFromRest(pairs: RestOrder['note_attributes']): { name: string; value: string }[] {
  return (pairs ?? []).map(({ name, value }) => ({
    name: name ?? '',
    value: limitText(
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    ),
  }));
}

export function pairsFromGraphql(pairs: AnswerOrder['customAttributes']): { name: string; value: string }[] {
  return pairs.map(({ key, value }) => ({ name: key, value: value ?? '' }));
}

export function buyerFromGraphql(order: AnswerOrder): SaleBuyer {
  const { customer, purchasingEntity } = order;
  return {
    email: order.email || customer?.defaultEmailAddress?.emailAddress || null,
    phone: order.phone || customer?.defaultPhoneNumber?.phoneNumber || null,
    otherPhones: [customer?.defaultPhoneNumber?.phoneNumber].filter((phone) => phone != null),
    customerName: [customer?.firstName, customer?.lastName].filter(Boolean).join(' ').trim() || null,
    billing: addressFromGraphql(order.billingAddress),
    shipping: addressFromGraphql(order.shippingAddress),
    noteAttributes: pairsFromGraphql(order.customAttributes),
    localizedFields: order.localizedFields.nodes,
    // By the schema, keys requested as "namespace.key" come back so; both spellings are read.
    customerMetafields: (customer?.metafields.nodes ?? []).map(({ namespace, key, value }) => ({
      key: key.includes('.') ? key : `${namespace}.${key}`,
      value,
    })),
    b2bTaxRegistration: purchasingEntity?.location?.taxSettings?.taxRegistrationId ?? null,
    b2bCompany: purchasingEntity?.company?.name ?? null,
  };
}

function addressFromGraphql(address: AnswerOrder['billingAddress']): SaleAddress | null {
  if (!address) return null;
  const { countryCodeV2: countryCode, ...rest } = address;
  return { ...rest, countryCode };
}
