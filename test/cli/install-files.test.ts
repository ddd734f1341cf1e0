import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeInstallFiles } from '../../src/cli/install.ts';

const name = 'shopify.app.mia.toml';
const content = 'client_id = "a"\nscopes = "read_orders"\n';

async function open() {
  const root = await mkdtemp(join(tmpdir(), 'fp-files-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'obra');
  await mkdir(folder);
  return {
    root,
    folder,
    path: join(folder, name),
    write: () => writeInstallFiles([{ name, content }], folder),
  };
}

test('a file is created once, and found the same the second time', async () => {
  const { path, write } = await open();
  expect(await write()).toEqual([{ name, state: 'created' }]);
  expect(await readFile(path, 'utf8')).toBe(content);
  expect((await stat(path)).mode & 0o022).toBe(0);
  expect(await write()).toEqual([{ name, state: 'same' }]);
});

test('an existing file that differs is not touched, and the differences are shown', async () => {
  const { path, write } = await open();
  const own = 'client_id = "a"\nscopes = "write_orders"\n';
  await writeFile(path, own);
  const changes = ['- scopes = "write_orders"', '+ scopes = "read_orders"'];
  expect(await write()).toEqual([{ name, state: 'differs', changes }]);
  expect(await readFile(path, 'utf8')).toBe(own);
});

test('a link that bears the name leads nowhere', async () => {
  const { root, path, write } = await open();
  const elsewhere = join(root, 'ajeno');
  await symlink(elsewhere, path);
  expect(await write()).toMatchObject([{ state: 'differs' }]);
  await expect(stat(elsewhere)).rejects.toThrow('ENOENT');
  await writeFile(elsewhere, 'ajeno');
  const [outcome] = await write();
  expect(JSON.stringify(outcome)).not.toContain('ajeno');
  expect(await readFile(elsewhere, 'utf8')).toBe('ajeno');
});

test.each(['../fuera.toml', '/tmp/fuera.toml', '.env', 'sub/a.toml', '..', ''])(
  'a name that leaves the folder or hides in it is refused: %s',
  async (bad) => {
    const { root, folder } = await open();
    await expect(writeInstallFiles([{ name: bad, content }], folder)).rejects.toThrow(RangeError);
    expect([await readdir(root), await readdir(folder)]).toEqual([['obra'], []]);
  },
);
