import type { Compilable, CompiledQuery } from 'kysely';
import type { Access } from './access.ts';
import type { Database, Dialect } from './schema.ts';

/** Stands for a value while the query is built. */
class Slot {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** How a kept query is built: `value('id')` stands for what each call gives as `id`. */
type Build<Values, Row> = (
  db: Database,
  value: <Name extends keyof Values>(name: Name) => Values[Name],
  dialect: Dialect,
) => Compilable<Row>;

/** What came of a call. */
interface Answer<Row> {
  rows: Row[];
  /** How many rows an update or delete touched. */
  touched: number;
}

/**
 * A query whose shape never changes, built and compiled once per database: building takes Kysely about as long as
 * SQLite takes to run it (measured, see bench/). For what every document does several times.
 */
export function keepQuery<Values extends object, Row = never>(build: Build<Values, Row>) {
  const kept = new WeakMap<Dialect, CompiledQuery<Row>>();
  return async (access: Access, values: Values): Promise<Answer<Row>> => {
    const db = access.db();
    let query = kept.get(access.dialect);
    if (!query) {
      query = build(db, (name) => new Slot(name) as never, access.dialect).compile();
      kept.set(access.dialect, query);
    }
    const parameters = query.parameters.map((one) =>
      one instanceof Slot ? values[one.name as keyof Values] : one,
    );
    const { rows, numAffectedRows } = await access.dialect.run<Row>(db, { ...query, parameters });
    return { rows, touched: Number(numAffectedRows ?? 0) };
  };
}
