import { z } from 'zod';
import { numberOrNone } from '../../src/domain/loose.ts';
import { freeText, longText, word } from '../../src/domain/text.ts';
import { amount, gid, instant, instantOrNone, money, pageOf, text } from './answer-values.ts';

/* The answers to graphql.ts, read once. Unknown fields are dropped. */

const pairs = z.array(z.object({ key: word, value: text }));
const taxes = z.array(z.object({ title: freeText, rate: numberOrNone, priceSet: money }));
const allocations = z.array(z.object({ allocatedAmountSet: money }));

const collections = pageOf(z.object({ handle: word, title: freeText }));

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
  /** Null for custom lines and deleted products; absent where nobody asked. */
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
  /** Their details come by queries of their own. */
  refunds: z.array(z.object({ id: gid })),
  metafields: z.object({ nodes: z.array(z.object({ key: word, value: longText })) }),
  lineItems,
});
export type AnswerOrder = z.output<typeof OrderNode>;

export const OrderAnswer = z.object({ order: OrderNode.nullable() });

const rest = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ order: z.object({ id: gid, updatedAt: word, ...shape }).nullable() });
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

/** Every mutation's answer: its only field is the mutation's own, whose `userErrors` never throw. */
export const MutationAnswer = z.record(
  word,
  z.object({
    userErrors: z.array(z.object({ field: z.unknown(), message: freeText, code: text.optional() })),
  }),
);
export type UserError = z.output<typeof MutationAnswer>[string]['userErrors'][number];
