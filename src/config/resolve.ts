import { createHash } from 'node:crypto';
import type { IvaRates } from '../domain/money-policy.ts';
import type { Platform } from '../domain/platform.ts';
import type { Account, App, Settings } from '../domain/settings.ts';
import { check, type Problem, refuse, unknown } from './messages.ts';
import { checkSeries, checkShops, resolveStores } from './resolve-stores.ts';
import type { ConfigFile } from './schema.ts';
import { isEncrypted } from './schema-parts.ts';

/**
 * The config with every reference resolved. `platforms` are the built-in and third-party adapters, `rates` those
 * the law has for IVA, against which rules are checked. Throws one ConfigError that lists every broken reference,
 * every setting a platform refuses and every rule that cannot be.
 */
export function resolveSettings(
  config: Omit<ConfigFile, 'ledger' | 'redis'> & { file?: string },
  platforms: readonly Platform[],
  rates: IvaRates,
): Settings {
  const problems: Problem[] = [];
  const named = new Map(platforms.map((platform) => [platform.name, platform]));
  const accounts = new Map(Object.entries(config.accounts).map(([id, value]) => [id, toAccount(id, value)]));
  checkIssuers(config, accounts, problems);
  if (config.notify.alertsTo.length > 0 && config.mail === undefined)
    problems.push({
      path: 'notify.alertsTo',
      message: 'Falta mail: el servidor por el que salen los avisos.',
    });
  checkPeople(config, problems);
  const apps = resolveApps(config, named, problems);
  const stores = resolveStores(config, { named, accounts, apps, rates }, problems);
  checkShops(stores, problems);
  checkSeries(stores, problems);
  refuse(problems, config.file ?? 'config');
  return { publicUrl: config.publicUrl, accounts, apps, stores, platforms };
}

/**
 * Who is limited to a store that is neither in the config nor in the ledger is limited to nothing anybody meant. Throws
 * one ConfigError with all of them. @param known ids of both.
 */
export function refuseUnknownStores(
  { panel, mcp, file }: Pick<ConfigFile, 'panel' | 'mcp'> & { file?: string },
  known: ReadonlySet<string>,
): void {
  const limited = [
    ...panel.users.map(({ stores }, at) => ({ path: `panel.users.${at}.stores`, stores })),
    ...Object.entries(mcp.tokens).map(([name, token]) => ({
      path: `mcp.tokens.${name}.stores`,
      stores: typeof token === 'string' ? undefined : token.stores,
    })),
  ];
  const problems = limited.flatMap(({ path, stores = [] }) =>
    stores.flatMap((id, at) =>
      known.has(id) ? [] : [{ path: `${path}.${at}`, message: unknown(id, known) }],
    ),
  );
  refuse(problems, file ?? 'config');
}

function toAccount(id: string, account: ConfigFile['accounts'][string]): Account {
  const { baseUrl, webhookSecrets, reprocess, apiKey, apiKeys } = account;
  const keys = (apiKeys ?? [apiKey ?? '']).map((one) => ({
    apiKey: one,
    keyHash: createHash('sha256').update(one).digest('hex'),
  }));
  // The schema has made sure that there is one.
  return { id, baseUrl, webhookSecrets, reprocess, keys, keyHash: keys[0]?.keyHash ?? '' };
}

function checkPeople({ panel, operator }: Pick<ConfigFile, 'panel' | 'operator'>, problems: Problem[]): void {
  const known = new Set(operator ? [operator.user] : []);
  panel.users.forEach(({ user }, at) => {
    if (known.has(user))
      problems.push({
        path: `panel.users.${at}.user`,
        message: `Ya hay un usuario «${user}» en panel.users u operator; cada persona lleva el suyo.`,
      });
    known.add(user);
  });
}

function checkIssuers(
  config: Pick<ConfigFile, 'issuers' | 'testClock'>,
  accounts: ReadonlyMap<string, Account>,
  problems: Problem[],
): void {
  for (const [id, issuer] of Object.entries(config.issuers)) {
    const account = accounts.get(issuer.account);
    if (account === undefined)
      problems.push({ path: `issuers.${id}.account`, message: unknown(issuer.account, accounts.keys()) });
    if (issuer.ambiente === 2 && config.testClock !== undefined)
      problems.push({
        path: `issuers.${id}.ambiente`,
        message: 'El reloj de prueba (testClock) no se admite en producción (ambiente 2).',
      });
    if (issuer.ambiente === 2 && account !== undefined && !isEncrypted(account.baseUrl))
      problems.push({
        path: `accounts.${issuer.account}.baseUrl`,
        message: 'En producción (ambiente 2) la dirección debe empezar con https://.',
      });
  }
}

function resolveApps(
  config: Pick<ConfigFile, 'apps' | 'stores'>,
  named: ReadonlyMap<string, Platform>,
  problems: Problem[],
): Map<string, App> {
  const apps = new Map<string, App>();
  for (const [id, { platform: name, ...written }] of Object.entries(config.apps)) {
    const path = `apps.${id}`;
    const platform = named.get(name);
    if (Object.hasOwn(config.stores, id))
      problems.push({
        path,
        message: 'Una tienda lleva el mismo nombre; las direcciones de webhook se confundirían.',
      });
    if (platform === undefined)
      problems.push({ path: `${path}.platform`, message: unknown(name, named.keys()) });
    else if (platform.app === null)
      problems.push({
        path,
        message: `${platform.title} no usa apps: escriba la conexión en la tienda.`,
      });
    else {
      const before = problems.length;
      const settings = check(platform.app, written, path, problems);
      if (problems.length === before) apps.set(id, { id, platform, settings });
    }
  }
  return apps;
}
