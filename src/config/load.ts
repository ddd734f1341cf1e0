import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { type Clock, parseTestClock, runTestClock, type SteadyClock, steadyClock } from '../domain/clock.ts';
import { ConfigError } from '../domain/errors.ts';
import { type Override, variableOf } from '../domain/settings.ts';
import { check, type Problem, refuse } from './messages.ts';
import { type ConfigFile, configSchema } from './schema.ts';
import { weakSecrets } from './weak-secrets.ts';

/** A config file after reading: references replaced, defaults filled in, paths absolute. */
export interface Config extends Omit<ConfigFile, 'ledger' | 'redis'> {
  file: string;
  ledger: { directory: string } | { url: string; schema?: string };
  redis: { url: string; prefix: string } | null;
  /** Settings that differ from DATABASE_URL or REDIS_URL and win over them. */
  overrides: readonly Override[];
}

const names = ['yaml', 'yml', 'json', 'ts'].map((ending) => `facturapuente.config.${ending}`);

/** Reads the config file at `path`, or the first of `names` in `cwd`. Throws one ConfigError with every problem. */
export async function loadConfig(options: {
  path?: string | undefined;
  cwd: string;
  env: Environment;
}): Promise<Config> {
  const { path, cwd, env } = options;
  const file =
    path === undefined ? names.map((name) => join(cwd, name)).find(existsSync) : resolve(cwd, path);
  const value = file === undefined ? null : await readConfig(file);
  if (file === undefined || value === null)
    throw new ConfigError('config-missing', { folder: cwd, file, names });
  return parseConfig(value, { file, env });
}

/**
 * `file` is the base of relative paths. Throws ConfigError. Of `env`: DATABASE_URL, REDIS_URL, LOG_LEVEL,
 * FACTURAPUENTE_SECRET, FACTURAPUENTE_PRODUCTION, FACTURAPUENTE_TEST_CLOCK.
 */
export function parseConfig(value: unknown, source: { file: string; env: Environment }): Config {
  const { file, env } = source;
  const problems: Problem[] = [];
  const replaced = replaceReferences(value, env, problems);
  refuse(problems, file);
  const config = check(configSchema, withEnvironment(replaced, env), '', problems);
  if (config !== undefined) problems.push(...weakSecrets(config));
  refuse(problems, file);
  if (config === undefined) throw new TypeError('A config without problems must have a value.');
  const { ledger = {}, redis = null, log, ...rest } = config;
  const folder = dirname(file);
  const logFile = log.file === undefined ? {} : { file: resolve(folder, log.file) };
  return {
    ...rest,
    file,
    redis,
    log: { ...log, ...logFile },
    ledger: ledgerPlace(ledger, file),
    overrides: overridesIn(replaced, env),
  };
}

function ledgerPlace(ledger: NonNullable<ConfigFile['ledger']>, file: string): Config['ledger'] {
  if (ledger.url === undefined)
    return { directory: resolve(dirname(file), ledger.directory ?? defaultDirectory(file)) };
  return ledger.schema === undefined ? { url: ledger.url } : { url: ledger.url, schema: ledger.schema };
}

async function readConfig(file: string): Promise<unknown> {
  try {
    if (file.endsWith('.ts')) {
      const module: Record<string, unknown> = await import(pathToFileURL(file).href);
      return module.default ?? module.config ?? null;
    }
    if (/\.(ya?ml|json)$/.test(file)) return readYaml(file, await readFile(file, 'utf8'));
    throw new TypeError('its ending is not known.');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Node's stack of a syntax error quotes the line, which may hold a secret.
    const isQuoting = error instanceof SyntaxError;
    throw new ConfigError(
      'config-invalid',
      { why: 'unreadable', file, place: '', reason: isQuoting ? error.name : (error as Error).message },
      isQuoting ? {} : { cause: error },
    );
  }
}

