import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../domain/errors.ts';
import type { Platform } from '../domain/platform.ts';

/**
 * Loads the third-party adapters named in `platforms` of the config: a path relative to the config file or a
 * package installed beside it. Every named export that is a platform counts.
 */
export async function loadPlatforms(specifiers: readonly string[], file: string): Promise<Platform[]> {
  const { resolve } = createRequire(file);
  const platforms: Platform[] = [];
  for (const specifier of specifiers) {
    const found = Object.values(await importFrom(specifier, resolve)).filter(isPlatform);
    if (found.length === 0)
      throw new ConfigError(
        'platform-empty',
        `platforms: «${specifier}» no exporta ninguna plataforma.`,
        `"${specifier}" has no named export made with definePlatform; export one.`,
      );
    platforms.push(...found);
  }
  return platforms;
}

async function importFrom(specifier: string, resolve: NodeJS.RequireResolve): Promise<object> {
  try {
    return await import(pathToFileURL(resolve(specifier)).href);
  } catch (error) {
    throw new ConfigError(
      'platform-unreadable',
      `platforms: no se pudo cargar «${specifier}»; revise la ruta o instale el paquete.`,
      `Platform "${specifier}" could not be loaded: ${(error as Error).message}`,
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
