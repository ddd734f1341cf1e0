import type { DeliveryAnswer } from '../src/testing/delivery.ts';
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

/** A shop's stand-in, the same for both platforms; amounts are decimal strings of USD. */
export interface TroubledShop {
  platform: 'woocommerce' | 'shopify';
  /** Where its API answers. */
  url: string;
  /** Its own identity, as documents name it. */
  shop: string;
  sell(number: number, sale: Sale): { id: string; total: string };
  /** An order that is not paid: whoever reads it has nothing to invoice. Answers its id. */
  leaveUnpaid(number: number, sale: Sale): string;
  refund(orderId: string, back: GivenBack): { id: string; amount: string };
  deliver(target: string, delivery: { id: string; topic: string; times: number }): Promise<DeliveryAnswer[]>;
  trouble(kind: TroubleKind): void;
  /** While it hangs, calls of its API are taken and never answered. */
  hang(now: boolean): void;
  /** What stands on the order now: the factura's state and key, and the keys of its notas de crédito. */
  written(orderId: string): { state: string | null; accessKey: string | null; creditNotes: string[] };
  close(): Promise<void>;
}

/** The access keys in what stands on an order for its refunds; those a person must look at have none. */
export function keysOf(notes: unknown): string[] {
  if (!Array.isArray(notes)) return [];
  return notes.flatMap(({ clave_acceso: key }: { clave_acceso?: unknown }) =>
    typeof key === 'string' ? [key] : [],
  );
}
