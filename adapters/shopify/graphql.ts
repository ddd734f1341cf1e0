import { decimal, sum } from '../../src/domain/money.ts';
import { chargeSource, lineSource, type Refund } from '../../src/domain/order.ts';
import type { AnswerLine, AnswerOrder, AnswerRefund } from './answer.ts';
import {
  type Figure,
  isBalance,
  negated,
  nothing,
  plus,
  type RefundFigures,
  type RefundMoney,
  toRefund,
} from './refund-figures.ts';
import {
  collectionNames,
  numericId,
  onlyOf,
  readAccessKeys,
  type Sale,
  type SaleAddress,
  type SaleBuyer,
  type SaleCharge,
  type SaleLine,
  type SaleTax,
  variantOf,
  writeAmount,
} from './sale.ts';

type Money = AnswerOrder['currentTotalPriceSet'];

export function fromGraphql(
  order: AnswerOrder,
  lines: readonly AnswerLine[],
  refunds: readonly AnswerRefund[],
): Sale {
  const { currencyCode: currency, presentmentCurrencyCode: buyerCurrency } = order;
  const buyerTotal = order.totalPriceSet.presentmentMoney.amount;
  return {
    id: numericId(order.id),
    name: order.name,
    test: order.test,
    currency,
    presentment: buyerCurrency === currency ? null : { currency: buyerCurrency, total: buyerTotal },
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
    tip: false,
    taxable: line.taxable,
    requiresShipping: line.requiresShipping,
    productId: null,
    variant: variantOf(line.variantTitle),
    tags: line.product?.tags ?? [],
    collections: collectionNames(line.product?.collections.nodes ?? []),
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
    ...(line.isRemoved ? { removed: true as const } : {}),
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
    // By the schema, keys requested as "namespace.key" come back so; both spellings are read.
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

function fromGraphqlRefund(refund: AnswerRefund, order: AnswerOrder): Refund {
  const only = onlyOf(order.shippingLines.nodes.map(toShipping));
  return toRefund({
    id: numericId(refund.id),
    at: refund.processedAt ?? refund.createdAt,
    note: refund.note,
    taxesIncluded: order.taxesIncluded,
    lines: refund.refundLineItems.nodes.map(({ quantity, subtotalSet, totalTaxSet, lineItem }) => ({
      of: lineSource(numericId(lineItem.id)),
      name: lineItem.name,
      quantity,
      subtotal: figure(subtotalSet),
      tax: figure(totalTaxSet),
    })),
    shipping: refund.refundShippingLines.nodes.map(({ shippingLine, ...one }) => ({
      of: shippingSource(shippingLine.id),
      name: shippingLine.title,
      subtotal: figure(one.subtotalAmountSet),
      tax: figure(one.taxAmountSet),
      soldTax: null,
    })),
    onlyShipping: only && { of: chargeSource('shipping', only.id), name: only.name },
    extras: (refund.duties ?? [])
      .map(({ amountSet, originalDuty }) => ({
        of: originalDuty && chargeSource('duty', numericId(originalDuty.id)),
        name: 'Aranceles',
        amount: figure(amountSet),
      }))
      .filter(({ amount }) => !amount.shop.isZero()),
    ...adjustmentsOf(refund.orderAdjustments.nodes),
    money: moneyOf(refund.transactions.nodes),
    cashRounding: decimal(order.totalCashRoundingAdjustment?.refundSet.shopMoney.amount ?? '0'),
    stated: refund.totalRefundedSet.shopMoney.amount,
  });
}

function figure({ shopMoney }: Money): Figure {
  const value = decimal(shopMoney.amount);
  return { shop: value, paid: value };
}

function shippingSource(id: string | null): string {
  return chargeSource('shipping', id === null ? 'shipping' : numericId(id));
}

/** Without a reason (OrderAdjustmentDiscrepancyReason) it is a shipping refund of before 2024-10. */
function adjustmentsOf(
  nodes: AnswerRefund['orderAdjustments']['nodes'],
): Pick<RefundFigures, 'discrepancy' | 'shippingAdjusted'> {
  const shipping = nodes.filter(({ reason }) => reason === null);
  const others = nodes.filter(({ reason }) => reason !== null);
  const total = (figures: Figure[]) => (figures.length === 0 ? nothing : negated(plus(...figures)));
  return {
    discrepancy: total(others.flatMap((one) => [figure(one.amountSet), figure(one.taxAmountSet)])),
    shippingAdjusted:
      shipping.length === 0
        ? null
        : {
            amount: total(shipping.map((one) => figure(one.amountSet))),
            tax: total(shipping.map((one) => figure(one.taxAmountSet))),
          },
  };
}

function moneyOf(transactions: AnswerRefund['transactions']['nodes']): RefundMoney {
  const refunds = transactions.filter(({ kind }) => kind === 'REFUND');
  const of = (...statuses: string[]) => refunds.filter(({ status }) => statuses.includes(status));
  const done = of('SUCCESS');
  const waiting = of('PENDING', 'AWAITING_RESPONSE');
  const total = (list: typeof refunds) => sum(list.map(({ amountSet }) => amountSet.shopMoney.amount));
  const failed = refunds.length > done.length + waiting.length;
  const toBalances = done
    .filter(({ gateway }) => isBalance(gateway))
    .map(({ gateway, amountSet }) => ({
      gateway: gateway ?? '',
      amount: decimal(amountSet.shopMoney.amount),
    }));
  return { done: total(done), waiting: total(waiting), failed, toBalances, inBuyerCurrency: false };
}
