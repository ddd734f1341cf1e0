import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Packed, pack, root, run } from './pack.ts';
import { unexportedTypes } from './types.ts';

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
}, 300_000);
afterAll(async () => {
  if (packed) await rm(packed.folder, { recursive: true });
});

/** Every address a user may import, "*" written out; package.json itself left out. */
async function addresses(): Promise<string[]> {
  const { name, exports } = JSON.parse(await readFile(join(packed.unpacked, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string>;
  };
  return Object.entries(exports).flatMap(([address, file]) => {
    const asWritten = address.replace('.', name);
    if (address.endsWith('.json')) return [];
    if (!address.includes('*')) return [asWritten];
    const [before = '', after = ''] = file.split('*');
    return globSync(file, { cwd: packed.unpacked }).map((found) => {
      const star = `./${found}`.slice(before.length, -after.length);
      return asWritten.replace('*', star);
    });
  });
}

describe('the packed package', () => {
  test('holds the built code and nothing of the checkout', async () => {
    const { stdout } = await run('tar', ['-tzf', packed.tarball]);
    const files = stdout.trim().split('\n');
    expect(files).toContain('package/dist/src/cli/bin.js');
    const strangers = files.filter(
      (file) =>
        !/^package\/(dist\/.*\.(js|d\.ts)|docs\/.*|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(
          file,
        ),
    );
    expect(strangers).toEqual([]);
  });

  test('has the pictures its README shows', async () => {
    const readme = await readFile(join(packed.unpacked, 'README.md'), 'utf8');
    const shown = [...readme.matchAll(/!\[[^\]]*\]\(([^):]+)\)/g)].map(([, path]) => path);
    const { stdout } = await run('tar', ['-tzf', packed.tarball]);
    const images = stdout.split('\n').flatMap((file) => /^package\/(docs\/images\/.+)/.exec(file)?.[1] ?? []);
    expect(images.sort()).toEqual([...new Set(shown)].sort());
  });

  test.each(['unpacked', 'sandbox'] as const)('is clean by publint: %s', async (which) => {
    const { messages, pkg } = await publint({
      pkgDir: packed[which],
      pack: false,
      level: 'warning',
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('gives every import its types (attw)', async () => {
    const bin = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const entries = (await addresses()).map((address) => address.replace(/^facturapuente/, '.'));
    const checked = await run(process.execPath, [
      bin,
      packed.tarball,
      '--profile',
      'esm-only',
      '--no-color',
      '--no-emoji',
      '--entrypoints',
      ...entries,
    ]).catch((failed: { stdout: string }) => failed);
    expect(checked).not.toHaveProperty('code');
    expect(checked.stdout.match(/node16 \(from ESM\): OK/g)).toHaveLength(entries.length);
  });

  // What a program gives and gets it can name; a Hold's sentence and an operation's parts are for us.
  const inner = ['Operation', 'Call', 'Said', 'Hold', 'Params', 'ShopErrorOptions', 'Decimal', 'Fields'];

  test.each([
    'src/index',
    'mappers/index',
    'src/service/index',
    'adapters/contract/index',
    'adapters/shopify/index',
    'adapters/woocommerce/index',
  ])('exports every type that is behind a published one: %s', (entry) => {
    const [own, main] = [entry, 'src/index'].map((one) => join(packed.unpacked, `dist/${one}.d.ts`)) as [
      string,
      string,
    ];
    expect(unexportedTypes(own, main, inner)).toEqual([]);
  });

  test('imports by every address it exports', async () => {
    const all = await addresses();
    expect(all).toEqual(expect.arrayContaining(['facturapuente', 'facturapuente/adapters/shopify']));
    const script = join(packed.unpacked, 'import-all.mjs');
    await writeFile(
      script,
      `const empty = [];
for (const address of ${JSON.stringify(all)})
  if (Object.keys(await import(address)).length === 0) empty.push(address);
process.stdout.write(JSON.stringify(empty));`,
    );
    const { stdout } = await run(process.execPath, [script], { cwd: packed.unpacked });
    expect(JSON.parse(stdout)).toEqual([]);
  });
});

describe('without facturapuente-sandbox', () => {
  test.each(['sandbox', 'conformance', 'demo'])('%s says what to install', async (command) => {
    const bin = join(packed.unpacked, 'dist/src/cli/bin.js');
    const failed = await run(process.execPath, [bin, command]).catch((error: object) => error);
    expect(failed).toMatchObject({
      code: 1,
      stderr: `«${command}» necesita un paquete que no está instalado. Ejecute npm install --save-dev facturapuente-sandbox.\n`,
    });
  });

  test('nothing that draws PDF or barcodes is installed for production', async () => {
    const { dependencies } = JSON.parse(await readFile(join(packed.unpacked, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['pdfkit']));
    expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['bwip-js']));
  });
});

test('the lines of docs/sandbox.md emit a factura from another project', async () => {
  const page = await readFile(join(packed.unpacked, 'docs/sandbox.md'), 'utf8');
  const [, lines] = /```js\n(import \{ createSandbox \}[\s\S]*?)```/.exec(page) ?? [];
  const project = join(packed.folder, 'project');
  await mkdir(join(project, 'node_modules'), { recursive: true });
  await symlink(packed.sandbox, join(project, 'node_modules/facturapuente-sandbox'));
  await writeFile(join(project, 'test.mjs'), lines ?? 'The page has no such lines.');
  const { stdout } = await run(process.execPath, ['test.mjs'], { cwd: project });
  expect(stdout).toMatch(/creado: true/);
  expect(stdout).toMatch(/claveacceso: '\d{49}'/);
});

/**
 * Product files of which a function runs for one order, from its webhook to the access key on it: what a reader of that
 * way has to open. The numbers only fall.
 */
test('few files execute for a paid Shopify order, and for a WooCommerce refund', async () => {
  await packed.addSandbox();
  const script = join(packed.unpacked, 'executed.mjs');
  await cp(join(root, 'test/package/executed.mjs'), script);
  const { stdout } = await run(process.execPath, [script, packed.unpacked]);
  const { order, refund } = JSON.parse(stdout) as Record<'order' | 'refund', string[]>;
  expect(order.length, order.join(' ')).toBeLessThanOrEqual(116);
  expect(refund.length, refund.join(' ')).toBeLessThanOrEqual(119);
});

describe('the command', () => {
  const bin = () => join(packed.unpacked, 'dist/src/cli/bin.js');
  /** Makes Node say that it is an older version before the command looks. */
  const old = [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`,
  ];

  test('sandbox is the one of facturapuente-sandbox where that is installed', async () => {
    await packed.addSandbox();
    const { stdout } = await run(process.execPath, [bin(), 'sandbox', '--help']);
    expect(stdout).toMatch(/^Uso: facturapuente sandbox/);
    expect(stdout).toContain('--authorize-delay');
    const own = join(packed.sandbox, 'dist/sandbox/cli/bin.js');
    expect((await run(process.execPath, [own, '--help'])).stdout).toMatch(/^Uso: facturapuente-sandbox/);
  });

  test('--help names the commands', async () => {
    const { stdout } = await run(process.execPath, [bin(), '--help']);
    for (const command of ['start', 'sandbox', 'demo'])
      expect(stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
  });

  test('an older Node runs it again under the Node installed beside it', async () => {
    const { stdout } = await run(process.execPath, [...old, bin(), '--version']);
    expect(stdout.trim()).toBe(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version);
  });

  test('an older Node alone gets one sentence in Spanish and one in English', async () => {
    const alone = join(packed.folder, 'main/stage/dist/src/cli/bin.js');
    const failed = await run(process.execPath, [...old, alone, '--version']).then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed?.code).toBe(1);
    expect(failed?.stderr).toBe(
      'facturapuente necesita Node.js 24.15 o más nuevo y esta es la versión 20.19.0: actualice Node.js.\n' +
        'facturapuente needs Node.js 24.15 or newer and this is 20.19.0: please update Node.js.\n',
    );
  });

  test('it asks for the Node that package.json asks for', async () => {
    const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const source = await readFile(join(root, 'src/cli/bin.ts'), 'utf8');
    const [, major, minor] = source.match(/needed = \[(\d+), (\d+)\]/) ?? [];
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });
});
