import type { RequestListener } from 'node:http';
import type { Clock } from '../../../src/domain/clock.ts';
import type { DeliveryAnswer } from '../delivery.ts';
import type { Certificate } from '../loopback.ts';
import type { Host } from './auth.ts';
import type { ShopKeys } from './oauth.ts';
import type { NewRefund, StoredRefund } from './refund.ts';
import type { RestAnswer } from './rest.ts';
import type { OrderChange, Range, StoredNote, StoredOrder } from './store.ts';
import type { ShopSystem } from './system.ts';
import type { WooDelivery } from './webhook.ts';
import type { NewWebhook, ShownWebhook } from './webhook-shape.ts';
import type { SentWebhook } from './webhooks.ts';

/**
 * Trouble for one call. `hang` never answers; `lost` does what was asked and then breaks the
 * connection; an answer is sent instead of the shop's own, text bodies as they are.
 */
export type Trouble = 'hang' | 'lost' | RestAnswer | SlowCall;

/** A call that is acted upon, or only answered, when the shop has come so far. */
export interface SlowCall {
  until: Promise<void>;
  before: 'acting' | 'answering';
}

export interface SeenRequest {
  method: string;
  /** Below `/wp-json/wc/v3/`. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
  /** Whether keys and signature were right. */
  authorized: boolean;
}

/** A WooCommerce shop on loopback, as far as invoicing meets one; behaves as the recordings do. */
export interface WooCommerceShop {
  readonly url: string;
  /** Where the emulator itself listens, whatever its address. */
  origin: string;
  /** What the shop says of itself; to be changed as its owner would. */
  system: ShopSystem;
  /** The shop says from now on that it is at this address, and believes only signatures for it; both addresses lead here. */
  move(home: string): void;
  /** Every call so far, in order. */
  requests: readonly SeenRequest[];
  order(id: string | number): StoredOrder | undefined;
  notes(id: string | number): readonly StoredNote[];
  /** As `GET orders/{id}/refunds` lists them, newest first. */
  refunds(id: string | number): readonly StoredRefund[];
  /**
   * Adds an order or replaces it; no webhook goes out by itself. `refunds` are what `GET orders/{id}/refunds` lists,
   * as given, whatever the order names; without them those it names are kept, or were typed as amounts.
   */
  put(order: unknown, refunds?: readonly unknown[]): void;
  /** Copies the database; what it answers restores it, and ids given since are given again. */
  backup(): () => void;
  /** Refunds by hand as wp-admin does; throws what WooCommerce says when it refuses. */
  refund(orderId: string | number, refund: NewRefund): StoredRefund;
  /** Deletes a refund; the order keeps its status and its time, and no webhook fires (measured on WooCommerce 11.0.1). */
  deleteRefund(orderId: string | number, refundId: string | number): void;
  /** Deletes an order permanently; no webhook fires. */
  remove(id: string | number): void;
  /** Changes an order by hand, as wp-admin does: `status`, `set_paid`, `meta_data`, any other key. */
  change(id: string | number, change: Partial<OrderChange>): void;
  trash(id: string | number): void;
  restore(id: string | number): void;
  /** Makes a webhook as wp-admin does, and pings it. */
  addWebhook(webhook: NewWebhook): Promise<void>;
  /** The webhooks of the API, as it shows them. */
  webhooks(): readonly ShownWebhook[];
  /** Says that something happened which the emulator does not do itself: a placed order, a checkout. */
  happened(topic: string, id: string | number): void;
  /**
   * A visit: runs the queue of webhooks, one attempt each, and answers what was sent. Without visits nothing is sent.
   */
  visit(): Promise<SentWebhook[]>;
  /** Meets the next call, or the next one of this method; several wait in turn. */
  trouble(next: Trouble, method?: 'GET' | 'PUT' | 'POST' | 'DELETE'): void;
  /** While it hangs, requests are taken and never answered; those that hung stay so. */
  hang(now: boolean): void;
  deliver(targetUrl: string, secret: string, delivery: WooDelivery): Promise<DeliveryAnswer[]>;
  close(): Promise<void>;
}

/** Products, variations and tax rates are as wc/v3 lists them: for tags and categories, and for a look at the catalogue. */
export interface ShopOptions extends ShopKeys, Range {
  orders: readonly unknown[];
  port?: number;
  /** Its address in WordPress's settings, where a proxy is in front of it; calls are signed for that one. */
  home?: string;
  clock?: Clock;
  tls?: Certificate;
  host?: Partial<Host>;
  system?: Partial<ShopSystem>;
  /** Answers what is no address of the API: what its buyers see. */
  pages?(shop: WooCommerceShop): RequestListener;
}
