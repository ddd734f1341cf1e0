/** Settings that say where something lies, and the variable of the environment that may say it instead. */
export const variableOf = {
  'ledger.directory': 'DATABASE_URL',
  'ledger.url': 'DATABASE_URL',
  'redis.url': 'REDIS_URL',
} as const;

/** A setting of the config file that counts although its variable names another place. */
export type Override = keyof typeof variableOf;
