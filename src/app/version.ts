import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package.json above this file, from the sources and from the built package alike. */
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
