import { builtInPlatforms } from '../app/platforms.ts';
import { openSettings } from '../app/settings.ts';
import { loadConfig } from '../config/load.ts';
import { defaultPolicy } from '../config/resolve-stores.ts';
import { PayloadError } from '../domain/errors.ts';
import type { Store } from '../domain/settings.ts';
import { demoIssuer } from './demo-issuer.ts';

export type PlanStore = Pick<Store, 'platform' | 'connection' | 'issuer' | 'series' | 'policy'>;

/**
 * The configured store, or a demo issuer under the platform's defaults.
 * @throws PayloadError when the flags name neither.
 */
export async function chooseStore(flags: {
  platform?: string;
  config?: string;
  store?: string;
}): Promise<PlanStore> {
  if (flags.config !== undefined || flags.store !== undefined) return configured(flags.config, flags.store);
  const platform = builtInPlatforms.find((candidate) => candidate.name === flags.platform);
  if (!platform) throw unclear('Indique la plataforma con --platform shopify o --platform woocommerce.');
  return { platform, connection: platform.demoConnection(), ...demoIssuer, policy: defaultPolicy() };
}

async function configured(path: string | undefined, id: string | undefined): Promise<PlanStore> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const { stores } = await openSettings(config);
  const store = id === undefined && stores.size === 1 ? [...stores.values()][0] : stores.get(id ?? '');
  if (store) return store;
  throw unclear(`Indique con --store una tienda de la configuración: ${[...stores.keys()].join(', ')}.`);
}

const unclear = (sentence: string): PayloadError => new PayloadError('plan-input', sentence, sentence);
