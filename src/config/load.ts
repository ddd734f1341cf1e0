import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cosmiconfig, type Loader } from 'cosmiconfig';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { ConfigError } from '../domain/errors.ts';
import { type Override, variableOf } from '../domain/overrides.ts';
import { disguiseReferences, type Environment, replaceReferences, uncoverReferences } from './env.ts';
import { defaultDirectory } from './ledger-place.ts';
import { check, type Problem, refuse } from './messages.ts';
import { type ConfigFile, configSchema } from './schema.ts';
import { weakSecrets } from './weak-secrets.ts';

/** A config file after reading: references replaced, defaults filled in, places absolute. */
export interface Config extends Omit<ConfigFile, 'ledger' | 'redis'> {
  /** The file it came from, for messages and for paths relative to it. */
  file: string;
  ledger: { directory: string } | { url: string; schema?: string };
  redis: { url: string; prefix: string } | null;
  /** Settings that count although DATABASE_URL or REDIS_URL is set and says otherwise. */
  overrides: readonly Override[];
}

const names = ['yaml', 'yml', 'json', 'ts'].map((ending) => `facturapuente.config.${ending}`);

/**
 * Finds (in `cwd`, or at `path`) and reads the config file. Throws ConfigError when there is none, when it
 * cannot be parsed, when a variable is missing or a value is wrong; all findings in one error.
 */
export async function loadConfig(options: { path?: string; cwd: string; env: Environment }): Promise<Config> {
  const explorer = cosmiconfig('facturapuente', {
    searchPlaces: names,
    cache: false,
    loaders: { '.yaml': loadYaml, '.yml': loadYaml, '.json': loadYaml, '.ts': loadModule },
  });
  const path = options.path === undefined ? undefined : resolve(options.cwd, options.path);
  const found = path === undefined ? await explorer.search(options.cwd) : await loadFrom(explorer, path);
  if (found === null || found.isEmpty === true)
    throw new ConfigError(
      'config-missing',
      `No hay configuración en ${options.cwd}: cree facturapuente.config.yaml o indique el archivo con --config.`,
      `No configuration in ${path ?? options.cwd}; expected one of ${names.join(', ')} or an explicit path.`,
    );
  return parseConfig(found.config, { file: found.filepath, env: options.env });
}

/**
 * Reads an already parsed config (tests, the demo). `file` names it in messages; relative directories are
 * relative to its folder. DATABASE_URL, REDIS_URL, FACTURAPUENTE_SECRET, FACTURAPUENTE_PRODUCTION, LOG_LEVEL and
 * FACTURAPUENTE_TEST_CLOCK of `env` count where the config says nothing.
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
    ...{ file, redis, log: { ...log, ...logFile } },
    ledger: ledgerPlace(ledger, file),
    overrides: overridesIn(replaced, env),
  };
}

function ledgerPlace(ledger: NonNullable<ConfigFile['ledger']>, file: string): Config['ledger'] {
  if (ledger.url === undefined)
    return { directory: resolve(dirname(file), ledger.directory ?? defaultDirectory(file)) };
  return ledger.schema === undefined ? { url: ledger.url } : { url: ledger.url, schema: ledger.schema };
}

async function loadFrom(explorer: ReturnType<typeof cosmiconfig>, path: string) {
  try {
    return await explorer.load(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      'config-unreadable',
      `No se pudo leer la configuración ${path}: revise que el archivo exista y termine en .yaml, .yml, .json o .ts.`,
      `Configuration ${path} could not be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

// JSON is YAML 1.2, so one reader serves both. Days and numbers like 001 stay what the core schema makes of them.
const loadYaml: Loader = (file, content) => {
  try {
    return parseYaml(disguiseReferences(content), (_key, value) => uncoverReferences(value));
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    // Only the first line: the rest quotes the file, which may hold secrets.
    const at = error.linePos?.[0];
    const place = at === undefined ? '' : ` en la línea ${at.line}, columna ${at.col}`;
    throw new ConfigError(
      'config-unreadable',
      `${file} no es YAML ni JSON válido${place}.`,
      `${file} is no valid YAML or JSON: ${error.code} at line ${at?.line ?? '?'}, column ${at?.col ?? '?'}.`,
    );
  }
};

// cosmiconfig's own loader retries with require() and then reports the second failure; Node strips types itself.
const loadModule: Loader = async (file) => {
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  return module.default ?? module.config ?? null;
};

type Written = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Written =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The config as it is written, with what the environment says where it says nothing. */
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

/** A section takes what the environment says unless it says so itself, by one of these names. */
function section(
  name: string,
  { [name]: written = {} }: Written,
  said: Readonly<Record<string, string | undefined>>,
  by: readonly string[],
): object {
  if (!isObject(written) || by.some((one) => written[one] !== undefined)) return {};
  const full = Object.entries(said).filter(([, text]) => text);
  // Last: a config in TypeScript may name a setting and leave it undefined.
  return full.length === 0 ? {} : { [name]: { ...written, ...Object.fromEntries(full) } };
}

/** What the config, its references replaced, says of a place otherwise than a variable that is set. */
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
