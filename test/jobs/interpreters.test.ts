import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What becomes of a document that was sent is decided in src/protocol and written in one place. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/^src\/(sandbox|testing|conformance|cli|service)\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
const filesWith = (pattern: RegExp) =>
  sources.flatMap(({ path, text }) => (pattern.test(text) ? [path] : []));

test.each<[string, RegExp, string[]]>([
  ['sends or reprocesses', /\.(emitir\w+|reprocesarComprobante\w*)\(/, ['src/jobs/requests.ts']],
  [
    'reads what the service answers to that',
    /\b(EmissionAnswer|ReprocessAnswer)\b/,
    ['src/jobs/requests.ts'],
  ],
  [
    'moves a document to a state it has once it was sent',
    /\bto: '(sending|processing|uncertain|rejected|authorized)',/,
    ['src/ledger/documents.ts'],
  ],
  [
    'ends an attempt',
    /attempts\.(end|reprocessed)\(|table\.end\(/,
    ['src/jobs/apply-effects.ts', 'src/jobs/older-ledger/bind.ts'],
  ],
  ['asks the protocol', /import \{ decide \} from/, ['src/jobs/run-protocol.ts']],
])('nobody else %s', (_what, pattern, files) => {
  const outside = filesWith(pattern).filter((path) => !path.startsWith('src/protocol/'));
  expect(outside.sort()).toEqual(files);
});

test('no handler of a document branches on what was answered', () => {
  const handlers = ['send-document', 'retry'];
  for (const name of handlers) {
    const text = sources.find(({ path }) => path === `src/jobs/${name}.ts`)?.text ?? '';
    expect(text, name).toContain('runProtocol(');
    expect(text.match(/\b(answer|outcome|attempt)\w*\.(kind|state|outcome)\b/g) ?? [], name).toEqual([]);
  }
});
