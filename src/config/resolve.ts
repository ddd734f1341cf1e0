import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';
import type { IvaRates } from '../domain/money-policy.ts';
import type { Platform } from '../domain/platform.ts';
import type { Account, App, Settings } from '../domain/settings.ts';
import { type Config, type Environment, replaceReferences } from './load.ts';
import { check, type Problem, refuse, unknown } from './messages.ts';
import { checkSeries, checkShops, resolveStores } from './resolve-stores.ts';
import { type ConfigFile, configSchema } from './schema.ts';
import { isEncrypted } from './schema-accounts.ts';
import { weakSecrets } from './weak-secrets.ts';

/** Throws one ConfigError with every unknown name, every setting a platform refuses and every impossible rule. */
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
  return { id, baseUrl, webhookSecrets, reprocess, keys, keyHash: keys[0]?.keyHash ?? '' };
}

function checkPeople(
  { panel, operator, mail }: Pick<ConfigFile, 'panel' | 'operator' | 'mail'>,
  problems: Problem[],
): void {
  const reachable = [
    { path: 'operator.email', email: operator?.email },
    ...panel.users.map(({ email }, at) => ({ path: `panel.users.${at}.email`, email })),
  ];
  for (const { path, email } of reachable)
    if (email !== undefined && mail === undefined)
      problems.push({
        path,
        message: 'Falta mail: el servidor por el que sale el enlace de una contraseña nueva.',
      });
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

/** Paths are relative to the config file. Every named export that is a platform counts. */
export async function loadPlatforms(specifiers: readonly string[], file: string): Promise<Platform[]> {
  const { resolve } = createRequire(file);
  const platforms: Platform[] = [];
  for (const specifier of specifiers) {
    const found = Object.values(await importFrom(specifier, resolve)).filter(isPlatform);
    if (found.length === 0)
      throw new ConfigError('config-invalid', {
        why: 'list',
        where: 'platforms',
        list: `  - «${specifier}» no exporta ninguna plataforma.`,
      });
    platforms.push(...found);
  }
  return platforms;
}

async function importFrom(specifier: string, resolve: NodeJS.RequireResolve): Promise<object> {
  try {
    return await import(pathToFileURL(resolve(specifier)).href);
  } catch (error) {
    throw new ConfigError(
      'config-invalid',
      {
        why: 'list',
        where: 'platforms',
        list: `  - No se pudo cargar «${specifier}»: revise la ruta o instale el paquete.`,
        reason: (error as Error).message,
      },
      { cause: error },
    );
  }
}

function isPlatform(value: unknown): value is Platform {
  if (value === null || typeof value !== 'object') return false;
  const { name, connection, receive, readOrder } = value as Partial<Platform>;
  return (
    typeof name === 'string' &&
    typeof connection === 'object' &&
    typeof receive === 'function' &&
    typeof readOrder === 'function'
  );
}

const { accounts, issuers, stores, production } = configSchema.shape;

const Fragment = z.strictObject({
  accounts: accounts.default({}),
  issuers: issuers.default({}),
  production,
  stores,
});
type Fragment = z.output<typeof Fragment>;

export function readFragment(
  text: string,
  source: { file: string; env: Environment },
): { id: string; raw: unknown } {
  const problems: Problem[] = [];
  let written: unknown;
  try {
    written = parseYaml(text);
  } catch {
    // The parser's message quotes the text, which may contain secrets.
    throw new ConfigError('config-invalid', { why: 'unreadable', file: source.file, place: '' });
  }
  const raw = replaceReferences(written, source.env, problems);
  refuse(problems, source.file);
  const [id, ...more] = Object.keys(parseFragment(raw, source.file).stores);
  if (id === undefined || more.length > 0)
    throw new ConfigError('config-invalid', {
      why: 'list',
      where: source.file,
      list: '  - stores: Debe tener exactamente una tienda.',
    });
  return { id, raw };
}

export function parseFragment(raw: unknown, where: string): Fragment {
  const problems: Problem[] = [];
  const fragment = check(Fragment, raw, '', problems);
  if (fragment !== undefined) problems.push(...weakSecrets(fragment));
  refuse(problems, where);
  if (fragment === undefined) throw new TypeError('A fragment without problems must have a value.');
  return fragment;
}

/** Throws ConfigError for a name that both use. */
export function withFragment(config: Config, fragment: Fragment, where: string): Config {
  const problems: Problem[] = [];
  for (const section of ['accounts', 'issuers', 'stores'] as const)
    for (const name of Object.keys(fragment[section]))
      if (Object.hasOwn(config[section], name))
        problems.push({
          path: `${section}.${name}`,
          message: 'Ya existe en la configuración o en otra tienda registrada; use otro nombre.',
        });
  refuse(problems, where);
  return {
    ...config,
    accounts: { ...config.accounts, ...fragment.accounts },
    issuers: { ...config.issuers, ...fragment.issuers },
    stores: { ...config.stores, ...fragment.stores },
    production: [...config.production, ...fragment.production],
  };
}
