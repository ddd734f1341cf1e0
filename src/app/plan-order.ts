import type { Config } from '../config/load.ts';
import { ecuadorDay, isDay } from '../domain/clock.ts';
import { CommandError } from '../domain/errors.ts';
import type { Order, Refund } from '../domain/order.ts';
import type { Platform } from '../domain/platform.ts';
import { orderOf, type Settings, type Store, storeOf } from '../domain/settings.ts';
import type { Action, PlannedDocument } from '../planner/action.ts';
import { type AsIf, plan, planAsIf } from '../planner/plan.ts';
import { openSettings } from './settings.ts';

/** What a store of a config is for planning; `plan` without a config has a fictional one. */
export type PlanningStore = Pick<
  Store,
  'platform' | 'connection' | 'issuer' | 'series' | 'policy' | 'writesBack'
>;

export interface OrderToPlan {
  /** The order as the shop's REST API or a webhook sends it. */
  order: unknown;
  /** Its refunds where the shop sends them apart (WooCommerce: `GET orders/<id>/refunds`). */
  refunds?: unknown;
  /** Id of the store; may be left out where the config has one. */
  store?: string;
  /** What was issued for the order; default: nothing. */
  documents?: readonly PlannedDocument[];
  /** In place of `documents`: the authorised factura it is assumed to have. */
  asIfAuthorized?: AsIf;
  /** Default: now. */
  now?: Date;
  /** Added to the built-in platforms and those the config names. */
  platforms?: readonly Platform[];
}

export interface PlannedOrder {
  order: Order;
  actions: Action[];
}

/**
 * What a config makes of an order: its factura and its notas de crédito, or why not. Opens no ledger and calls nobody.
 * Throws ConfigError `store-unknown`, CommandError `ambiguous`, `input-invalid` and PayloadError.
 */
export async function planOrder(config: Config, asked: OrderToPlan): Promise<PlannedOrder> {
  const { documents = [], asIfAuthorized, now = new Date(), platforms = [] } = asked;
  const store = chosenStore(await openSettings(config, platforms), asked.store);
  const order = readOrder(store, asked.order, asked.refunds);
  const input = { order, store, invoiceFrom: invoiceFromOf(store), now };
  const actions = asIfAuthorized
    ? planAsIf(input, checkedAsIf(asIfAuthorized, now))
    : plan({ ...input, documents });
  return { order, actions };
}

/** Throws CommandError for a number or date that no factura has, or a date in the future. */
export function checkedAsIf({ number, date }: AsIf, now: Date): AsIf {
  const today = ecuadorDay(now);
  const isNumber = /^\d{3}-\d{3}-\d{9}$/.test(number) && number.split('-').every((part) => Number(part) > 0);
  if (!isNumber) throw new CommandError('input-invalid', { why: 'number', number });
  if (!isDay(date)) throw new CommandError('input-invalid', { why: 'date', date, today });
  if (date > today) throw new CommandError('input-invalid', { why: 'future', date, today });
  return { number, date };
}

/** Without a ledger no first start is known: every sale counts unless the policy names a day. */
export const invoiceFromOf = ({ policy }: Pick<Store, 'policy'>): Date => policy.invoiceFrom ?? new Date(0);

/** Throws ConfigError, CommandError. */
export function chosenStore(settings: Pick<Settings, 'stores'>, id?: string): Store {
  if (id !== undefined) return storeOf(settings, id);
  const [store, ...others] = settings.stores.values();
  if (store && others.length === 0) return store;
  const found = [...settings.stores.keys()].join(', ');
  throw new CommandError('ambiguous', { what: 'Este comando', found });
}

/** Throws PayloadError. */
export function readOrder(store: PlanningStore, payload: unknown, refunds?: unknown): Order {
  const order = orderOf(store, store.platform.readOrder(payload, store.connection));
  return refunds === undefined ? order : withRefunds(order, store.platform.readRefunds(refunds, payload));
}

/** A refund that was read apart has more fields than the one of the order. */
function withRefunds(order: Order, refunds: readonly Refund[]): Order {
  const known = new Map(order.refunds.map((refund) => [refund.id, refund]));
  for (const refund of refunds) known.set(refund.id, refund);
  return { ...order, refunds: [...known.values()] };
}
