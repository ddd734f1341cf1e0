import { z } from 'zod';
import { freeText, word } from '../../../src/domain/text.ts';
import { gid, instantOrNone, pageOf as list, money, text } from '../answer-values.ts';

/* The answers to query.ts, read once. */

const RefundNode = z.object({
  id: gid,
  note: text,
  createdAt: instantOrNone,
  processedAt: instantOrNone,
  order: z.object({ id: gid, updatedAt: word }),
  totalRefundedSet: money,
  duties: z.array(z.object({ amountSet: money, originalDuty: z.object({ id: gid }).nullable() })).nullable(),
  refundLineItems: list(
    z.object({
      quantity: z.int().min(0),
      subtotalSet: money,
      totalTaxSet: money,
      lineItem: z.object({ id: gid, name: freeText }),
    }),
  ),
  refundShippingLines: list(
    z.object({
      subtotalAmountSet: money,
      taxAmountSet: money,
      shippingLine: z.object({ id: gid.nullable(), title: freeText }),
    }),
  ),
  orderAdjustments: list(z.object({ reason: text, amountSet: money, taxAmountSet: money })),
  transactions: list(z.object({ kind: word, status: word, gateway: text.optional(), amountSet: money })),
});
export type AnswerRefund = z.output<typeof RefundNode>;

export const RefundAnswer = z.object({ refund: RefundNode.nullable() });
export const RefundsAnswer = z.object({
  order: z.object({ id: gid, updatedAt: word, refunds: z.array(z.object({ id: gid })) }).nullable(),
});
