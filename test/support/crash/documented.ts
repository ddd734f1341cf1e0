import { readFileSync } from 'node:fs';
import type { Mode } from './world.ts';

/** The matrix as docs/exactly-once.md tells it: for each answer, how its cells may end in each mode. */
export function documentedMatrix(): Map<string, Record<Mode, string[]>> {
  const page = readFileSync(new URL('../../../docs/exactly-once.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('<!-- matrix -->'), page.indexOf('<!-- /matrix -->'));
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Answer'));
  return new Map(
    rows.map((line) => {
      const [, name = '', fijo = '', aleatorio = ''] = line.split('|').map((cell) => cell.trim());
      return [name, { fijo: fijo.split(', '), aleatorio: aleatorio.split(', ') }];
    }),
  );
}
