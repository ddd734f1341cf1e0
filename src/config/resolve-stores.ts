import { startOfEcuadorDay } from '../domain/clock.ts';
import {
  chargeKinds,
  type IceMeaning,
  type ItemKind,
  type IvaRates,
  lineKinds,
  type MoneyPolicy,
  type SpecialItem,
  type TaxCondition,
  type TaxMeaning,
  type TaxRule,
} from '../domain/money-policy.ts';
import type { Platform, TaxFact } from '../domain/platform.ts';
import type { Account, App, Policy, Store } from '../domain/settings.ts';
import { check, type Problem, unknown } from './messages.ts';
import { type ConfigFile, policySchema } from './schema.ts';
import type { WrittenMoney } from './schema-money.ts';
import type { WrittenRule } from './schema-tax.ts';

export function resolveStores(
  config: Pick<ConfigFile, 'stores' | 'issuers' | 'apps'>,
  known: {
    named: ReadonlyMap<string, Platform>;
    accounts: ReadonlyMap<string, Account>;
    apps: ReadonlyMap<string, App>;
    rates: IvaRates;
  },
  problems: Problem[],
): Map<string, Store> {
  const stores = new Map<string, Store>();
  for (const [id, written] of Object.entries(config.stores)) {
    const path = `stores.${id}`;
    const found = config.issuers[written.issuer];
    if (found === undefined)
      problems.push({
        path: `${path}.issuer`,
        message: unknown(written.issuer, Object.keys(config.issuers)),
      });
    const platform = known.named.get(written.platform);
    if (platform === undefined) {
      problems.push({ path: `${path}.platform`, message: unknown(written.platform, known.named.keys()) });
      continue;
    }
    const before = problems.length;
    const connection = check(platform.connection, written.connection, `${path}.connection`, problems);
    if (problems.length > before) continue;
    const app = appOf(platform, connection, config.apps, known.apps, path, problems);
    if (found === undefined) continue;
    const { account: accountId, signature: _signature, logo: _logo, smtp: _smtp, ...issuer } = found;
    const account = known.accounts.get(accountId);
    if (account === undefined || app === undefined) continue;
    const shop = platform.shopOf(connection);
    const writesBack = written.writeBack === 'on';
    if (!writesBack && found.ambiente === 2)
      problems.push({
        path: `${path}.writeBack`,
        message:
          'Con off no se lee ni se escribe nada en los pedidos, y podrían facturarse dos veces: solo se admite con ambiente: 1.',
      });
    const policy = toPolicy(written);
    const facts = { unknown: platform.unstatedFacts?.(connection) ?? [], rates: known.rates };
    checkRules(policy.tax.rules, facts, `${path}.policy.tax.rules`, problems);
    const trial = { ...policy, buyer: { ...policy.buyer, ask: false } };
    const { series } = written;
    const parts = { id, platform, connection, app, shop, account, issuer, series, writesBack };
    stores.set(id, { ...parts, policy: writesBack ? policy : trial });
  }
  return stores;
}

/** Null: the store has no app. Undefined: the app it names cannot be used. */
function appOf(
  platform: Platform,
  connection: unknown,
  written: ConfigFile['apps'],
  apps: ReadonlyMap<string, App>,
  path: string,
  problems: Problem[],
): App | null | undefined {
  const id = platform.appOf(connection);
  if (id === null) return null;
  const app = apps.get(id);
  if (app?.platform === platform) return app;
  if (app !== undefined)
    problems.push({
      path: `${path}.connection`,
      message: `La app ${id} es de ${app.platform.title}, no de ${platform.title}.`,
    });
  else if (!Object.hasOwn(written, id))
    problems.push({ path: `${path}.connection`, message: unknown(id, apps.keys()) });
  return undefined;
}

export function defaultPolicy(): Policy {
  return toPolicy({ policy: policySchema.parse({}) });
}

function toPolicy({
  invoiceFrom,
  policy,
}: Pick<ConfigFile['stores'][string], 'invoiceFrom' | 'policy'>): Policy {
  return {
    ...policy,
    invoiceFrom: invoiceFrom === undefined ? null : toInstant(invoiceFrom),
    ...toMoneyPolicy(policy),
  };
}

function toInstant(written: string): Date {
  return written.includes('T') ? new Date(written) : startOfEcuadorDay(written);
}

