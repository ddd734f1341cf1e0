import type { BuyerPolicy } from './buyer-policy.ts';
import { type Ambiente, type DocumentKind, documentCodes, documentKinds, type Series } from './document.ts';
import { ConfigError } from './errors.ts';
import { issuerName } from './issuer-record.ts';
import type { CreditPolicy, MoneyPolicy } from './money-policy.ts';
import type { Order } from './order.ts';
import type { Platform } from './platform.ts';

export interface Settings {
  /** Without trailing slash. */
  publicUrl: string;
  accounts: ReadonlyMap<string, Account>;
  apps: ReadonlyMap<string, App>;
  stores: ReadonlyMap<string, Store>;
  platforms: readonly Platform[];
}

export interface Account {
  id: string;
  baseUrl: string;
  /** Newest first: new documents are sent under it; old ones are read with the key that issued them. */
  keys: readonly ApiKey[];
  keyHash: string;
  webhookSecrets: readonly string[];
  reprocess: ReprocessSettings;
}

/** See assumption A13. */
export interface ReprocessSettings {
  /** The historic route is also tried when the current one does not exist. */
  route: 'current' | 'historic';
  /** The historic route's field for the service's own number of a document. */
  idField: string;
}

export interface ApiKey {
  apiKey: string;
  /** Hex SHA-256; replaces the key in rate limits and documents. */
  keyHash: string;
}

/** `gone`: the issuing key is no longer configured; this is the newest. */
export interface IssuingKey {
  account: Account;
  keyHash: string;
  gone: boolean;
}

/** An API key sees only its own documents (spec, key rules): the issuing key, else the newest of the account. */
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

export interface App {
  id: string;
  platform: Platform;
  settings: unknown;
}

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
  /** The shop's first address, which never changes; unique together with the platform. */
  shop: string;
  account: Account;
  issuer: Issuer;
  series: SeriesStart;
  policy: Policy;
  /** False where a second installation tries real orders in ambiente 1. */
  writesBack: boolean;
}

/** Where nothing is written back, access keys on the order are of another installation, and the service gets no e-mail. */
export const orderOf = ({ writesBack }: Pick<Store, 'writesBack'>, order: Order): Order =>
  writesBack
    ? order
    : { ...order, buyer: { ...order.buyer, email: null }, accessKeys: [], notAKey: undefined };

export const addressOf = ({ platform, connection }: Pick<Store, 'platform' | 'connection'>): string =>
  platform.shopOf(connection);

/** The service's `emisor` (spec), without what changes per document. */
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

export interface Policy extends MoneyPolicy, BuyerPolicy, CreditPolicy {
  /** Orders paid before are not invoiced; null: the store's first start. */
  invoiceFrom: Date | null;
  freeOrders: 'nothing' | 'emit';
  /** A cancelled order whose money was not, or not all, given back. */
  cancelledOrders: 'hold' | 'invoice' | 'nothing';
  changedAfterPayment: 'hold' | 'current';
  /** An order whose lines other orders sell, which were split from it (marketplaces). */
  subOrders: 'hold' | 'parent' | 'children';
}

export const variableOf = {
  'ledger.directory': 'DATABASE_URL',
  'ledger.url': 'DATABASE_URL',
  'redis.url': 'REDIS_URL',
} as const;

export type Override = keyof typeof variableOf;

/** Without an owner it is the whole installation's, hidden from anybody with a scope. */
export type Owner = `${'store' | 'shop' | 'account' | 'issuer' | 'series'} ${string}`;

export const owner = {
  store: (id: string): Owner => `store ${id}`,
  shop: (shop: { platform: string; shop: string }): Owner => `shop ${shopName(shop)}`,
  account: (id: string): Owner => `account ${id}`,
  issuer: (account: string, ruc: string): Owner => `issuer ${issuerName(account, ruc)}`,
  series: (series: Series): Owner => `series ${seriesName(series)}`,
};

/** No platform's name has a space. */
const shopName = ({ platform, shop }: { platform: string; shop: string }): string => `${platform} ${shop}`;

const seriesName = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series): string =>
  `${ruc} ${ambiente} ${codDoc} ${establecimiento}-${puntoEmision}`;

