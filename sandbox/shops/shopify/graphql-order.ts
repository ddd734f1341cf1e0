import { address, attributes, customer, purchasingEntity } from './graphql-buyer.ts';
import { received, transactions } from './graphql-payments.ts';
import { toGraphqlRefund } from './graphql-refund.ts';
import { exactId, type StoredMetafield, type StoredOrder } from './store.ts';
import {
  type Bag,
  bag,
  bags,
  connection,
  type MoneyBag,
  moneyBag,
  orNull,
  type PageAsked,
  paged,
  utc,
} from './values.ts';

/*
 * A REST-shaped order as the Admin GraphQL API shows it: other names, exact ids, amounts without trailing
 * zeros ("34.5"), instants in UTC. What webhooks do not carry may be added to the REST order: `transactions`,
 * `total_received`, `localized_fields: [{key, value}]`, `purchasing_entity: {company, tax_registration_id}`,
 * `customer.metafields: [{namespace, key, value}]`, `product: {id, tags, collections: [{handle, title}]}` of a line.
 */

/** An object tree as graphql-js resolves it: functions get the field's arguments. */
export function toGraphqlOrder(stored: StoredOrder, withheld: ReadonlySet<string>): Bag {
  const { rest } = stored;
  const currency = String(rest.currency ?? 'USD');
  const shown = String(rest.presentment_currency ?? currency);
  const money = moneyBag(currency, shown);
  const total = money(rest.total_price_set, rest.total_price);
  const lines = bags(rest.line_items).map((line) => toLine(line, money));
  return {
    id: `gid://shopify/Order/${stored.id}`,
    name: rest.name,
    test: rest.test ?? false,
    createdAt: utc(rest.created_at ?? rest.processed_at),
    processedAt: utc(rest.processed_at ?? rest.created_at),
    updatedAt: utc(stored.updatedAt),
    cancelledAt: utc(rest.cancelled_at),
    displayFinancialStatus: rest.financial_status ? String(rest.financial_status).toUpperCase() : null,
    sourceName: orNull(rest.source_name),
    currencyCode: currency,
    presentmentCurrencyCode: shown,
    taxesIncluded: rest.taxes_included ?? false,
    dutiesIncluded: rest.duties_included ?? false,
    paymentGatewayNames: rest.payment_gateway_names ?? [],
    email: orNull(rest.email),
    phone: orNull(rest.phone),
    tags: [...stored.tags],
    customAttributes: attributes(rest.note_attributes),
    note: rest.note ?? null,
    localizedFields: (page: PageAsked) => paged(bags(rest.localized_fields), page),
    billingAddress: address(rest.billing_address),
    shippingAddress: address(rest.shipping_address),
    customer: () => {
      if (withheld.has('customer')) throw new Error('Access denied for customer field.');
      return customer(rest.customer);
    },
    purchasingEntity: purchasingEntity(rest.purchasing_entity),
    totalPriceSet: total,
    totalTaxSet: money(rest.total_tax_set, rest.total_tax ?? '0.00'),
    currentTotalPriceSet: money(rest.current_total_price_set, rest.current_total_price ?? rest.total_price),
    currentTotalTaxSet: money(rest.current_total_tax_set, rest.current_total_tax ?? rest.total_tax ?? '0.00'),
    totalReceivedSet: money(null, received(rest)),
    totalOutstandingSet: money(null, rest.total_outstanding ?? '0.00'),
    totalTipReceivedSet: money(null, rest.total_tip_received ?? '0.00'),
    totalCashRoundingAdjustment: {
      paymentSet: money(rest.total_cash_rounding_payment_adjustment_set, '0.00'),
      refundSet: money(rest.total_cash_rounding_refund_adjustment_set, '0.00'),
    },
    additionalFees: fees(rest.original_total_additional_fees_set, money),
    shippingLines: (page: PageAsked & { includeRemovals?: boolean }) =>
      paged(
        bags(rest.shipping_lines)
          .filter((line) => page.includeRemovals === true || line.is_removed !== true)
          .map((line) => toShipping(line, money)),
        page,
      ),
    transactions: ({ first }: { first?: number }) => transactions(rest, money).slice(0, first),
    refunds: ({ first }: { first?: number }) =>
      bags(rest.refunds)
        .slice(0, first)
        .map((refund) => toGraphqlRefund(stored, refund, withheld)),
    metafields: ({ namespace }: { namespace?: string }) =>
      connection(ofNamespace(stored.metafields, namespace)),
    lineItems: (page: PageAsked) => paged(lines, page),
  };
}

/** `$app:` names resolve to the app's own id, here always 1. */
export function resolveNamespace(namespace: string): string {
  return namespace.replace(/^\$app(:|$)/, 'app--1--');
}

function ofNamespace(fields: StoredMetafield[], namespace: string | undefined): StoredMetafield[] {
  return fields.filter((field) => namespace === undefined || field.namespace === resolveNamespace(namespace));
}

function taxes(lines: unknown, money: MoneyBag): Bag[] {
  return bags(lines).map(({ title, rate, price, price_set }) => ({
    title,
    rate: orNull(rate),
    priceSet: money(price_set, price),
  }));
}

function allocations(list: unknown, money: MoneyBag): Bag[] {
  return bags(list).map(({ amount, amount_set }) => ({ allocatedAmountSet: money(amount_set, amount) }));
}

function toLine(line: Bag, money: MoneyBag): Bag {
  return {
    id: `gid://shopify/LineItem/${exactId(line)}`,
    sku: orNull(line.sku),
    name: line.name ?? line.title,
    quantity: line.quantity,
    currentQuantity: line.current_quantity ?? line.quantity,
    isGiftCard: line.gift_card ?? false,
    taxable: line.taxable ?? true,
    requiresShipping: line.requires_shipping ?? false,
    variantTitle: line.variant_title || null,
    product: product(line.product),
    customAttributes: attributes(line.properties),
    originalUnitPriceSet: money(line.price_set, line.price),
    discountAllocations: allocations(line.discount_allocations, money),
    taxLines: taxes(line.tax_lines, money),
    duties: bags(line.duties).map((duty) => ({
      id: `gid://shopify/Duty/${exactId(duty)}`,
      price: money(duty.price_set ?? { shop_money: duty.shop_money }, '0.00'),
      taxLines: taxes(duty.tax_lines, money),
    })),
  };
}

export function product(reported: unknown): Bag | null {
  if (!reported) return null;
  const { id, tags, collections } = bag(reported);
  return {
    id: `gid://shopify/Product/${id ?? 1}`,
    tags: tags ?? [],
    collections: (page: PageAsked) => paged(bags(collections), page),
  };
}

function toShipping(line: Bag, money: MoneyBag): Bag {
  return {
    id: `gid://shopify/ShippingLine/${exactId(line)}`,
    title: line.title,
    isRemoved: line.is_removed === true,
    originalPriceSet: money(line.price_set, line.price),
    discountedPriceSet: money(line.discounted_price_set, line.discounted_price ?? line.price),
    discountAllocations: allocations(line.discount_allocations, money),
    taxLines: taxes(line.tax_lines, money),
  };
}

function fees(total: unknown, money: MoneyBag): Bag[] {
  if (Number(bag(bag(total).shop_money).amount ?? 0) === 0) return [];
  return [
    { id: 'gid://shopify/AdditionalFee/1', name: 'Cargos adicionales', price: money(total, 0), taxLines: [] },
  ];
}
