import type { DeliveryAnswer } from '../sandbox/shops/delivery.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Spoiling, Twist } from './proxy.ts';
import type { GivenBack, Sale } from './sales.ts';

/** Configuration of a store of the run; each platform uses its part. */
export interface Credentials {
  /** Signs webhooks. */
  secret: string;
  consumerKey: string;
  consumerSecret: string;
  accessToken: string;
  /** The myshopify domain. */
  domain: string;
}

/** Fault of the shop's next API call: it is refused, or done with its answer lost. */
export type TroubleKind = 'busy' | 'lost' | 'slowDown';

/**
 * An invalid number; a plugin's warning before the JSON; not there, though the shop lists and signs it; as it was before it was
 * paid, from a cache.
 */
export type Spoilt = 'figure' | 'warning' | 'missing' | 'stale';

/** A shop emulator, the same for both platforms; amounts are decimal strings of USD. */
export interface TroubledShop {
  platform: 'woocommerce' | 'shopify';
  /** The current address of its API, at a proxy. */
  url(): string;
  /** Sells; the number is unique in the run, the id is the shop's and may be reused. */
  sell(number: number, sale: Sale): Placed;
  /** Places an unpaid order; answers its id. */
  leaveUnpaid(number: number, sale: Sale): string;
  refund(orderId: string, back: GivenBack): { id: string; amount: string };
  deliver(target: string, delivery: { id: string; topic: string; times: number }): Promise<DeliveryAnswer[]>;
  trouble(kind: TroubleKind): void;
  /** While it hangs, API calls are accepted and never answered. */
  hang(now: boolean): void;
  /** Makes an order unreadable; null: readable again. */
  spoil(orderId: string, how: Spoilt | null): void;
  /** A paid order stops being paid: a transfer or a card payment is reversed. */
  unpay(orderId: string): void;
  /** Sets the error of its clock, in milliseconds. */
  stepClock(ms: number): void;
  /** Confuses the next answer of this kind with another one; answers how often that happened. */
  twist(kind: 'order' | 'refunds' | 'list', twist: Twist): void;
  untwist(): void;
  twisted(): number;
  /** Operations of a shop on its own server; null for others. */
  own: OwnServer | null;
  /** The order's current data: the factura's state and key, and the keys of its notas de crédito. */
  written(orderId: string): { state: string | null; accessKey: string | null; creditNotes: string[] };
  close(): Promise<void>;
}

/** An order as its shop placed it. */
export interface Placed {
  id: string;
  /** The name people see. */
  name: string;
  total: string;
  placedAt: Date;
}

/** A WordPress and its database, under the merchant's control. */
export interface OwnServer {
  /** Copies an order with all its data, our keys included, as plugins do; a renewal names the renewed order. */
  duplicate(orderId: string, number: number, sale: Sale, renewal: boolean): Placed;
  /** A unit more or less of the first line, without a payment or a refund. */
  edit(orderId: string, more: boolean): { total: string };
  backup(): void;
  /** Restores the last backup: later ids are reused. Answers the lost orders and refunds. */
  restore(): { orders: string[]; refunds: string[] };
  /** Another address; the old one is dead unless `keepOld`. */
  move(keepOld: boolean): Promise<void>;
}

/** An answer about an order that cannot be read. */
export const unreadable = {
  figure: ({ status, body }) => ({
    status,
    body: body.replace(/"(total|amount)":"[^"]*"/g, '"$1":"gratis"'),
  }),
  warning: ({ status, body }) => ({
    status,
    body: `<br />\n<b>Warning</b>:  Undefined array key "sku" in <b>plugin.php</b><br />\n${body}`,
  }),
} satisfies Partial<Record<Spoilt, Spoiling['change']>>;

/** A clock that can be wrong. */
export function wrongClock(right: Clock): Clock & { step(ms: number): void } {
  let wrong = 0;
  return {
    now: () => new Date(right.now().getTime() + wrong),
    step(ms) {
      wrong = ms;
    },
  };
}

/** The access keys in an order's data for its refunds; refunds that need a person have none. */
export function keysOf(notes: unknown): string[] {
  if (!Array.isArray(notes)) return [];
  return notes.flatMap(({ clave_acceso: key }: { clave_acceso?: unknown }) =>
    typeof key === 'string' ? [key] : [],
  );
}
