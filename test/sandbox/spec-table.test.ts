import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allChecks } from '../../sandbox/conformance/checks/all.ts';
import { limitChecks } from '../../sandbox/conformance/checks/limits.ts';
import { hasShared, readShared } from '../support/shared.ts';

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

/** One row of the specification: of a table, or of a numbered list. */
interface SpecRow {
  section: string;
  key: string;
}

/**
 * The rows of a Markdown text: each table row by its first cell (endpoints by method and path), each numbered
 * sentence by its number. Table heads are left out.
 */
function readRows(markdown: string): SpecRow[] {
  const rows: SpecRow[] = [];
  let section = '';
  let head: string[] | undefined;
  for (const line of markdown.split('\n')) {
    const heading = /^#{2,} (.+)$/.exec(line)?.[1];
    if (heading) section = heading.trim();
    const numbered = /^(\d+)\. /.exec(line)?.[1];
    if (numbered) rows.push({ section, key: numbered });
    if (!line.startsWith('|')) {
      head = undefined;
      continue;
    }
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    if (head === undefined) {
      head = cells;
    } else if (!/^[-: ]+$/.test(cells[0] ?? '')) {
      const key = head[0] === 'Method' ? `${cells[0]} ${cells[1]}` : (cells[0] ?? '');
      rows.push({ section, key });
    }
  }
  return rows;
}
