import { decimal } from '../../src/domain/money.ts';
import type { Refund } from '../../src/domain/order.ts';
import { limitText } from '../../src/domain/text.ts';
import type { RestOrder } from './payload.ts';
import { fromRestRefund, refundedOrder } from './refund.ts';
import {
  allocated,
  exactId,
  readAccessKeys,
  type Sale,
  type SaleAddress,
  type SaleBuyer,
  type SaleCharge,
  type SaleLine,
  type SaleTransaction,
  shopMoney,
  toShipping,
  toTaxes,
  variantOf,
  writeAmount,
} from './sale.ts';

type Item = RestOrder['line_items'][number];
type MoneySet = RestOrder['total_tax_set'];

export function fromRest(order: RestOrder): Sale {
  const buyerCurrency = order.presentment_currency ?? order.currency;
  const buyerTotal = order.total_price_set?.presentment_money?.amount;
  return {
    id: exactId(order),
    name: order.name,
    test: order.test ?? false,
    currency: order.currency,
    presentment:
      buyerCurrency !== order.currency && buyerTotal != null
        ? { currency: buyerCurrency, total: buyerTotal }
        : null,
    createdAt: order.created_at ?? null,
    processedAt: order.processed_at ?? null,
    updatedAt: order.updated_at ?? null,
    cancelledAt: order.cancelled_at ?? null,
    financialStatus: order.financial_status?.toLowerCase() ?? null,
    source: order.source_name,
    taxesIncluded: order.taxes_included,
    dutiesIncluded: order.duties_included ?? false,
    total: shopMoney(order.total_price_set, order.total_price),
    totalTax: shopMoney(order.total_tax_set, order.total_tax),
    currentTotal: shopMoney(order.current_total_price_set, order.current_total_price),
    currentTotalTax: shopMoney(order.current_total_tax_set, order.current_total_tax),
    received: null,
    outstanding: order.total_outstanding ?? null,
    tip: order.total_tip_received ?? '0.00',
    cashRounding: shopMoney(order.total_cash_rounding_payment_adjustment_set, '0.00'),
    lines: order.line_items.map(toLine),
    shipping: (order.shipping_lines ?? []).map(toShipping),
    fees: toFees(order.original_total_additional_fees_set),
    gatewayNames: order.payment_gateway_names.flatMap((name) => name ?? []),
    transactions: order.transactions ? toTransactions(order.transactions, order.currency) : null,
    refunds: toRefunds(order),
    buyer: toBuyer(order),
    accessKeys: readAccessKeys(order.metafields ?? []),
    note: order.note?.trim() || null,
  };
}

function toLine(item: Item): SaleLine {
  return {
    id: exactId(item),
    name: item.name ?? item.title ?? '',
    sku: item.sku ?? null,
    quantity: item.quantity,
    currentQuantity: item.current_quantity ?? item.quantity,
    unitPrice: shopMoney(item.price_set, item.price),
    discount: writeAmount(allocated(item.discount_allocations)),
    taxes: toTaxes(item.tax_lines),
    giftCard: item.gift_card ?? false,
    tip: 'tip_payment_gateway' in item,
    taxable: item.taxable ?? null,
    requiresShipping: item.requires_shipping ?? null,
    // As by the API, which gives it to apps with read_products only.
    productId: null,
    variant: variantOf(item.variant_title),
    tags: [],
    collections: [],
    attributes: toAttributes(item.properties),
    duties: (item.duties ?? []).map((duty) => ({
      id: duty.id === null ? 'duty' : exactId({ ...duty, id: duty.id }),
      name: 'Aranceles',
      price: duty.price_set?.shop_money?.amount ?? duty.shop_money?.amount ?? '0.00',
      discount: '0.00',
      taxes: toTaxes(duty.tax_lines),
    })),
  };
}

function toRefunds(order: RestOrder): Refund[] {
  if (!order.refunds?.length) return [];
  const ofOrder = refundedOrder(order);
  return order.refunds.map((refund) => fromRestRefund(refund, ofOrder));
}

function toFees(total: MoneySet): SaleCharge[] {
  const price = total?.shop_money?.amount ?? null;
  if (price === null || decimal(price).isZero()) return [];
  return [{ id: 'additional-fees', name: 'Cargos adicionales', price, discount: '0.00', taxes: [] }];
}

function toTransactions(list: NonNullable<RestOrder['transactions']>, currency: string): SaleTransaction[] {
  return list
    .filter((one) => (one.currency ?? currency) === currency)
    .map((one) => ({
      kind: (one.kind ?? '').toLowerCase(),
      status: (one.status ?? '').toLowerCase(),
      gateway: one.gateway ?? '',
      title: null,
      amount: one.amount ?? '0.00',
      processedAt: one.processed_at ?? null,
    }));
}

function toBuyer(order: RestOrder): SaleBuyer {
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

function toAttributes(pairs: RestOrder['note_attributes']): { name: string; value: string }[] {
  return (pairs ?? []).map(({ name, value }) => ({
    name: name ?? '',
    value: limitText(
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    ),
  }));
}
