import {
  CamelCasePlugin,
  HandleEmptyInListsPlugin,
  type KyselyPlugin,
  replaceWithNoncontingentExpression,
} from 'kysely';

/** The columns whose text is JSON; no other column has one of these names. */
const json = new Set(
  ['snapshot', 'decision', 'fingerprint', 'paid', 'behind', 'progress', 'verification', 'note'].concat([
    'nettedRefunds',
    'leftOut',
    'lineReferences',
    'errors',
    'payload',
    'tallies',
    'facts',
    'params',
  ]),
);

class Columns extends CamelCasePlugin {
  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    const mapped: Record<string, unknown> = {};
    for (const column in row) {
      const name = this.camelCase(column);
      const value = row[column];
      mapped[name] = typeof value === 'string' && json.has(name) ? JSON.parse(value) : value;
    }
    return mapped;
  }
}

/** `in ()`, which PostgreSQL refuses, is false. */
export const plugins: KyselyPlugin[] = [
  new Columns(),
  new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
];
