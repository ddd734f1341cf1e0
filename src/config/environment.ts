import { type Overruling, variableOf } from '../domain/overruling.ts';
import type { Environment } from './env.ts';

type Written = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Written =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The config as it is written, with what the environment says where it says nothing. */
export function withEnvironment(value: unknown, env: Environment): unknown {
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
export function overrulingIn(value: unknown, env: Environment): Overruling[] {
  if (!isObject(value)) return [];
  return (Object.keys(variableOf) as Overruling[]).filter((setting) => {
    const [group = '', name = ''] = setting.split('.');
    const section = value[group];
    const written = isObject(section) ? section[name] : undefined;
    const said = env[variableOf[setting]];
    return Boolean(said) && written !== undefined && written !== said;
  });
}