/** Two stores of one shop would invoice every order twice. */
export function checkShops(stores: ReadonlyMap<string, Store>, problems: Problem[]): void {
  const seen = new Map<string, string>();
  for (const { id, platform, shop } of stores.values()) {
    const key = `${platform.name} ${shop}`;
    const other = seen.get(key);
    if (other !== undefined)
      problems.push({
        path: `stores.${id}`,
        message: `Es la misma tienda que stores.${other} (${shop}): cada pedido se facturaría dos veces.`,
      });
    seen.set(key, id);
  }
}

/** A series is shared by all stores that use it, so it can begin at one number only. */
export function checkSeries(stores: ReadonlyMap<string, Store>, problems: Problem[]): void {
  const seen = new Map<string, Store>();
  for (const store of stores.values()) {
    const { establecimiento, puntoEmision } = store.series;
    const key = [store.issuer.ruc, store.issuer.ambiente, establecimiento, puntoEmision].join(' ');
    const other = seen.get(key);
    for (const first of ['first', 'firstCreditNote'] as const) {
      if (other === undefined || other.series[first] === store.series[first]) continue;
      problems.push({
        path: `stores.${store.id}.series.${first}`,
        message: `La serie ${establecimiento}-${puntoEmision} empieza en ${other.series[first]} en stores.${other.id}; escriba el mismo número.`,
      });
    }
    seen.set(key, store);
  }
}

const remedies: Readonly<Record<TaxFact, string>> = {
  rateId: 'Use title o rate.',
  taxClass: 'Use title, rate o sku.',
  tag: 'Use sku o name, o active productDetails en la conexión si la plataforma lo ofrece.',
  collection: 'Use sku o name, o active productDetails en la conexión si la plataforma lo ofrece.',
};

function checkRules(
  rules: readonly TaxRule[],
  facts: { unknown: readonly TaxFact[]; rates: IvaRates },
  path: string,
  problems: Problem[],
): void {
  rules.forEach((rule, at) => {
    const say = (message: string) => problems.push({ path: `${path}.${at}`, message });
    const missing = facts.unknown.find((fact) => rule.when[fact] !== undefined);
    if (missing)
      say(
        `La regla «${rule.name}» nunca se aplicaría: la tienda no dice «${missing}» de sus líneas. ${remedies[missing]}`,
      );
    const contradiction = contradicts(rule, facts.rates);
    if (contradiction) say(contradiction);
    const earlier = rules.slice(0, at).find((other) => shadows(other, rule));
    if (earlier)
      say(
        `La regla «${rule.name}» nunca se aplicaría: «${earlier.name}» ya decide lo mismo antes. Cambie el orden o quite una.`,
      );
  });
}

function contradicts({ name, when, means }: TaxRule, rates: IvaRates): string | null {
  const { iva } = means;
  if (when.untaxed && (when.rate || when.rateId || when.title)) {
    return `La regla «${name}» pide a la vez líneas sin impuesto y un impuesto; deje una de las dos condiciones.`;
  }
  if (means.hold !== undefined && Object.keys(means).length > 1) {
    return `La regla «${name}» retiene el pedido y a la vez le asigna algo; deje solo hold.`;
  }
  if (means.kind !== undefined && special.has(means.kind) && iva !== undefined)
    return `La regla «${name}» dice que es ${means.kind} y le da un IVA, que decide ${special.get(means.kind)}; quite iva.`;
  const kinds = when.kind && means.kind && whatIs(when.kind, means.kind);
  if (kinds)
    return `La regla «${name}» nunca se aplicaría: lo que en la tienda es ${when.kind?.join(' o ')} no puede ser ${means.kind}, sino ${kinds.join(', ')}.`;
  // With ICE the condition names the ICE, and `iva` is the IVA of the line.
  if (iva === undefined || (means.ice && hasTaxCondition(when))) return null;
  const due = Number(rates[iva]);
  const stated = when.rate?.find((rate) => Number(rate) !== due);
  if (stated !== undefined) {
    return `La regla «${name}» asigna el IVA ${iva} (${due} %) a un impuesto del ${stated} %.`;
  }
  if (when.untaxed && due !== 0) {
    return `La regla «${name}» asigna el IVA ${iva} (${due} %) a líneas en las que la tienda no cobró impuesto.`;
  }
  return null;
}

function whatIs(given: readonly ItemKind[], wanted: ItemKind): ItemKind[] | null {
  const possible = [lineKinds, chargeKinds].filter((kinds: readonly ItemKind[]) =>
    given.some((one) => kinds.includes(one)),
  );
  const all: ItemKind[] = [...new Set(possible.flat())];
  return all.includes(wanted) ? null : all;
}

