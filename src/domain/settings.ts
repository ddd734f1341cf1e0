import type { BuyerPolicy } from './buyer-policy.ts';
import { type Ambiente, type DocumentKind, documentCodes, documentKinds, type Series } from './document.ts';
import { ConfigError } from './errors.ts';
import { issuerName } from './issuer-record.ts';
import type { CreditPolicy, MoneyPolicy } from './money-policy.ts';
import type { Order } from './order.ts';
import type { Platform } from './platform.ts';

/** The configuration after reading: references resolved, defaults filled in. */
export interface Settings {
  /** Base address the world reaches us at, without trailing slash. */
  publicUrl: string;
  accounts: ReadonlyMap<string, Account>;
  apps: ReadonlyMap<string, App>;
  stores: ReadonlyMap<string, Store>;
  /** Every platform a store could use, whether one does or not. */
  platforms: readonly Platform[];
}

/** One account (API key) of the tax document service. */
export interface Account {
  id: string;
  baseUrl: string;
  /** Newest first: new documents leave under it; old ones are read with the key that issued them. */
  keys: readonly ApiKey[];
  /** Of the newest. */
  keyHash: string;
  /** Newest first; two during rotation. */
  webhookSecrets: readonly string[];
  reprocess: ReprocessSettings;
}

/** How a document that ended with an error is submitted again (assumption A13). */
export interface ReprocessSettings {
  /** The route tried first; the historic one is also tried when the current one does not exist. */
  route: 'current' | 'historic';
  /** The historic route's field for the service's own number of a document. */
  idField: string;
}

/** One API key of an account. */
export interface ApiKey {
  apiKey: string;
  /** Its hex SHA-256, which stands for the key in rate limits and documents. */
  keyHash: string;
}

/** The key to read a document with. `gone`: the issuing one is no longer configured; this is the newest. */
export interface IssuingKey {
  account: Account;
  keyHash: string;
  gone: boolean;
}

/**
 * An API key sees only its own documents (spec, key rules): returns the key that issued this one, in its account or in any other,
 * else the newest of its account; undefined without either.
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

/** A webhook endpoint several stores share (a Shopify app). */
export interface App {
  id: string;
  platform: Platform;
  settings: unknown;
}

/** Where a store's numbers come from: each document type has its own sequence and first number. */
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
  /** The ledger's name of the shop: its first address, for good. Unique together with the platform. */
  shop: string;
  account: Account;
  issuer: Issuer;
  series: SeriesStart;
  policy: Policy;
  /** False where a second installation tries real orders in ambiente 1: nothing is written onto them. */
  writesBack: boolean;
}

/**
 * An order as the store reads it. Where nothing is written back, access keys on it are another installation's, and the
 * service must have no e-mail address to send the document to.
 */
export const orderOf = ({ writesBack }: Pick<Store, 'writesBack'>, order: Order): Order =>
  writesBack
    ? order
    : { ...order, buyer: { ...order.buyer, email: null }, accessKeys: [], notAKey: undefined };

/** The shop's address now, as its platform knows it. */
export const addressOf = ({ platform, connection }: Pick<Store, 'platform' | 'connection'>): string =>
  platform.shopOf(connection);

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

/** The merchant's decisions; the defaults suit a plain Ecuadorian shop. */
export interface Policy extends MoneyPolicy, BuyerPolicy, CreditPolicy {
  /** Orders paid before this instant are not invoiced; null: the store's first start. */
  invoiceFrom: Date | null;
  freeOrders: 'nothing' | 'emit';
  /** For a cancelled order whose money was not, or not all, given back. */
  cancelledOrders: 'hold' | 'invoice' | 'nothing';
  /** For an order whose total has changed since it was paid. */
  changedAfterPayment: 'hold' | 'current';
  /** For an order whose lines other orders sell, which were split from it (marketplaces). */
  subOrders: 'hold' | 'parent' | 'children';
}

/** Settings that say where something is, and the environment variables that can say it instead. */
export const variableOf = {
  'ledger.directory': 'DATABASE_URL',
  'ledger.url': 'DATABASE_URL',
  'redis.url': 'REDIS_URL',
} as const;

/** A setting of the config file that wins over its variable. */
export type Override = keyof typeof variableOf;

/** Whose an alert or audit entry is. Without an owner it is the whole installation's, hidden from anybody with a scope. */
export type Owner = `${'store' | 'shop' | 'account' | 'issuer' | 'series'} ${string}`;

