import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { breaches } from './architecture/checker.ts';
import { importsOf, type SourceFile } from './architecture/imports.ts';
import { topLevel } from './architecture/modules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function repository(): SourceFile[] {
  return globSync('{src,adapters,mappers,sandbox,test,bench,chaos}/**/*.ts', {
    cwd: root,
    exclude: ['sandbox/dist/**'],
  })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
}

test('every file keeps to the table "who may import whom", holds one idea and has no default export', () => {
  const files = repository();
  expect(files.length).toBeGreaterThan(50);
  expect(breaches(files)).toEqual([]);
});

/** A way from a file back to itself through what it imports, type-only imports included; lazy ones do not count. */
function circleIn(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ target, lazy }) => (target && !lazy ? [target] : [])),
    ]),
  );
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): string[] => {
    const at = way.indexOf(path);
    if (at >= 0) return [...way.slice(at), path];
    if (done.has(path)) return [];
    way.push(path);
    for (const next of imports.get(path) ?? []) {
      const found = visit(next);
      if (found.length > 0) return found;
    }
    way.pop();
    done.add(path);
    return [];
  };
  for (const { path } of files) {
    const found = visit(path);
    if (found.length > 0) return found;
  }
  return [];
}

test('no file imports itself through others, not even for a type', () => {
  const product = repository().filter(({ path }) => /^(src|adapters|mappers)\//.test(path));
  expect(circleIn(product)).toEqual([]);
  const planted = [
    { path: 'src/a.ts', text: "import type { B } from './b.ts';" },
    { path: 'src/b.ts', text: "import { a } from './a.ts';" },
  ];
  expect(circleIn(planted)).toEqual(['src/a.ts', 'src/b.ts', 'src/a.ts']);
});

/** A file with one importer exists to keep that one short, unless it holds an idea of its own. The numbers only fall. */
test('few product files have one importer, and there are few', () => {
  const product = repository().filter(({ path }) => /^(src|adapters|mappers)\//.test(path));
  const importers = Map.groupBy(
    product.flatMap((file) => [...new Set(importsOf(file).map(({ target }) => target))]),
    (target) => target,
  );
  const single = product.filter(({ path }) => importers.get(path)?.length === 1);
  expect(product.length).toBeLessThanOrEqual(360);
  expect(single.length / product.length).toBeLessThanOrEqual(0.25);
});

test('the top level of the repository holds exactly the names agreed upon', () => {
  const ignored = /^(\.git|node_modules|dist|coverage|\.facturapuente|\.env|.*\.(tgz|log))$/;
  const strangers = readdirSync(root).filter((name) => !ignored.test(name) && !topLevel.includes(name));
  expect(strangers).toEqual([]);
});

describe('a planted breach is found and named with its file and rule', () => {
  test.each<[string, SourceFile, string]>([
    [
      'node in core',
      { path: 'src/domain/a.ts', text: "import { readFileSync } from 'node:fs';" },
      'src/domain/a.ts: imports node:fs; src/domain is pure and may import nothing of node:*',
    ],
    [
      'core reaching up',
      { path: 'src/domain/a.ts', text: "import type { X } from '../ledger/ledger.ts';" },
      'src/domain/a.ts: imports src/ledger/ledger.ts; src/domain may import src/messages',
    ],
    [
      'a package in core',
      { path: 'src/domain/a.ts', text: "import pino from 'pino';" },
      'src/domain/a.ts: imports pino; src/domain may import only the packages zod, decimal.js, html-entities',
    ],
    [
      'the clock in a mapper',
      { path: 'mappers/a.ts', text: 'export const now = () => Date.now();' },
      'mappers/a.ts: uses Date.now() (take a Clock or an instant); mappers is pure',
    ],
    [
      'the environment in core',
      { path: 'src/domain/a.ts', text: 'export const x = process.env.X;' },
      'src/domain/a.ts: uses process; src/domain is pure',
    ],
    [
      'a mapper in an adapter',
      { path: 'adapters/shopify/a.ts', text: "import { f } from '../../mappers/factura.ts';" },
      'adapters/shopify/a.ts: imports mappers/factura.ts; adapters/shopify may import src/messages, src/domain',
    ],
    [
      'an adapter in an adapter',
      { path: 'adapters/shopify/a.ts', text: "export * from '../woocommerce/order.ts';" },
      'adapters/shopify/a.ts: imports adapters/woocommerce/order.ts; adapters/shopify may import src/messages, src/domain',
    ],
    [
      'a named adapter in a step',
      { path: 'src/jobs/a.ts', text: "import { x } from '../../adapters/shopify/index.ts';" },
      'src/jobs/a.ts: imports adapters/shopify/index.ts; src/jobs may import src/messages, src/domain, src/planner, mappers, src/protocol, src/service, src/ledger',
    ],
    [
      'the dispatcher in a step, lazily',
      { path: 'src/jobs/a.ts', text: "const x = await import('../queue/open.ts');" },
      'src/jobs/a.ts: imports src/queue/open.ts; src/jobs may import src/messages, src/domain, src/planner, mappers, src/protocol, src/service, src/ledger',
    ],
    [
      'values of a mapper in the service',
      { path: 'src/service/a.ts', text: "import { x, type Y } from '../../mappers/body.ts';" },
      'src/service/a.ts: imports values of mappers/body.ts; src/service may import only its types',
    ],
    [
      'production code in the sandbox',
      { path: 'sandbox/emulator/a.ts', text: "import { x } from '../../src/domain/money.ts';" },
      'sandbox/emulator/a.ts: imports values of src/domain/money.ts; sandbox/emulator may import only its types',
    ],
    [
      'SQL outside the ledger',
      { path: 'src/http/a.ts', text: "import { sql } from 'kysely';" },
      'src/http/a.ts: imports kysely; only src/ledger may',
    ],
    [
      'the panel in an endpoint',
      { path: 'src/http/a.ts', text: "import { x } from '../panel/visit.ts';" },
      'src/http/a.ts: imports src/panel/visit.ts; src/http may import',
    ],
    [
      'the command line in the composition root',
      { path: 'src/index.ts', text: "export { main } from './cli/main.ts';" },
      'src/index.ts: imports src/cli/main.ts; src may import',
    ],
    [
      'a test in production code',
      { path: 'src/http/a.ts', text: "import { x } from '../../test/support/x.ts';" },
      'src/http/a.ts: imports test/support/x.ts; production code imports no tests, tools or data',
    ],
    [
      'a room nobody agreed upon',
      { path: 'src/helpers/a.ts', text: '' },
      'src/helpers/a.ts: the room src/helpers is not in the table',
    ],
    [
      'a default export',
      { path: 'test/a.ts', text: 'export default 1;' },
      'test/a.ts: has a default export; name it',
    ],
    [
      'a module replaced for whoever comes after',
      { path: 'test/http/a.test.ts', text: 'vi.resetModules();' },
      'test/http/a.test.ts: replaces modules, which files after it would meet',
    ],
    [
      'a file of 431 lines',
      { path: 'src/http/a.ts', text: 'x;\n'.repeat(431) },
      'src/http/a.ts: has 431 lines; a file holds one idea in at most 430',
    ],
  ])('%s', (_what, file, expected) => {
    expect(breaches([file]).map((said) => said.slice(0, expected.length))).toEqual([expected]);
  });

  test.each<[string, SourceFile]>([
    [
      'types of ours in the sandbox',
      {
        path: 'sandbox/emulator/a.ts',
        text: "import type { X } from '../../src/domain/clock.ts';\nimport { type Y } from '../../src/domain/order.ts';",
      },
    ],
    [
      'an import over several lines',
      { path: 'src/jobs/a.ts', text: "import {\n  a,\n  b,\n} from '../planner/plan.ts';" },
    ],
    [
      'an example in a comment',
      { path: 'src/domain/a.ts', text: "/**\n * import { x } from 'node:fs';\n */\n// import y from 'pg';" },
    ],
    ['a neighbour', { path: 'adapters/shopify/a.ts', text: "import { x } from './order.ts';" }],
  ])('%s is no breach', (_what, file) => {
    expect(breaches([file])).toEqual([]);
  });
});
