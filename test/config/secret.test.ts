import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecrets } from '../../src/config/secret.ts';
import { folderWith } from './example.ts';

const given = 'un-secreto-de-al-menos-treinta-y-dos-caracteres';
const postgres = { url: 'postgresql://db/uno' };

test('one secret gives three keys of 32 bytes, always the same', async () => {
  const first = await openSecrets({ secret: given, ledger: postgres });
  const second = await openSecrets({ secret: given, ledger: postgres });
  expect(second).toEqual(first);
  expect([...first.cipher, ...first.links].map((key) => key.length)).toEqual([32, 32]);
  expect(new Set([first.cipher, first.links, first.tickets].map(String)).size).toBe(3);
});

test('processes that start at once on a new SQLite directory agree on one generated secret', async () => {
  const directory = join(await folderWith({}), 'nuevo');
  const all = await Promise.all(Array.from({ length: 8 }, () => openSecrets({ ledger: { directory } })));
  for (const secrets of all) expect(secrets).toEqual(all[0]);
  expect((await stat(join(directory, 'secret.key'))).mode & 0o777).toBe(0o600);
  expect(await openSecrets({ ledger: { directory } })).toEqual(all[0]);
});

test('the generated secret may be moved into the config, another one is refused', async () => {
  const directory = await folderWith({});
  const generated = await openSecrets({ ledger: { directory } });
  const kept = (await readFile(join(directory, 'secret.key'), 'utf8')).trim();
  expect(await openSecrets({ secret: kept, ledger: { directory } })).toEqual(generated);
  await expect(openSecrets({ secret: given, ledger: { directory } })).rejects.toMatchObject({
    code: 'secret-changed',
  });
});

test('a secret may be replaced while the old one stays beside it: the new one encrypts and signs, both open', async () => {
  const directory = await folderWith({});
  const generated = await openSecrets({ ledger: { directory } });
  const kept = (await readFile(join(directory, 'secret.key'), 'utf8')).trim();
  const replaced = await openSecrets({ secret: given, oldSecrets: [kept], ledger: { directory } });
  expect(replaced.links.slice(1)).toEqual(generated.links);
  expect(replaced.cipher.slice(1)).toEqual(generated.cipher);
  const { links } = await openSecrets({ secret: given, ledger: postgres });
  expect(replaced.links[0]).toEqual(links[0]);
});

test('a damaged secret file is not replaced', async () => {
  const directory = await folderWith({});
  await writeFile(join(directory, 'secret.key'), '');
  await expect(openSecrets({ ledger: { directory } })).rejects.toMatchObject({ code: 'data-damaged' });
});

test('PostgreSQL without a secret is refused', async () => {
  await expect(openSecrets({ ledger: postgres })).rejects.toMatchObject({ code: 'secret-missing' });
});

test('after a move the refusal names the kept secret, for another one could read nothing', async () => {
  const folder = await folderWith({});
  const file = join(folder, 'facturapuente.config.yaml');
  await openSecrets({ ledger: { directory: join(folder, '.facturapuente') } });
  const opened = openSecrets({ file, ledger: postgres });
  await expect(opened).rejects.toMatchObject({
    code: 'secret-missing',
    merchant: expect.stringMatching(/secret\.key(?!.*openssl)/),
  });
});
