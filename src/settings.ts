import { ivaRates } from '../mappers/tables/iva.ts';
import type { Config } from './config/load.ts';
import { loadPlatforms } from './config/platforms.ts';
import { resolveSettings } from './config/resolve.ts';
import type { Platform } from './core/platform.ts';
import type { Settings } from './core/settings.ts';
import { builtInPlatforms } from './platforms.ts';

/**
 * The config resolved with all there is: the built-in platforms, `more`, those the config names, and the rates of
 * the law. Throws ConfigError.
 */
export async function openSettings(config: Config, more: readonly Platform[] = []): Promise<Settings> {
  const named = await loadPlatforms(config.platforms, config.file);
  return resolveSettings(config, [...builtInPlatforms, ...more, ...named], ivaRates);
}
