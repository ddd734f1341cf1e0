import { z } from 'zod';
import { amount, instant, instantOrNone, numberOrNone } from '../../src/domain/loose.ts';
import { freeText, longText, word } from '../../src/domain/text.ts';

export const text = freeText.nullable();
/** In the shop's currency; the queries ask for no other on repeated nodes. */
export const money = z.object({ shopMoney: z.object({ amount }) });
export const gid = word.regex(/^[^?]*\/\d+(\?.*)?$/, 'id');
export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: text });
export const pageOf = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node), pageInfo });

const pairs = z.array(z.object({ key: word, value: text }));
const taxes = z.array(z.object({ title: freeText, rate: numberOrNone, priceSet: money }));
const allocations = z.array(z.object({ allocatedAmountSet: money }));

export const collections = pageOf(z.object({ handle: word, title: freeText }));

const Line = z.object({
  id: gid,
  sku: text,
  name: freeText,
  quantity: z.int().min(0),
  currentQuantity: z.int().min(0),
  isGiftCard: z.boolean(),
  taxable: z.boolean(),
  requiresShipping: z.boolean(),
  variantTitle: text.optional(),
  /** Null for custom lines and deleted products; missing without `$products`. */
  product: z.object({ id: gid, tags: z.array(word), collections }).nullish(),
  customAttributes: pairs,
  originalUnitPriceSet: money,
  discountAllocations: allocations,
  taxLines: taxes,
  duties: z.array(z.object({ id: gid, price: money, taxLines: taxes })),
});
export type AnswerLine = z.output<typeof Line>;

const Shipping = z.object({
  id: gid.nullable(),
  title: freeText,
  isRemoved: z.boolean().default(false),
  originalPriceSet: money,
  discountedPriceSet: money,
  discountAllocations: allocations,
  taxLines: taxes,
});

const Transaction = z.object({
  kind: word,
  status: word,
  gateway: text,
  formattedGateway: text,
  processedAt: instantOrNone,
  amountSet: money,
});

const lineItems = pageOf(Line);
const shippingLines = pageOf(Shipping);
const localizedFields = pageOf(z.object({ key: word, value: longText }));
const transactions = z.array(Transaction);

const address = z
  .object({
    name: text,
    company: text,
    address1: text,
    address2: text,
    city: text,
    province: text,
    countryCodeV2: text,
    phone: text,
  })
  .nullable();

const OrderNode = z.object({
  id: gid,
  name: freeText,
  test: z.boolean(),
  createdAt: instant,
  processedAt: instant,
  updatedAt: instant,
  cancelledAt: instantOrNone,
  displayFinancialStatus: text,
  sourceName: text.optional(),
  currencyCode: word,
  presentmentCurrencyCode: word,
  taxesIncluded: z.boolean(),
  dutiesIncluded: z.boolean(),
  paymentGatewayNames: z.array(word),
  note: text.optional(),
  email: text,
  phone: text,
  customAttributes: pairs,
  localizedFields,
  billingAddress: address,
  shippingAddress: address,
  // Null also when the app may not read customers.
  customer: z
    .object({
      firstName: text,
      lastName: text,
      defaultEmailAddress: z.object({ emailAddress: text }).nullable(),
      defaultPhoneNumber: z.object({ phoneNumber: text }).nullable(),
      metafields: z.object({
        nodes: z.array(z.object({ namespace: word, key: word, value: longText })),
      }),
    })
    .nullable(),
  purchasingEntity: z
    .object({
      company: z.object({ name: text }).nullish(),
      location: z.object({ taxSettings: z.object({ taxRegistrationId: text }).nullable() }).nullish(),
    })
    .nullable(),
  totalPriceSet: z.object({ shopMoney: z.object({ amount }), presentmentMoney: z.object({ amount }) }),
  totalTaxSet: money.nullable(),
  currentTotalPriceSet: money,
  currentTotalTaxSet: money,
  totalReceivedSet: money,
  totalOutstandingSet: money,
  totalTipReceivedSet: money,
  totalCashRoundingAdjustment: z.object({ paymentSet: money, refundSet: money }).nullish(),
  additionalFees: z.array(z.object({ id: gid, name: freeText, price: money, taxLines: taxes })),
  shippingLines,
  transactions,
  refunds: z.array(z.object({ id: gid })),
  metafields: z.object({ nodes: z.array(z.object({ key: word, value: longText })) }),
  lineItems,
});
export type AnswerOrder = z.output<typeof OrderNode>;

const RefundNode = z.object({
  id: gid,
  note: text,
  createdAt: instantOrNone,
  processedAt: instantOrNone,
  order: z.object({ id: gid, updatedAt: word }),
  totalRefundedSet: money,
  duties: z.array(z.object({ amountSet: money, originalDuty: z.object({ id: gid }).nullable() })).nullable(),
  refundLineItems: pageOf(
    z.object({
      quantity: z.int().min(0),
      subtotalSet: money,
      totalTaxSet: money,
      lineItem: z.object({ id: gid, name: freeText }),
    }),
  ),
  refundShippingLines: pageOf(
    z.object({
      subtotalAmountSet: money,
      taxAmountSet: money,
      shippingLine: z.object({ id: gid.nullable(), title: freeText }),
    }),
  ),
  orderAdjustments: pageOf(z.object({ reason: text, amountSet: money, taxAmountSet: money })),
  transactions: pageOf(z.object({ kind: word, status: word, gateway: text.optional(), amountSet: money })),
});
export type AnswerRefund = z.output<typeof RefundNode>;

export const OrderAnswer = z.object({ order: OrderNode.nullable() });

const rest = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ order: z.object({ id: gid, updatedAt: word, ...shape }).nullable() });
export const RefundAnswer = z.object({ refund: RefundNode.nullable() });
export const RefundsAnswer = rest({ refunds: z.array(z.object({ id: gid })) });
export const LinesAnswer = rest({ lineItems });
export const ShippingAnswer = rest({ shippingLines });
export const LocalizedAnswer = rest({ localizedFields });
export const TransactionsAnswer = rest({ transactions });
export const CollectionsAnswer = z.object({ product: z.object({ collections }).nullable() });

export const WrittenAnswer = z.object({
  order: z
    .object({
      tags: z.array(word),
      metafields: z.object({
        nodes: z.array(z.object({ key: word, type: word, value: longText })),
      }),
    })
    .nullable(),
});

export const DefinitionsAnswer = z.object({
  metafieldDefinitions: z.object({
    nodes: z.array(
      z.object({
        key: word,
        type: z.object({ name: freeText }),
        pinnedPosition: z.int().nullable(),
        access: z.object({ customerAccount: word }),
      }),
    ),
  }),
});

export const MutationAnswer = z.record(
  word,
  z.object({
    userErrors: z.array(z.object({ field: z.unknown(), message: freeText, code: text.optional() })),
  }),
);
export type UserError = z.output<typeof MutationAnswer>[string]['userErrors'][number];
