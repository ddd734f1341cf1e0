import type { DeliveryAnswer } from '../sandbox/shops/delivery.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Twist } from './proxy.ts';
import type { GivenBack, Sale } from './sales.ts';

/** What a store of the run is configured with; each platform takes what it knows. */
export interface Credentials {
  /** Signs webhooks. */
  secret: string;
  consumerKey: string;
  consumerSecret: string;
  accessToken: string;
  /** The myshopify domain. */
  domain: string;
}

/** What happens to the shop's next API call: it is refused, or done and its answer lost. */
export type TroubleKind = 'busy' | 'lost' | 'slowDown';

/** A figure that is none, or a plugin's warning before the JSON. */
export type Spoilt = 'figure' | 'warning';

/** A shop's stand-in, the same for both platforms; amounts are decimal strings of USD. */
export interface TroubledShop {
  platform: 'woocommerce' | 'shopify';
  /** Where its API answers now: at a proxy. */
  url(): string;
  /** Sells; the number is the run's own and comes once, the id is the shop's and may come again. */
  sell(number: number, sale: Sale): Placed;
  /** An order that is not paid: whoever reads it has nothing to invoice. Answers its id. */
  leaveUnpaid(number: number, sale: Sale): string;
  refund(orderId: string, back: GivenBack): { id: string; amount: string };
  deliver(target: string, delivery: { id: string; topic: string; times: number }): Promise<DeliveryAnswer[]>;
  trouble(kind: TroubleKind): void;
  /** While it hangs, calls of its API are taken and never answered. */
  hang(now: boolean): void;
  /** What it says of an order cannot be read from now on; null: it can again. */
  spoil(orderId: string, how: Spoilt | null): void;
  /** Its clock goes so many milliseconds wrong. */
  stepClock(ms: number): void;
  /** The next answer of this kind is taken for another one's; answers how often that happened. */
  twist(kind: 'order' | 'refunds' | 'list', twist: Twist): void;
  untwist(): void;
  twisted(): number;
  /** What only a shop on a server of its own can do; null for others. */
  own: OwnServer | null;
  /** What stands on the order now: the factura's state and key, and the keys of its notas de crédito. */
  written(orderId: string): { state: string | null; accessKey: string | null; creditNotes: string[] };
  close(): Promise<void>;
}

/** An order as its shop placed it. */
export interface Placed {
  id: string;
  /** As people read it. */
  name: string;
  total: string;
  placedAt: Date;
}

/** A WordPress and its database, in the merchant's hands. */
export interface OwnServer {
  /** Copies an order with all that stands on it, our keys as well, as plugins do; a renewal says which it renews. */
  duplicate(orderId: string, number: number, sale: Sale, renewal: boolean): Placed;
  /** A unit more or less of the first line, without a payment or a refund. */
  edit(orderId: string, more: boolean): { total: string };
  backup(): void;
  /** Puts the last backup back: ids given since are given again. Answers which orders and refunds are gone. */
  restore(): { orders: string[]; refunds: string[] };
  /** Another address; the old one is dead unless `keepOld`. */
  move(keepOld: boolean): Promise<void>;
}

/** What an answer about an order looks like that nobody can read. */
export const spoilt: Record<Spoilt, (body: string) => string> = {
  figure: (body) => body.replace(/"(total|amount)":"[^"]*"/g, '"$1":"gratis"'),
  warning: (body) => `<br />\n<b>Warning</b>:  Undefined array key "sku" in <b>plugin.php</b><br />\n${body}`,
};

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

/** The access keys in what stands on an order for its refunds; those a person must look at have none. */
export function keysOf(notes: unknown): string[] {
  if (!Array.isArray(notes)) return [];
  return notes.flatMap(({ clave_acceso: key }: { clave_acceso?: unknown }) =>
    typeof key === 'string' ? [key] : [],
  );
}
