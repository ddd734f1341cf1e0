import type { z } from 'zod';
import { toFactura } from '../../mappers/index.ts';
import type { moneyPart } from '../../src/config/schema-money.ts';
import type { Day } from '../../src/domain/clock.ts';
import type { Charge, Order } from '../../src/domain/order.ts';
import { line } from '../support/orders.ts';
import { contextOf } from './policy.ts';

export type Written = z.input<typeof moneyPart>;

/** The body and its trace; throws the reason of a hold. */
export function bodyOf(order: Order, policy: Written = {}, today?: Day) {
  const mapped = toFactura(order, contextOf(policy, today));
  if (!mapped.ok) throw new Error(`held: ${mapped.code} ${mapped.reason}`);
  return { ...mapped.body, trace: mapped.trace };
}

/** The reason, with its code before it. */
export function heldOf(order: Order, policy: Written = {}, today?: Day): string {
  const mapped = toFactura(order, contextOf(policy, today));
  return mapped.ok ? 'emitted' : `${mapped.code}: ${mapped.reason}`;
}

export function charge(
  kind: Charge['kind'],
  fields: Parameters<typeof line>[0] & { name?: string } = {},
): Charge {
  const { subtotal, net, tax, taxes, taxClass, taxable } = line(fields);
  const { name = kind } = fields;
  return { id: 'c', kind, name, subtotal, net, tax, taxes, taxClass, taxable };
}
