import type { ColumnType } from 'kysely';
import type { ShopHoldCode } from '../domain/shop-identity.ts';

/* The rows of what the ledger keeps of shops; see schema.ts for how values are written. */

/** An identity column: numbers on SQLite, texts on PostgreSQL (64 bits do not fit a JS number). */
export type Identity = ColumnType<string | number, never, never>;

export interface StoreRecord {
  platform: string;
  shop: string;
  id: string;
  /** The app of the config it sells through; null for an endpoint of its own. */
  app: string | null;
  first_started_at: string;
  /** Where it was found last; null where its name still is its address. */
  address: string | null;
  /** When it last said who it is; null before anything was read from it. */
  asked_at: string | null;
}

export interface ShopIdentityRecord {
  platform: string;
  shop: string;
  identity: string;
}

export interface ShopAddressRecord {
  platform: string;
  address: string;
  shop: string;
  since: string;
}

export interface ShopHoldRecord {
  platform: string;
  shop: string;
  code: ShopHoldCode;
  reason: string;
  found: string;
  owner: string | null;
  since: string;
}

export interface DeliveryRecord {
  id: Identity;
  connection: string;
  dedupe_key: string;
  topic: string;
  platform: string | null;
  shop: string | null;
  order_id: string | null;
  body: Uint8Array;
  received_at: string;
}

export interface OrderRecord {
  platform: string;
  shop: string;
  order_id: string;
  store_id: string;
  name: string;
  snapshot: string;
  source_updated_at: string;
  decision: string | null;
  decided_at: string | null;
  synced_at: string;
  /** JSON (domain/order-fingerprint.ts): what its id means, and what it charged when it was paid. */
  fingerprint: string | null;
  paid: string | null;
  /** How often it was saved as read. */
  readings: number;
  /** Since when the shop tells an older time of it than it did. */
  older_since: string | null;
}

export interface SweepRecord {
  platform: string;
  shop: string;
  version: number;
  swept_to: string;
  behind_since: string | null;
  behind: string | null;
  progress: string | null;
}

export interface CredentialRecord {
  platform: string;
  shop: string;
  sealed: string;
  version: number;
  updated_at: string;
}

export interface TurnRecord {
  name: string;
  holder: string;
  until: string;
}

export interface QuestionRecord {
  platform: string;
  shop: string;
  order_id: string;
  asked_at: string;
  cut_off_at: string;
  expires_at: string;
  mailed_at: string | null;
  passed_at: string | null;
  told_at: string | null;
  answered_at: string | null;
  sealed: string | null;
}
