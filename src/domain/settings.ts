import type { BuyerPolicy } from './buyer-policy.ts';
import type { CreditPolicy } from './credit-policy.ts';
import type { Ambiente } from './document.ts';
import type { MoneyPolicy } from './money-policy.ts';
import type { Platform } from './platform.ts';

/**
 * The configuration after reading: every reference resolved, every default filled in. Written by the config
 * room, read by everyone.
 */
export interface Settings {
  /** Base address the world reaches us at, without trailing slash. */
  publicUrl: string;
  accounts: ReadonlyMap<string, Account>;
  apps: ReadonlyMap<string, App>;
  stores: ReadonlyMap<string, Store>;
  /** All that a store could name, whether one does or not. */
  platforms: readonly Platform[];
}

/** One account (API key) of the tax document service. */
export interface Account {
  id: string;
  baseUrl: string;
  /** The newest first: new documents leave under it, old ones are read under the one that issued them. */
  keys: readonly ApiKey[];
  /** Of the newest. */
  keyHash: string;
  /** The newest first; two during rotation. */
  webhookSecrets: readonly string[];
  reprocess: ReprocessSettings;
}

/** How a document that ended with an error is handed over again (assumption A13). */
export interface ReprocessSettings {
  /** Which route is asked first; the historic one also where the current one is not there. */
  route: 'current' | 'historic';
  /** What the historic route calls the service's own number of a document. */
  idField: string;
}

/** One API key of an account. */
export interface ApiKey {
  apiKey: string;
  /** Its hex SHA-256: budgets and documents name the key by it, never by itself. */
  keyHash: string;
}

/** The key a document is read with. `gone`: the one that issued it is no longer configured; this is the newest. */
export interface IssuingKey {
  account: Account;
  keyHash: string;
  gone: boolean;
}

/**
 * Each API key sees only the documents issued with it (spec, key rules): the key that issued this one, in its own
 * account or under whatever id it stands today, else the newest of its account; undefined when there is neither.
 */
export function issuingKey(
  accounts: ReadonlyMap<string, Account>,
  document: { account: string; keyHash: string },
): IssuingKey | undefined {
  const { keyHash } = document;
  const own = accounts.get(document.account);
  for (const account of own ? [own, ...accounts.values()] : accounts.values())
    if (account.keys.some((key) => key.keyHash === keyHash)) return { account, keyHash, gone: false };
  return own && { account: own, keyHash: own.keyHash, gone: true };
}

/** A webhook door several stores share (a Shopify app). */
export interface App {
  id: string;
  platform: Platform;
  settings: unknown;
}

/** Where a store takes its numbers from: each type of document has its own sequence, from its own first number. */
export interface SeriesStart {
  establecimiento: string;
  puntoEmision: string;
  first: number;
  firstCreditNote: number;
}

export interface Store {
  id: string;
  platform: Platform;
  connection: unknown;
  app: App | null;
  /** The name under which the ledger knows the shop, for ever: the first address it had. Unique together with the platform. */
  shop: string;
  account: Account;
  issuer: Issuer;
  series: SeriesStart;
  policy: Policy;
  /** Its sales once more in the test environment; absent where nobody asked for it. */
  shadow?: Shadow;
}

/** Where the shop is now, as its platform knows it. */
export const addressOf = ({ platform, connection }: Pick<Store, 'platform' | 'connection'>): string =>
  platform.shopOf(connection);

/** See domain/shadow.ts. */
export interface Shadow {
  /** What the shadow is worked on as. */
  store: Store;
  /** Nothing leaves in the store's own environment yet. */
  only: boolean;
}

/** The issuer block in the service's own words (spec, `emisor`), without what changes per document. */
export interface Issuer {
  ambiente: Ambiente;
  ruc: string;
  razon_social?: string | undefined;
  nombre_comercial: string;
  direccion_matriz: string;
  direccion_establecimiento: string;
  obligado_contabilidad: 'SI' | 'NO';
  contribuyente_especial?: string | undefined;
  calificacion_artesanal?: string | undefined;
  exportador_habitual?: boolean | undefined;
  gran_contribuyente?: boolean | undefined;
  agente_retencion?: boolean | undefined;
  regimen_rimpe?: boolean | undefined;
  regimen_rimpe_popular?: boolean | undefined;
  numero_resolucion?: string | undefined;
}

/** What the merchant decided; each has a default that is right for a plain Ecuadorian shop. */
export interface Policy extends MoneyPolicy, BuyerPolicy, CreditPolicy {
  /** Orders paid before this instant are history; null = the store's first start. */
  invoiceFrom: Date | null;
  freeOrders: 'nothing' | 'emit';
  /** What becomes of a cancelled order whose money was not given back, or not all of it. */
  cancelledOrders: 'hold' | 'invoice' | 'nothing';
  /** What becomes of an order whose total is another than when it was paid. */
  changedAfterPayment: 'hold' | 'current';
}
