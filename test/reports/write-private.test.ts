import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { withDraft, writePrivate } from '../../src/reports/write-private.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fp-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});
const at = (name: string) => join(folder, name);
const modeOf = async (name: string) => (await stat(at(name))).mode & 0o777;

test('a file is for its owner alone, also where one that everybody may write stands already', async () => {
  await writePrivate(at('nuevo.json'), 'uno');
  expect([await modeOf('nuevo.json'), await readFile(at('nuevo.json'), 'utf8')]).toEqual([0o600, 'uno']);
  await writeFile(at('viejo.json'), 'viejo');
  await chmod(at('viejo.json'), 0o666);
  // A second name of the old file, or somebody who holds it open, sees nothing of the new one.
  await link(at('viejo.json'), at('otro.json'));
  await writePrivate(at('viejo.json'), 'dos');
  expect([await modeOf('viejo.json'), await readFile(at('viejo.json'), 'utf8')]).toEqual([0o600, 'dos']);
  expect(await readFile(at('otro.json'), 'utf8')).toBe('viejo');
  expect((await readdir(folder)).sort()).toEqual(['nuevo.json', 'otro.json', 'viejo.json']);
});

test('what is no regular file is refused with a sentence and stays as it is', async () => {
  await writeFile(at('secreto'), 'no se toca');
  await symlink(at('secreto'), at('enlace.json'));
  await symlink(at('nadie'), at('roto.json'));
  await mkdir(at('carpeta'));
  for (const [name, why] of [
    ['enlace.json', 'es un enlace a otro archivo'],
    ['roto.json', 'es un enlace a otro archivo'],
    ['carpeta', 'es una carpeta'],
    ['carpeta/no/esta.json', 'no existe la carpeta'],
  ] as const)
    await expect(writePrivate(at(name), 'x')).rejects.toMatchObject({
      code: 'export-out',
      merchant: expect.stringContaining(why),
    });
  expect(await readFile(at('secreto'), 'utf8')).toBe('no se toca');
  expect((await readdir(folder)).sort()).toEqual(['carpeta', 'enlace.json', 'roto.json', 'secreto']);
});

test('what could not be written whole leaves what was there, and nothing else', async () => {
  await writePrivate(at('mes.zip'), 'entero');
  const broken = withDraft(at('mes.zip'), async (draft) => {
    await writeFile(draft, 'a medias');
    throw new Error('broken');
  });
  await expect(broken).rejects.toThrow('broken');
  expect([await readdir(folder), await readFile(at('mes.zip'), 'utf8')]).toEqual([['mes.zip'], 'entero']);
});
