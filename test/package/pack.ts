import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const run = promisify(execFile);

/** What a user gets: where the tarball lies and where it is unpacked, beside the packages it depends on. */
export interface Packed {
  folder: string;
  tarball: string;
  unpacked: string;
}

/** Builds into a folder of its own (never the checkout's dist), packs it and unpacks it. */
export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'fp-package-'));
  const stage = join(folder, 'stage');
  await mkdir(stage);
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of ['package.json', ...files.filter((file) => file !== 'dist')])
    await cp(join(root, name), join(stage, name), { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', 'src', '--outDir', join(stage, 'dist')], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: stage });
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const tarball = join(folder, `${name}-${version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', folder]);
  const unpacked = join(folder, 'package');
  await symlink(join(root, 'node_modules'), join(unpacked, 'node_modules'));
  return { folder, tarball, unpacked };
}
