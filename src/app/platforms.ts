import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shopify } from '../../adapters/shopify/index.ts';
import { woocommerce } from '../../adapters/woocommerce/index.ts';
import { type Config, openClock } from '../config/load.ts';
import type { Secrets } from '../config/secret.ts';
import type { Platform } from '../domain/platform.ts';
import { type Links, openLinks } from '../http/links.ts';

export const builtInPlatforms: readonly Platform[] = [shopify, woocommerce] as unknown as readonly Platform[];

export function linksOf(
  { publicUrl, links: { days }, testClock }: Pick<Config, 'publicUrl' | 'links' | 'testClock'>,
  secrets: Pick<Secrets, 'links'>,
): Links {
  return openLinks(
    secrets.links,
    publicUrl,
    days === undefined ? null : { days, clock: openClock(testClock) },
  );
}

/** Read from the package.json above this file, in a checkout and in the package. */
function readVersion(): string {
  for (let folder = import.meta.dirname; ; folder = join(folder, '..')) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
      return manifest.version;
    } catch (error) {
      if (join(folder, '..') === folder) throw error;
    }
  }
}

export const packageVersion = readVersion();
export const userAgent = `facturapuente/${packageVersion}`;
