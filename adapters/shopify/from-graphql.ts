import { decimal, sum } from '../../src/domain/money.ts';
import { readAccessKeys } from './access-keys.ts';
import { writeAmount } from './amounts.ts';
import type { AnswerLine, AnswerOrder } from './answer.ts';
import { numericId } from './ids.ts';
import type { AnswerRefund } from './refunds/answer.ts';
import { fromGraphqlRefund } from './refunds/graphql.ts';
import {
  type Sale,
  type SaleAddress,
  type SaleBuyer,
  type SaleCharge,
  type SaleLine,
  type SaleTax,
  variantOf,
} from './shape.ts';

type Money = AnswerOrder['currentTotalPriceSet'];

/** A GraphQL order, with all of its lines and refunds, in the common shape. */
export function fromGraphql(
  order: AnswerOrder,
  lines: readonly AnswerLine[],
  refunds: readonly AnswerRefund[],
): Sale {
  const { currencyCode: currency, presentmentCurrencyCode: shown } = order;
  const shownTotal = order.totalPriceSet.presentmentMoney.amount;
  return {
    id: numericId(order.id),
    name: order.name,
    test: order.test,
    currency,
    presentment: shown === currency ? null : { currency: shown, total: shownTotal },
    createdAt: order.createdAt,
    processedAt: order.processedAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    financialStatus: order.displayFinancialStatus?.toLowerCase() ?? null,
    source: order.sourceName ?? null,
    taxesIncluded: order.taxesIncluded,
    dutiesIncluded: order.dutiesIncluded,
    total: order.totalPriceSet.shopMoney.amount,
    totalTax: order.totalTaxSet?.shopMoney.amount ?? null,
    currentTotal: shopMoney(order.currentTotalPriceSet),
    currentTotalTax: shopMoney(order.currentTotalTaxSet),
    received: shopMoney(order.totalReceivedSet),
    outstanding: shopMoney(order.totalOutstandingSet),
    tip: shopMoney(order.totalTipReceivedSet),
    cashRounding: order.totalCashRoundingAdjustment?.paymentSet.shopMoney.amount ?? '0.00',
    lines: lines.map(toLine),
    shipping: order.shippingLines.nodes.map(toShipping),
    fees: order.additionalFees.map((fee) => toCharge(fee, fee.name)),
    gatewayNames: order.paymentGatewayNames,
    transactions: order.transactions.map((one) => ({
      kind: one.kind.toLowerCase(),
      status: one.status.toLowerCase(),
      gateway: one.gateway ?? '',
      title: one.formattedGateway,
      amount: shopMoney(one.amountSet),
      processedAt: one.processedAt,
    })),
    refunds: refunds.map((refund) => fromGraphqlRefund(refund, order)),
    buyer: toBuyer(order),
    accessKeys: readAccessKeys(order.metafields.nodes),
    note: order.note?.trim() || null,
    terms: null,
  };
}

const shopMoney = (set: Money) => set.shopMoney.amount;

function toTaxes(taxes: AnswerLine['taxLines']): SaleTax[] {
  return taxes.map(({ title, rate, priceSet }) => ({ title, rate, amount: shopMoney(priceSet) }));
}

function allocated(list: AnswerLine['discountAllocations']): string {
  return writeAmount(sum(list.map((one) => shopMoney(one.allocatedAmountSet))));
}

function toLine(line: AnswerLine): SaleLine {
  return {
    id: numericId(line.id),
    name: line.name,
    sku: line.sku,
    quantity: line.quantity,
    currentQuantity: line.currentQuantity,
    unitPrice: shopMoney(line.originalUnitPriceSet),
    discount: allocated(line.discountAllocations),
    taxes: toTaxes(line.taxLines),
    giftCard: line.isGiftCard,
    // Not marked in GraphQL; items.ts finds it by the order's tip.
    tip: false,
    taxable: line.taxable,
    requiresShipping: line.requiresShipping,
    productId: null,
    variant: variantOf(line.variantTitle),
    tags: line.product?.tags ?? [],
    // A rule may name a collection by its handle or as people see it.
    collections: (line.product?.collections.nodes ?? []).flatMap(({ handle, title }) => [handle, title]),
    attributes: toPairs(line.customAttributes),
    duties: line.duties.map((duty) => toCharge(duty, 'Aranceles')),
  };
}

type Priced = { id: string; price: Money; taxLines: AnswerLine['taxLines'] };

function toCharge({ id, price, taxLines }: Priced, name: string): SaleCharge {
  return { id: numericId(id), name, price: shopMoney(price), discount: '0.00', taxes: toTaxes(taxLines) };
}

/** `discountedPriceSet` contains cart-level discounts since 2024-07. */
function toShipping(line: AnswerOrder['shippingLines']['nodes'][number]): SaleCharge {
  const price = decimal(shopMoney(line.originalPriceSet));
  return {
    id: line.id === null ? 'shipping' : numericId(line.id),
    name: line.title,
    price: writeAmount(price),
    discount: writeAmount(price.minus(shopMoney(line.discountedPriceSet))),
    taxes: toTaxes(line.taxLines),
  };
}

function toPairs(pairs: AnswerOrder['customAttributes']): { name: string; value: string }[] {
  return pairs.map(({ key, value }) => ({ name: key, value: value ?? '' }));
}

function toBuyer(order: AnswerOrder): SaleBuyer {
  const { customer, purchasingEntity } = order;
  return {
    email: order.email || customer?.defaultEmailAddress?.emailAddress || null,
    phone: order.phone || customer?.defaultPhoneNumber?.phoneNumber || null,
    otherPhones: [customer?.defaultPhoneNumber?.phoneNumber].filter((phone) => phone != null),
    customerName: [customer?.firstName, customer?.lastName].filter(Boolean).join(' ').trim() || null,
    billing: toAddress(order.billingAddress),
    shipping: toAddress(order.shippingAddress),
    noteAttributes: toPairs(order.customAttributes),
    localizedFields: order.localizedFields.nodes,
    // The schema says that keys asked for as "namespace.key" come back so; take both spellings.
    customerMetafields: (customer?.metafields.nodes ?? []).map(({ namespace, key, value }) => ({
      key: key.includes('.') ? key : `${namespace}.${key}`,
      value,
    })),
    b2bTaxRegistration: purchasingEntity?.location?.taxSettings?.taxRegistrationId ?? null,
    b2bCompany: purchasingEntity?.company?.name ?? null,
  };
}

function toAddress(address: AnswerOrder['billingAddress']): SaleAddress | null {
  if (!address) return null;
  const { countryCodeV2: countryCode, ...rest } = address;
  return { ...rest, countryCode };
}
