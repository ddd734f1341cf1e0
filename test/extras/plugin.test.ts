import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { php, skippedWithoutPhp } from './php.ts';

const folder = fileURLToPath(new URL('../../extras/woocommerce/', import.meta.url));
const plugin = `${folder}facturapuente/`;
const sources = globSync('**/*.php', { cwd: plugin }).sort();
const text = (file: string) => readFileSync(`${plugin}${file}`, 'utf8');
const everything = sources.map(text).join('\n');

test.skipIf(skippedWithoutPhp())(
  'every file of the plugin is PHP',
  () => {
    // Compiles each in one process and runs none: before PHP 8.3 `php -l` looks at its first file only.
    const compile = `foreach (array_slice($argv, 1) as $file) {
      if (!function_exists('opcache_compile_file')) token_get_all(file_get_contents($file), TOKEN_PARSE);
      elseif (!opcache_compile_file($file)) exit($file);
    }`;
    const options = ['-d', 'opcache.enable_cli=1', '-d', 'opcache.file_update_protection=0'];
    const files = sources.map((file) => `${plugin}${file}`);
    const checked = spawnSync(php, [...options, '-r', compile, '--', ...files], { encoding: 'utf8' });
    expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, '', '']);
  },
  60_000,
);

test('no file does anything when it is opened by its address', () => {
  for (const file of sources)
    expect(text(file), file).toMatch(/defined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \)/);
});

test('the plugin calls no server', () => {
  expect(everything).not.toMatch(/wp_remote_|wp_safe_remote_|curl_|fsockopen|file_get_contents|eval\(/);
});

test('the version is one, in header, code and readme', () => {
  const [, header] = /^ \* Version: (.+)$/m.exec(text('facturapuente.php')) ?? [];
  const [, code] = /const VERSION\s+= '(.+)'/.exec(text('facturapuente.php')) ?? [];
  const [, stable] = /^Stable tag: (.+)$/m.exec(readFileSync(`${plugin}readme.txt`, 'utf8')) ?? [];
  expect([code, stable]).toEqual([header, header]);
});

test('every text has its Spanish, with the same places for values', () => {
  const english = new Set(
    [...everything.matchAll(/_{1,2}\( '((?:[^'\\]|\\.)*)', 'facturapuente' \)/g)].map(
      ([, said]) => said ?? '',
    ),
  );
  const pairs = [...text('languages/es.php').matchAll(/^\t'((?:[^'\\]|\\.)*)' => '((?:[^'\\]|\\.)*)',$/gm)];
  expect(english.size).toBeGreaterThan(50);
  expect(pairs.map(([, said]) => said).sort()).toEqual([...english].sort());
  const places = (said = '') => said.match(/%[sd]/g) ?? [];
  for (const [, said, spanish] of pairs) expect(places(spanish)).toEqual(places(said));
});

test('uninstalling deletes every option that the settings keep, and nothing of an order', () => {
  const kept = [...text('includes/class-settings.php').matchAll(/'facturapuente_(\w+)'\s+=> [^_]*,$/gm)].map(
    ([, name]) => name,
  );
  const [, list = ''] = /foreach \( array\( (.+) \) as/.exec(text('uninstall.php')) ?? [];
  expect(list.split(', ').map((name) => name.slice(1, -1))).toEqual([...new Set(kept)]);
  expect(text('uninstall.php')).not.toContain('meta');
});

test('npm run plugin packs one folder, the same bytes each time', () => {
  const place = mkdtempSync(`${tmpdir()}/fp-plugin-`);
  onTestFinished(() => rmSync(place, { recursive: true }));
  const packed = ['a.zip', 'b.zip'].map((name) => {
    const run = spawnSync(process.execPath, [`${folder}pack.mjs`, `${place}/${name}`], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(run.stderr).toBe('');
    return readFileSync(`${place}/${name}`);
  });
  expect(packed[0]?.equals(packed[1] ?? Buffer.alloc(0))).toBe(true);
  const names = new Set(packed[0]?.toString('latin1').match(/facturapuente\/[\w./-]+\.(php|js|css|txt)/g));
  expect(names.size).toBe(globSync('**/*.*', { cwd: plugin }).length);
  expect(packed[0]?.length).toBeLessThan(60_000);
});

test('package.json has the script that packs it', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
  expect(scripts.plugin).toBe('node extras/woocommerce/pack.mjs');
});