function readYaml(file: string, content: string): unknown {
  try {
    return parseYaml(disguiseReferences(content), (_key, value) => uncoverReferences(value));
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    // The parser's message quotes the file, which may contain secrets.
    const at = error.linePos?.[0];
    const place = at === undefined ? '' : ` en la línea ${at.line}, columna ${at.col}`;
    throw new ConfigError('config-invalid', { why: 'unreadable', file, place, reason: error.code });
  }
}

type Written = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Written =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function withEnvironment(value: unknown, env: Environment): unknown {
  if (!isObject(value)) return value;
  return {
    ...(env.FACTURAPUENTE_SECRET ? { secret: env.FACTURAPUENTE_SECRET } : {}),
    ...(env.FACTURAPUENTE_PRODUCTION ? { production: env.FACTURAPUENTE_PRODUCTION.split(/[\s,]+/) } : {}),
    ...(env.FACTURAPUENTE_TEST_CLOCK ? { testClock: env.FACTURAPUENTE_TEST_CLOCK } : {}),
    ...value,
    ...section('ledger', value, { url: env.DATABASE_URL }, ['directory', 'url']),
    ...section('redis', value, { url: env.REDIS_URL }, ['url']),
    ...section('log', value, { level: env.LOG_LEVEL?.toLowerCase() }, ['level']),
  };
}

function section(
  name: string,
  { [name]: written = {} }: Written,
  said: Readonly<Record<string, string | undefined>>,
  by: readonly string[],
): object {
  if (!isObject(written) || by.some((one) => written[one] !== undefined)) return {};
  const full = Object.entries(said).filter(([, text]) => text);
  // The environment last: a config in TypeScript may set a name to undefined.
  return full.length === 0 ? {} : { [name]: { ...written, ...Object.fromEntries(full) } };
}

function overridesIn(value: unknown, env: Environment): Override[] {
  if (!isObject(value)) return [];
  return (Object.keys(variableOf) as Override[]).filter((setting) => {
    const [group = '', name = ''] = setting.split('.');
    const section = value[group];
    const written = isObject(section) ? section[name] : undefined;
    const said = env[variableOf[setting]];
    return Boolean(said) && written !== undefined && written !== said;
  });
}

export const defaultDirectory = (configFile: string): string => join(dirname(configFile), '.facturapuente');

export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** An unset or empty variable is a problem; references inside the values of variables are not replaced. */
export function replaceReferences(
  value: unknown,
  env: Environment,
  problems: Problem[],
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string')
    return value.replace(reference, (written, name: string) => {
      const found = env[name];
      if (found !== undefined && found !== '') return found;
      problems.push({
        path: path.join('.'),
        message: `La variable de entorno ${name} no está definida: defínala o escriba el valor aquí.`,
      });
      return written;
    });
  if (Array.isArray(value))
    return value.map((item, index) => replaceReferences(item, env, problems, [...path, String(index)]));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        replaceReferences(item, env, problems, [...path, key]),
      ]),
    );
  return value;
}

// Private-use characters, which no config contains and YAML reads as letters.
const [open, close] = ['\uE000', '\uE001'];

/** YAML reads the braces of `[${NAME}]` as a mapping; later values cannot change the structure. */
export function disguiseReferences(yaml: string): string {
  return yaml.replace(reference, `${open}$1${close}`);
}

export function uncoverReferences(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(open, '${').replaceAll(close, '}');
}

export interface ProcessClock extends Clock {
  real: SteadyClock;
  /** How many times faster than real time it runs; 1 except in tests. */
  rate: number;
}

/** resolve.ts refuses a test clock with an issuer in ambiente 2. */
export function openClock(testClock?: string): ProcessClock {
  const real = steadyClock(
    () => Date.now(),
    () => performance.now(),
  );
  if (testClock === undefined) return { now: real.now, real, rate: 1 };
  const test = parseTestClock(testClock);
  return { ...runTestClock(test, real), real, rate: test.rate };
}
