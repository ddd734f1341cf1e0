import { startOfEcuadorDay } from '../domain/calendar.ts';
import type { IvaRates, TaxCondition, TaxMeaning, TaxRule } from '../domain/money-policy.ts';
import type { Platform, TaxFact } from '../domain/platform.ts';
import type { Account, App, Policy, Store } from '../domain/settings.ts';
import { shadowStore } from '../domain/shadow.ts';
import { check, type Problem, unknown } from './messages.ts';
import { toMoneyPolicy } from './money-policy.ts';
import { type ConfigFile, policySchema } from './schema.ts';

/** Every store with its platform, app, account and issuer; what cannot be resolved becomes a problem. */
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
    // What only `install` needs must not travel with every document.
    const { account: accountId, signature: _signature, logo: _logo, smtp: _smtp, ...issuer } = found;
    const account = known.accounts.get(accountId);
    // An unknown account was told at its issuer, an unknown app just above.
    if (account === undefined || app === undefined) continue;
    const shop = platform.shopOf(connection);
    const policy = toPolicy(written);
    const facts = { untold: platform.cannotTell?.(connection) ?? [], rates: known.rates };
    checkRules(policy.tax.rules, facts, `${path}.policy.tax.rules`, problems);
    const store = { id, platform, connection, app, shop, account, issuer, series: written.series, policy };
    stores.set(id, withShadow(store, written.shadow, `${path}.shadow`, problems));
  }
  return stores;
}

/** null = the store is its own door; undefined = the app it names cannot be used. */
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

/** What a store that configures nothing gets; for offline planning. */
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

/** The store with its shadow; one that waits for its own environment has its history where the shadow begins. */
function withShadow(
  store: Store,
  written: ConfigFile['stores'][string]['shadow'],
  path: string,
  problems: Problem[],
): Store {
  if (written === undefined) return store;
  const { series, only } = written;
  const { ambiente } = store.issuer;
  if (ambiente === 1 && !only)
    problems.push({
      path,
      message:
        'El emisor ya está en pruebas (ambiente 1): la sombra acompaña a uno de producción. Quítela, o escriba only: true.',
    });
  const { establecimiento, puntoEmision } = series;
  if (establecimiento === store.series.establecimiento && puntoEmision === store.series.puntoEmision)
    problems.push({
      path: `${path}.series`,
      message:
        'Es la misma serie de la tienda: dos documentos tendrían el mismo número. Use otro punto de emisión, por ejemplo 900.',
    });
  const invoiceFrom = written.invoiceFrom === undefined ? null : toInstant(written.invoiceFrom);
  const shadow = { only, store: shadowStore(store, { series, invoiceFrom }) };
  return only ? { ...store, shadow, policy: { ...store.policy, invoiceFrom } } : { ...store, shadow };
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
  const all = [...stores.values()].flatMap((one) => [one, ...(one.shadow ? [one.shadow.store] : [])]);
  for (const store of all) {
    const { establecimiento, puntoEmision } = store.series;
    const key = [store.issuer.ruc, store.issuer.ambiente, establecimiento, puntoEmision].join(' ');
    const other = seen.get(key);
    for (const first of ['first', 'firstCreditNote'] as const) {
      if (other === undefined || other.series[first] === store.series[first]) continue;
      problems.push({
        path: `stores.${store.id.replace(/\.sombra$/, '.shadow')}.series.${first}`,
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

/** Rules that contradict themselves, that ask for what the store never tells, and that an earlier one overtakes. */
function checkRules(
  rules: readonly TaxRule[],
  facts: { untold: readonly TaxFact[]; rates: IvaRates },
  path: string,
  problems: Problem[],
): void {
  rules.forEach((rule, at) => {
    const say = (message: string) => problems.push({ path: `${path}.${at}`, message });
    const silent = facts.untold.find((fact) => rule.when[fact] !== undefined);
    if (silent) {
      say(
        `La regla «${rule.name}» nunca se aplicaría: la tienda no dice «${silent}» de sus líneas. ${remedies[silent]}`,
      );
    }
    const contradiction = contradicts(rule, facts.rates);
    if (contradiction) say(contradiction);
    const earlier = rules.slice(0, at).find((other) => overtakes(other, rule));
    if (earlier) {
      say(
        `La regla «${rule.name}» nunca se aplicaría: «${earlier.name}» ya decide lo mismo antes. Cambie el orden o quite una.`,
      );
    }
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
  // With ICE the named tax is the ICE, and `iva` is about the rest of the line.
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

const hasTaxCondition = (when: TaxCondition) =>
  when.rate !== undefined || when.rateId !== undefined || when.title !== undefined;

/** Whether `first` matches wherever `second` does and decides everything `second` decides. */
function overtakes(first: TaxRule, second: TaxRule): boolean {
  const decided = Object.keys(second.means) as (keyof TaxMeaning)[];
  if (!decided.every((key) => first.means[key] !== undefined)) return false;
  // The same words can name the ICE in one rule and the IVA in another.
  if ((first.means.ice === undefined) !== (second.means.ice === undefined)) return false;
  return (Object.keys({ ...first.when, abroad: undefined }) as (keyof TaxCondition)[]).every((key) =>
    key === 'abroad' ? covers(placeOf(first), placeOf(second)) : covers(first.when[key], second.when[key]),
  );
}

/** A rule that gives an IVA speaks of sales in Ecuador unless it says otherwise. */
const placeOf = ({ when, means }: TaxRule): boolean | undefined =>
  when.abroad ?? (means.iva === undefined ? undefined : false);

function covers(wide: TaxCondition[keyof TaxCondition], narrow: TaxCondition[keyof TaxCondition]): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  if (typeof wide === 'boolean' || typeof narrow === 'boolean') return wide === narrow;
  return narrow.every((one) => wide.some((pattern) => pattern === one || swallows(pattern, one)));
}

/** A glob swallows another when it matches its text, `*` standing for itself. */
function swallows(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern.toLowerCase() === text.toLowerCase();
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text.toLowerCase());
}
