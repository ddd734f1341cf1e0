import { type CompiledQuery, sql } from 'kysely';
import type { WorkRequest } from '../core/work.ts';
import type { Access } from './access.ts';
import { deliveryColumns, deliveryName, deliveryRow, newToUs } from './deliveries.ts';
import type { NewDelivery } from './shop-tables.ts';
import { joinKnown, workColumns, workRow } from './work/requests.ts';

interface Fresh {
  connection: string;
  dedupe_key: string;
}

/** Numbers of the work table; everything else it takes is text. */
const numbers: readonly string[] = ['priority'];

const compiled = new Map<number, CompiledQuery<Fresh>>();

/**
 * Deliveries and the work that those of them ask for which are new, in one statement that commits by itself: one way
 * to the server and back instead of the transaction's four. No two may be the same delivery or ask for the same work,
 * and each asks for some. Answers of each whether it was new.
 */
export async function acceptAtOnce(
  access: Access,
  asking: readonly { delivery: NewDelivery; work: WorkRequest }[],
): Promise<boolean[]> {
  const rows = asking.map(({ delivery }) => deliveryRow(delivery));
  const works = asking.map(({ delivery, work }) => [
    delivery.connection,
    delivery.dedupeKey,
    ...workRow(access, work),
  ]);
  const query = statement(access, asking.length);
  access.dialect.keepPlan(query.sql);
  const result = await access.dialect.run(access.db(), { ...query, parameters: [...rows, ...works].flat() });
  const fresh = new Set((result.rows as Fresh[]).map((row) => deliveryName(row.connection, row.dedupe_key)));
  if (fresh.size > 0) access.workChanged();
  return asking.map(({ delivery }) => fresh.has(deliveryName(delivery.connection, delivery.dedupeKey)));
}

/** Compiled once for each number of rows; the server keeps its plan. */
function statement(access: Access, size: number): CompiledQuery<Fresh> {
  const known = compiled.get(size);
  if (known) return known;
  const sample = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, '']));
  const db = access.db();
  const deliveries = newToUs(
    db.insertInto('deliveries').values(Array(size).fill(sample(deliveryColumns))),
  ).returning(['connection', 'dedupe_key']);
  const asked = ['connection', 'dedupe_key', ...workColumns];
  const value = (column: string) =>
    numbers.includes(column) ? sql`cast(${''} as integer)` : sql`cast(${''} as text)`;
  const values = sql.join(Array.from({ length: size }, () => sql`(${sql.join(asked.map(value))})`));
  const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  // Sorted, so that two processes that lock the same rows do not wait for each other in a circle.
  const chosen = sql`select ${columns(workColumns)} from (values ${values}) as asked (${columns(asked)})
    where exists (select from fresh where fresh.connection = asked.connection and fresh.dedupe_key = asked.dedupe_key)
    order by subject, kind`;
  const work = joinKnown(
    db
      .insertInto('work')
      .columns([...workColumns])
      .expression(chosen as never),
  );
  const made = sql<Fresh>`with fresh as (${deliveries}), asked as (${work}) select connection, dedupe_key from fresh`;
  const whole = made.compile(db);
  compiled.set(size, whole);
  return whole;
}
