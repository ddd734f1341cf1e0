import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allChecks } from '../../sandbox/conformance/checks/all.ts';
import { limitChecks } from '../../sandbox/conformance/checks/limits.ts';
import { hasShared, readShared } from '../support/shared.ts';
import { readRows } from './spec-rows.ts';

// docs/sandbox.md maps every row of the specification to the tests that prove it, for the sandbox and for the
// client. A cell names a test as "file › part of its title › …", or a conformance check by its id.

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const table = page.slice(page.indexOf('## Every row of the specification'));

const checks = new Set([...allChecks(), ...limitChecks].map(({ id }) => id));

function missing(reference: string, folder: 'sandbox' | 'service'): string[] {
  const [name, ...parts] = reference.split(' › ');
  if (name === 'conformance') return parts.every((id) => checks.has(id)) ? [] : [reference];
  const file = new URL(`../${folder}/${name}.test.ts`, import.meta.url);
  if (!existsSync(file)) return [`${folder}/${name}.test.ts`];
  const text = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  return parts.length > 0 && parts.every((part) => text.includes(part)) ? [] : [reference];
}

test('every test the table names exists', () => {
  const cells = table
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Row'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  expect(cells.length).toBeGreaterThan(100);
  const named = cells.flatMap(([, sandbox = '', client = '']) => [
    ...sandbox.split('<br>').flatMap((one) => missing(one, 'sandbox')),
    ...client.split('<br>').flatMap((one) => (one === '—' ? [] : missing(one, 'service'))),
  ]);
  expect(named).toEqual([]);
});

test.skipIf(!hasShared)('the table has every row of the specification, in its order, and no other', () => {
  const rows = readRows(readShared('spec/tax-document-service.md').toString());
  expect(readRows(table).map(({ section, key }) => `${section}: ${key}`)).toEqual(
    rows.map(({ section, key }) => `${section}: ${key}`),
  );
});