/** What a person limited to some stores may see and change. `null` instead of a scope: the whole installation. */
export interface Scope {
  /** The audit log names the person so; he may see his own entries. */
  who: string;
  stores: ReadonlyMap<string, Store>;
  label: string;
  storeIds: ReadonlySet<string>;
  shops: ReadonlySet<string>;
  accounts: ReadonlySet<string>;
  issuers: ReadonlySet<string>;
  /** "RUC ambiente codDoc establecimiento-puntoEmision" of each. */
  series: ReadonlySet<string>;
  owners: ReadonlySet<Owner>;
}

export function scopeOf(ids: readonly string[], all: ReadonlyMap<string, Store>, who: string): Scope {
  const named = new Set(ids);
  const stores = new Map([...all].filter(([id]) => named.has(id)));
  const mine = [...stores.values()];
  const places = mine.map(({ platform, shop }) => ({ platform: platform.name, shop }));
  const series = mine.flatMap((store) => documentKinds.map((kind) => seriesOf(store, kind)));
  return {
    who,
    stores,
    label: [...named].sort().join(','),
    storeIds: new Set(mine.map(({ id }) => id)),
    shops: new Set(places.map(shopName)),
    accounts: new Set(mine.map(({ account }) => account.id)),
    issuers: new Set(mine.map(({ account, issuer }) => issuerName(account.id, issuer.ruc))),
    series: new Set(series.map(seriesName)),
    owners: new Set([
      ...mine.map(({ id }) => owner.store(id)),
      ...places.map(owner.shop),
      ...mine.map(({ account }) => owner.account(account.id)),
      ...mine.map(({ account, issuer }) => owner.issuer(account.id, issuer.ruc)),
      ...series.map(owner.series),
    ]),
  };
}

export const isWithin = (scope: Scope | null, place: { platform: string; shop: string }): boolean =>
  scope === null || scope.shops.has(shopName(place));

export const roles = ['read', 'operate', 'configure'] as const;
export type Role = (typeof roles)[number];

export interface Person {
  user: string;
  passwordHash: string;
  role: Role;
  email?: string | undefined;
  stores?: readonly string[] | undefined;
}

export const mayConfigureAll = ({ role, stores }: Person): boolean =>
  role === 'configure' && stores === undefined;

export const mayDo = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

interface Index {
  byShop: ReadonlyMap<string, Store>;
  byApp: ReadonlyMap<string, Store>;
}

const indexes = new WeakMap<ReadonlyMap<string, Store>, Index>();

function indexOf(stores: ReadonlyMap<string, Store>): Index {
  let index = indexes.get(stores);
  if (index === undefined) {
    const all = [...stores.values()];
    index = {
      byShop: new Map(
        all.flatMap((store) => namesOf(store).map((name) => [`${store.platform.name} ${name}`, store])),
      ),
      byApp: new Map(
        all.flatMap((store) =>
          store.app ? namesOf(store).map((name) => [`${store.app?.id} ${name.toLowerCase()}`, store]) : [],
        ),
      ),
    };
    indexes.set(stores, index);
  }
  return index;
}

/** The name in the ledger wins when another store has the address now. */
const namesOf = (store: Store): string[] => [addressOf(store), store.shop];

/** Throws ConfigError `store-unknown`. */
export function storeOf({ stores }: Pick<Settings, 'stores'>, id: string): Store {
  const store = stores.get(id);
  if (store) return store;
  const known = [...stores.keys()].join(', ');
  throw new ConfigError('store-unknown', { why: 'name', store: id, known });
}

/** Finds it by the shop's address or its name in the ledger. */
export function storeOfShop(
  stores: ReadonlyMap<string, Store>,
  platform: string,
  shop: string,
): Store | undefined {
  return indexOf(stores).byShop.get(`${platform} ${shop}`);
}

export function storeOfApp(
  stores: ReadonlyMap<string, Store>,
  appId: string,
  shop: string,
): Store | undefined {
  return indexOf(stores).byApp.get(`${appId} ${shop.toLowerCase()}`);
}

export function seriesOf(store: Pick<Store, 'issuer' | 'series'>, kind: DocumentKind): Series {
  const { ruc, ambiente } = store.issuer;
  const { establecimiento, puntoEmision } = store.series;
  return { ruc, ambiente, codDoc: documentCodes[kind], establecimiento, puntoEmision };
}

export function firstNumber(store: Pick<Store, 'series'>, kind: DocumentKind): number {
  return kind === 'factura' ? store.series.first : store.series.firstCreditNote;
}
