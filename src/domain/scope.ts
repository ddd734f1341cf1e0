import { documentKinds, type Series } from './document.ts';
import { issuerName } from './issuer-record.ts';
import { seriesOf } from './series.ts';
import type { Store } from './settings.ts';
import { shopBehind } from './shadow.ts';

/**
 * Whose an alert or an audit entry is, as the ledger keeps it beside them. Without one it is the whole installation's,
 * and nobody with a scope sees it.
 */
export type Owner = `${'store' | 'shop' | 'account' | 'issuer' | 'series'} ${string}`;

export const owner = {
  /** By its id in the config. */
  store: (id: string): Owner => `store ${id}`,
  /** A shop and its shadow are one. */
  shop: ({ platform, shop }: { platform: string; shop: string }): Owner =>
    `shop ${shopName({ platform, shop: shopBehind(shop) })}`,
  account: (id: string): Owner => `account ${id}`,
  issuer: (account: string, ruc: string): Owner => `issuer ${issuerName(account, ruc)}`,
  series: (series: Series): Owner => `series ${seriesName(series)}`,
};

/** A shop's own identity as one text; no platform's name has a space. */
export const shopName = ({ platform, shop }: { platform: string; shop: string }): string =>
  `${platform} ${shop}`;

const seriesName = ({ ruc, ambiente, codDoc, establecimiento, puntoEmision }: Series): string =>
  `${ruc} ${ambiente} ${codDoc} ${establecimiento}-${puntoEmision}`;

/** What somebody who is limited to some stores may see and change. `null` instead of a scope is the whole installation. */
export interface Scope {
  /** Who it is, as the audit log names them: what they did themselves they may see. */
  who: string;
  /** Those of the named stores that count now, by id. */
  stores: ReadonlyMap<string, Store>;
  /** Names closes of all these stores together: their ids, sorted; of one store, its id. */
  label: string;
  /** Of the stores and their shadows. */
  storeIds: ReadonlySet<string>;
  /** `shopName` of the stores and their shadows: what orders and documents are compared with. */
  shops: ReadonlySet<string>;
  accounts: ReadonlySet<string>;
  /** `issuerName` of each. */
  issuers: ReadonlySet<string>;
  /** "RUC ambiente codDoc establecimiento-puntoEmision" of each series the stores number from. */
  series: ReadonlySet<string>;
  owners: ReadonlySet<Owner>;
}

/** The scope of somebody limited to these store ids; an id that no store has now adds nothing. */
export function scopeOf(ids: readonly string[], all: ReadonlyMap<string, Store>, who: string): Scope {
  const named = new Set(ids);
  const stores = new Map([...all].filter(([id]) => named.has(id)));
  const withShadows = [...stores.values()].flatMap((store) =>
    store.shadow ? [store, store.shadow.store] : [store],
  );
  const places = withShadows.map(({ platform, shop }) => ({ platform: platform.name, shop }));
  const series = withShadows.flatMap((store) => documentKinds.map((kind) => seriesOf(store, kind)));
  return {
    who,
    stores,
    label: [...named].sort().join(','),
    storeIds: new Set(withShadows.map(({ id }) => id)),
    shops: new Set(places.map(shopName)),
    accounts: new Set(withShadows.map(({ account }) => account.id)),
    issuers: new Set(withShadows.map(({ account, issuer }) => issuerName(account.id, issuer.ruc))),
    series: new Set(series.map(seriesName)),
    owners: new Set([
      ...withShadows.map(({ id }) => owner.store(id)),
      ...places.map(owner.shop),
      ...withShadows.map(({ account }) => owner.account(account.id)),
      ...withShadows.map(({ account, issuer }) => owner.issuer(account.id, issuer.ruc)),
      ...series.map(owner.series),
    ]),
  };
}

/** Whether an order or a document is of the scope: by its shop, whatever its store was called. */
export const isWithin = (scope: Scope | null, place: { platform: string; shop: string }): boolean =>
  scope === null || scope.shops.has(shopName(place));