const special: ReadonlyMap<ItemKind, string> = new Map([
  ['gift-card', 'policy.giftCardsSold'],
  ['tip', 'policy.tips'],
  ['duty', 'policy.duties'],
]);

const hasTaxCondition = (when: TaxCondition) =>
  when.rate !== undefined || when.rateId !== undefined || when.title !== undefined;

function shadows(first: TaxRule, second: TaxRule): boolean {
  const decided = Object.keys(second.means) as (keyof TaxMeaning)[];
  if (!decided.every((key) => first.means[key] !== undefined)) return false;
  // The same condition may mean the ICE in one rule and the IVA in another.
  if ((first.means.ice === undefined) !== (second.means.ice === undefined)) return false;
  return (Object.keys({ ...first.when, abroad: undefined }) as (keyof TaxCondition)[]).every((key) =>
    key === 'abroad' ? covers(placeOf(first), placeOf(second)) : covers(first.when[key], second.when[key]),
  );
}

const placeOf = ({ when, means }: TaxRule): boolean | undefined =>
  when.abroad ?? (means.iva === undefined ? undefined : false);

function covers(wide: TaxCondition[keyof TaxCondition], narrow: TaxCondition[keyof TaxCondition]): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  if (typeof wide === 'boolean' || typeof narrow === 'boolean') return wide === narrow;
  return narrow.every((one) => wide.some((pattern) => pattern === one || globCovers(pattern, one)));
}

function globCovers(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern.toLowerCase() === text.toLowerCase();
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text.toLowerCase());
}

export function toMoneyPolicy(written: WrittenMoney): MoneyPolicy {
  const { tips, duties, giftCardsSold, payments, tax } = written;
  const { additionalInfo, waybillFrom, plateFrom, lineDetails } = written;
  const { as, iva } = giftCardsSold;
  return {
    additionalInfo,
    waybillFrom,
    plateFrom,
    lineDetails,
    tax: { rules: toRules(tax) },
    tips: toSpecial(tips),
    duties: toSpecial(duties),
    giftCardsSold: as === 'line' ? { as, iva } : { as },
    payments: Object.fromEntries(
      Object.entries(payments).map(([gateway, rule]) => [
        gateway,
        typeof rule === 'string' ? { tipo: rule } : rule,
      ]),
    ),
  };
}

function toRules(tax: WrittenMoney['tax']): TaxRule[] {
  const byRateId = Object.entries(tax.byRateId).map(([rateId, iva]) => ({
    name: `byRateId ${rateId}`,
    when: { rateId: [rateId] },
    means: { iva },
  }));
  const byClass = Object.entries(tax.byClass).map(([taxClass, iva]) => ({
    name: `byClass ${taxClass}`,
    when: { taxClass: [taxClass], untaxed: true },
    means: { iva },
  }));
  const { untaxed } = tax;
  return [
    ...tax.rules.map(toRule),
    ...byRateId,
    ...byClass,
    ...(untaxed === null ? [] : [{ name: 'untaxed', when: { untaxed: true }, means: { iva: untaxed } }]),
  ];
}

function toRule({ name, when, then }: WrittenRule, at: number): TaxRule {
  const { untaxed, abroad, rateId, rate, kind, ...texts } = when;
  const lists = Object.entries(texts).map(([key, value]) => [key, value === undefined ? value : list(value)]);
  const { ice, ...rest } = then;
  return {
    name: name ?? `regla ${at + 1}`,
    when: {
      ...Object.fromEntries(lists.filter(([, value]) => value !== undefined)),
      ...(untaxed === undefined ? {} : { untaxed }),
      ...(abroad === undefined ? {} : { abroad }),
      ...(rateId === undefined ? {} : { rateId: list(rateId).map(String) }),
      ...(rate === undefined ? {} : { rate: list(rate).map(String) }),
      ...(kind === undefined ? {} : { kind: list(kind) }),
    },
    means: { ...rest, ...(ice ? { ice: toIce(ice) } : {}) },
  };
}

function toIce({ tarifa, porUnidad, ...code }: NonNullable<WrittenRule['then']['ice']>): IceMeaning {
  return porUnidad === undefined ? { ...code, tarifa: String(tarifa) } : { ...code, porUnidad };
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

function toSpecial({ as, iva }: WrittenMoney['tips']): SpecialItem {
  return as === 'line' ? { as, iva } : { as };
}
