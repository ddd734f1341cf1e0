import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);

/** Runs a program as a user would: what is imported is what was built. */
export const run = (
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) => execute(file, args, { ...options, env: { ...process.env, ...options.env, NODE_OPTIONS: '' } });

/** What a user gets: where the tarball lies and where it is unpacked, beside the packages it depends on. */
export interface Packed {
  folder: string;
  tarball: string;
  unpacked: string;
  /** Where facturapuente-sandbox is unpacked; `unpacked` does not find it until `addSandbox`. */
  sandbox: string;
  addSandbox(): Promise<void>;
}

/** Builds both packages into a folder of its own (never the checkout's dist), packs them and unpacks them. */
export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'fp-package-'));
  const modules = join(folder, 'modules');
  await mkdir(modules);
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== 'facturapuente-sandbox')
      await symlink(join(root, 'node_modules', name), join(modules, name));
  const sandbox = await packOne(join(root, 'sandbox'), join(folder, 'sandbox'), modules);
  const { tarball, unpacked } = await packOne(root, join(folder, 'main'), modules);
  let added: Promise<void> | undefined;
  const addSandbox = () => (added ??= symlink(sandbox.unpacked, join(modules, 'facturapuente-sandbox')));
  return { folder, tarball, unpacked, sandbox: sandbox.unpacked, addSandbox };
}

async function packOne(
  source: string,
  folder: string,
  modules: string,
): Promise<{ tarball: string; unpacked: string }> {
  const stage = join(folder, 'stage');
  await mkdir(stage, { recursive: true });
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const { name, version, files } = manifest as { name: string; version: string; files: string[] };
  for (const file of ['package.json', ...files.filter((one) => one !== 'dist' && !one.startsWith('!'))])
    await cp(join(source, file), join(stage, file), { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const project = source === root ? join(root, 'src') : source;
  await run(process.execPath, [tsc, '-p', project, '--outDir', join(stage, 'dist')], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: stage });
  const tarball = join(folder, `${name}-${version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', folder]);
  const unpacked = join(folder, 'package');
  await symlink(modules, join(unpacked, 'node_modules'));
  return { tarball, unpacked };
}
