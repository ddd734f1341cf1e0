import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../package/pack.ts';

/** What runs in production; the sandbox and the stand-ins are for this machine only. */
const files = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'mappers/**/*.ts'], { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

const having = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

/** They make signatures or masks and check none. */
const signOnly = [
  'src/operations/run/support-bundle.ts',
  'adapters/woocommerce/webhooks.ts',
  // Names counters; whose password it is stands in people.ts.
  'src/panel/guesses.ts',
];

test('whoever checks a signature or a secret compares it in constant time', () => {
  const signing = having(/\bcreateHmac\(/).filter((file) => !signOnly.includes(file));
  expect(signing.length).toBeGreaterThan(3);
  // Links and tickets by the comparison of links.ts.
  const comparing = having(/\btimingSafeEqual\(|\bsame\(signature, sign\(/);
  expect(signing.filter((file) => !comparing.includes(file))).toEqual([]);
  expect(having(/\btimingSafeEqual\(/)).toEqual(
    expect.arrayContaining(['src/http/links.ts', 'src/panel/people.ts']),
  );
  // The token of the metrics, by the comparison of links.ts.
  expect(having(/!same\(req\.headers\.authorization,/)).toEqual(['src/http/server.ts']);
});

test('markup is trusted where it is a constant of ours, and nowhere else', () => {
  const trusted = files.flatMap(({ file, text }) =>
    [...text.matchAll(/new Html\(([^)]*)\)/g)].map(([, what]) => [file, what] as const),
  );
  const constants = trusted.filter(([, what]) => !/^[a-z]*[sS]tyle$/.test(what ?? ''));
  expect(constants.map(([file]) => file)).toEqual(['src/domain/text.ts']);
});

test('no script of ours writes markup or runs text, and no page has a script of its own', () => {
  expect(
    having(/innerHTML|outerHTML|insertAdjacentHTML|document\.write\(|(?<![.\w])eval\(|new Function\(/),
  ).toEqual([]);
  expect(having(/<script(?![^>]*\bsrc=)[^>]*>|\son(click|load|error|submit)="/)).toEqual([]);
});

test('no production code starts a program', () => {
  expect(having(/node:child_process/).filter((file) => !file.startsWith('src/cli/'))).toEqual([]);
});

test('JSON from outside is read by domain/loose.ts, which bounds its nesting', () => {
  const outside = having(/\bJSON\.parse\(/).filter((file) =>
    /^(adapters|src\/(domain|http|panel|assistant|operations|service|observability|setup|config|cli))\//.test(
      file,
    ),
  );
  expect(outside.sort()).toEqual([
    // Samples of whoever tries an adapter.
    'adapters/contract/platform.ts',
    // Cursors of ours.
    'adapters/shopify/fetch.ts',
    'adapters/woocommerce/fetch.ts',
    // What we sent, and what we wrote down.
    'src/domain/loose.ts',
    'src/domain/privacy.ts',
    'src/operations/run/privacy.ts',
  ]);
});

test('every text from outside has a length', () => {
  // What merchants write in the config, and what we keep ourselves.
  const own = /settings\.ts$|\/(credentials|plans)\.ts$|^src\/service\/shapes\.ts$/;
  const outside = files.filter(
    ({ file }) => /^(adapters|src\/(service|web|assistant|operations|app))\//.test(file) && !own.test(file),
  );
  const bounded = /^\s*\.(max|length|min\(\d+\)\.max|regex\(new RegExp\(`\^\\\\d\{|regex\(\/\^[^*+]*\$\/)/;
  const free = outside.flatMap(({ file, text }) =>
    text
      .split('z.string()')
      .slice(1)
      .filter((rest) => !bounded.test(rest))
      .map((rest) => `${file}: z.string()${rest.slice(0, 40)}`),
  );
  expect(free).toEqual([]);
});

test('a certificate that does not belong to its name is nowhere accepted', () => {
  expect(having(/rejectUnauthorized|NODE_TLS_REJECT/)).toEqual([]);
});
