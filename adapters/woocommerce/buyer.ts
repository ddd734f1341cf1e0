import {
  chosenType,
  loneNumber,
  looksLikeIdentification,
  namesIdentification,
  readIdType,
  wordsOf,
} from '../../src/domain/identification.ts';
import { type Buyer, countryCode, type Delivery, type IdCandidate } from '../../src/domain/order.ts';
import type { WooMeta, WooOrder } from './payload.ts';
import type { Connection } from './settings.ts';

const legalNames = [
  '_billing_razon_social',
  'billing_razon_social',
  '_razon_social',
  'razon_social',
  'Razon social',
];

const legalNameField = /^_wc_(billing|other)\/.+\/razon[-_]?social$/;

export function readBuyer(order: WooOrder, connection: Connection): Buyer {
  const { billing } = order;
  const filled = (...parts: string[]) => parts.map((part) => part.trim()).filter((part) => part !== '');
  return {
    name: filled(billing.first_name, billing.last_name).join(' ') || null,
    company: readCompany(order),
    email: billing.email.trim() || null,
    phone: billing.phone.trim() || null,
    phones: [...new Set(filled(billing.phone, order.shipping?.phone ?? ''))],
    address: filled(billing.address_1, billing.address_2, billing.city).join(', ') || null,
    country: countryCode(billing.country) ?? countryCode(order.shipping?.country),
    ids: readIds(order, connection.idSources),
  };
}

export function readCompany({ billing, meta_data }: IdFields): string | null {
  const legalName = meta_data.find(({ key }) => legalNames.includes(key) || legalNameField.test(key));
  // A number typed as the company is an identification.
  const company = loneNumber(billing.company) ? '' : billing.company.trim();
  return (legalName && metaText(legalName)) || company || null;
}

const pickUps = ['local_pickup', 'pickup_location'];

/** An order without anything to ship has no ship-to address. */
export function readDelivery({ shipping_lines: lines, shipping }: WooOrder): Delivery {
  const inShop = lines.length > 0 && lines.every(({ method_id }) => pickUps.includes(method_id));
  return { by: inShop ? 'in-shop' : 'shipping', country: countryCode(shipping?.country) };
}

/** What Dátil's plugin writes where the buyer wrote nothing. */
const blank = '99999999999';

type IdFields = Pick<WooOrder, 'meta_data'> & { billing: Pick<WooOrder['billing'], 'company'> };

interface NamedMeta {
  meta: WooMeta;
  name: string;
}

export function readIds(order: IdFields, sources: readonly string[]): IdCandidate[] {
  const metas = order.meta_data.map((meta) => ({ meta, name: nameOf(meta.key) }));
  const candidates = sources.flatMap((source) =>
    source === 'billing.company'
      ? companyId(order.billing.company)
      : metas.filter(matcherOf(source)).flatMap(({ meta }) => metaId(meta, order.meta_data)),
  );
  return [...new Map(candidates.map((one) => [`${one.source} ${one.value}`, one])).values()];
}

function companyId(company: string): IdCandidate[] {
  const number = loneNumber(company);
  if (number === null) return [];
  const { labelled, type } = number;
  const value = company.trim();
  return [{ value, source: 'billing.company', type, ...(!labelled && { elsewhere: true as const }) }];
}

function metaId(meta: WooMeta, metas: readonly WooMeta[]): IdCandidate[] {
  const value = idText(meta);
  if (value === null || value === blank) return [];
  const typeKeys = typeKeysOf(meta.key);
  const beside = metas.find(({ key }) => typeKeys.includes(key));
  const byField = readIdType((beside && metaText(beside)) ?? '');
  const type = chosenType(value, readIdType(wordsOf(meta.key).join(' ')), byField);
  return [{ value, source: `meta ${meta.key}`, type }];
}

/** "_billing_Cédula" and "billing_cedula" are one name. */
const nameOf = (key: string): string => wordsOf(key).join(' ') || key;

function matcherOf(source: string): (one: NamedMeta) => boolean {
  if (source.endsWith('/*')) {
    const group = source.slice(0, -1);
    return ({ meta: { key } }) =>
      key.startsWith(group) && namesIdentification(wordsOf(key.slice(key.lastIndexOf('/') + 1)));
  }
  const wanted = nameOf(source);
  if (!source.endsWith('_*')) return ({ name }) => name === wanted;
  return ({ meta, name }) =>
    name.startsWith(`${wanted} `) &&
    namesIdentification(name.split(' ')) &&
    looksLikeIdentification(idText(meta) ?? '');
}

function typeKeysOf(key: string): string[] {
  const at = key.lastIndexOf('/');
  if (at >= 0)
    return ['tipo-identificacion', 'tipo_identificacion', 'tipo-documento'].map(
      (name) => key.slice(0, at + 1) + name,
    );
  if (key === '_billing_tax_id') return ['_billing_tax_type'];
  const names = ['billing_tipo_identificacion', 'billing_tipo_documento'];
  return [...names.map((name) => `_${name}`), ...names];
}

/** Field plugins with several choices store a single value as a list of one. */
function idText(meta: WooMeta): string | null {
  const [only, ...more] = Array.isArray(meta.value) ? meta.value : [meta.value];
  return more.length > 0 ? null : metaText({ ...meta, value: only });
}

export function metaText(meta: WooMeta): string | null {
  if (typeof meta.value === 'number') return String(meta.value);
  if (typeof meta.value !== 'string') return null;
  return meta.value.trim() || null;
}
