import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';
import { type Environment, replaceReferences } from './env.ts';
import type { Config } from './load.ts';
import { check, type Problem, refuse } from './messages.ts';
import { configSchema } from './schema.ts';
import { weakSecrets } from './weak-secrets.ts';

const { accounts, issuers, stores, production } = configSchema.shape;

/** A store with who issues for it, in the sections and words of the config file; kept sealed in the ledger. */
const Fragment = z.strictObject({
  accounts: accounts.default({}),
  issuers: issuers.default({}),
  /** The same confirmation as in the config. */
  production,
  stores,
});
export type Fragment = z.output<typeof Fragment>;

/**
 * Reads what `store add` was given: YAML or JSON text, its `${NAME}` references replaced. `raw` is what is kept. Throws
 * ConfigError with everything that is wrong, and `store-count` when it is not exactly one store.
 */
export function readFragment(
  text: string,
  source: { file: string; env: Environment },
): { id: string; raw: unknown } {
  const problems: Problem[] = [];
  let written: unknown;
  try {
    written = parseYaml(text);
  } catch {
    // What the parser says quotes the text, which may hold secrets.
    throw new ConfigError(
      'config-unreadable',
      `${source.file} no es YAML ni JSON válido.`,
      `${source.file} is no valid YAML or JSON.`,
    );
  }
  const raw = replaceReferences(written, source.env, problems);
  refuse(problems, source.file);
  const [id, ...more] = Object.keys(parseFragment(raw, source.file).stores);
  if (id === undefined || more.length > 0)
    throw new ConfigError(
      'store-count',
      `${source.file} debe tener exactamente una tienda en «stores».`,
      `${source.file} must hold exactly one store.`,
    );
  return { id, raw };
}

/** Throws ConfigError. */
export function parseFragment(raw: unknown, where: string): Fragment {
  const problems: Problem[] = [];
  const fragment = check(Fragment, raw, '', problems);
  if (fragment !== undefined) problems.push(...weakSecrets(fragment));
  refuse(problems, where);
  if (fragment === undefined) throw new TypeError('A fragment without problems must have a value.');
  return fragment;
}

/** The config with a fragment's sections. Throws ConfigError where both say something of the same name. */
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