export const owner = {
  /** By its id in the config. */
  store: (id: string): Owner => `store ${id}`,
  shop: (shop: { platform: string; shop: string }): Owner => `shop ${shopName(shop)}`,
  account: (id: string): Owner => `account ${id}`,
  issuer: (account: string, ruc: string): Owner => `issuer ${issuerName(account, ruc)}`,
  series: (series: Series): Owner => `series ${seriesName(series)}`,
};

/** A shop's own identity as one text; no platform's name has a space. */
const shopName = ({ platform, shop }: { platform: string; shop: string }): string => `${platform} ${shop}`;

const seriesName = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series): string =>
  `${ruc} ${ambiente} ${codDoc} ${establecimiento}-${puntoEmision}`;

/** What a person limited to some stores may see and change. `null` instead of a scope: the whole installation. */
export interface Scope {
  /** The person as the audit log names him; he may see his own entries. */
  who: string;
  /** The named stores that exist now, by id. */
  stores: ReadonlyMap<string, Store>;
  /** The label of closes over these stores: their sorted ids; of one store, its id. */
  label: string;
  /** Of the stores. */
  storeIds: ReadonlySet<string>;
  /** `shopName` of the stores, to compare with orders and documents. */
  shops: ReadonlySet<string>;
  accounts: ReadonlySet<string>;
  /** `issuerName` of each. */
  issuers: ReadonlySet<string>;
  /** "RUC ambiente codDoc establecimiento-puntoEmision" of each series of the stores. */
  series: ReadonlySet<string>;
  owners: ReadonlySet<Owner>;
}

/** The scope of a person limited to these store ids; ids without a store are ignored. */
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

/** Whether an order or document belongs to the scope: by its shop, whatever its store was called. */
export const isWithin = (scope: Scope | null, place: { platform: string; shop: string }): boolean =>
  scope === null || scope.shops.has(shopName(place));

/** What a panel user may do; each role includes those before it. */
export const roles = ['read', 'operate', 'configure'] as const;
export type Role = (typeof roles)[number];

/** A panel user of the config. */
export interface Person {
  user: string;
  /** As `facturapuente hash-password` prints it (src/web/password.ts). */
  passwordHash: string;
  role: Role;
  /** Where a link goes that sets a forgotten password. */
  email?: string | undefined;
  /** Limits the user to these stores; default all. */
  stores?: readonly string[] | undefined;
}

/** Whether a user may configure the whole installation. */
export const mayConfigureAll = ({ role, stores }: Person): boolean =>
  role === 'configure' && stores === undefined;

/** Whether `role` may do what needs `needed`. */
export const mayDo = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

interface Index {
  byShop: ReadonlyMap<string, Store>;
  byApp: ReadonlyMap<string, Store>;
}

const indexes = new WeakMap<ReadonlyMap<string, Store>, Index>();

/** Indexes one map of stores when first asked; stores change while a process runs, and each change makes a new map. */
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

/** Its address, and its name in the ledger, which wins when another store has that address now. */
const namesOf = (store: Store): string[] => [addressOf(store), store.shop];

/** The store of an id. Throws ConfigError `store-unknown`. */
export function storeOf({ stores }: Pick<Settings, 'stores'>, id: string): Store {
  const store = stores.get(id);
  if (store) return store;
  const known = [...stores.keys()].join(', ');
  throw new ConfigError('store-unknown', { why: 'name', store: id, known });
}

/** The store of a shop, by the platform's name and the shop's address or name in the ledger. */
export function storeOfShop(
  stores: ReadonlyMap<string, Store>,
  platform: string,
  shop: string,
): Store | undefined {
  return indexOf(stores).byShop.get(`${platform} ${shop}`);
}

/** The store of a shop behind an app's endpoint; letter case of the shop does not count. */
export function storeOfApp(
  stores: ReadonlyMap<string, Store>,
  appId: string,
  shop: string,
): Store | undefined {
  return indexOf(stores).byApp.get(`${appId} ${shop.toLowerCase()}`);
}

/** The numbering series of a store's documents of one kind. */
export function seriesOf(store: Pick<Store, 'issuer' | 'series'>, kind: DocumentKind): Series {
  const { ruc, ambiente } = store.issuer;
  const { establecimiento, puntoEmision } = store.series;
  return { ruc, ambiente, codDoc: documentCodes[kind], establecimiento, puntoEmision };
}

/** The first number of a series that was never used. */
export function firstNumber(store: Pick<Store, 'series'>, kind: DocumentKind): number {
  return kind === 'factura' ? store.series.first : store.series.firstCreditNote;
}
