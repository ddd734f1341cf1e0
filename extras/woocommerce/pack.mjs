import { createWriteStream, mkdirSync, readdirSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';

/** Packs the plugin as WordPress takes it, one folder in a zip: npm run plugin [target]. The same files give the same bytes. */
const plugin = fileURLToPath(new URL('facturapuente', import.meta.url));
const target =
  process.argv[2] ?? fileURLToPath(new URL('../../dist/facturapuente-woocommerce.zip', import.meta.url));

const zip = new ZipFile();
const files = readdirSync(plugin, { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => statSync(`${plugin}/${path}`).isFile())
  .sort();
for (const path of files)
  zip.addFile(`${plugin}/${path}`, `facturapuente/${path}`, {
    mtime: new Date(2026, 0, 1),
    mode: 0o100644,
    forceDosTimestamp: true,
  });
zip.end();
mkdirSync(new URL('../../dist/', import.meta.url), { recursive: true });
await pipeline(zip.outputStream, createWriteStream(target));
process.stdout.write(`${target}: ${files.length} files, ${statSync(target).size} bytes\n`);
