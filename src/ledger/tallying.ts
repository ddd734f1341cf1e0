import { sql } from 'kysely';
import { type Ambiente, type DocumentKind, type DocumentState, documentKinds } from '../domain/document.ts';
import type { Access } from './access.ts';

/** Documents of one hour that are alike, and their whole cents. */
export interface HourTally {
  /** UTC: "2026-11-21T14". */
  hour: string;
  storeId: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  state: DocumentState;
  count: number;
  cents: number;
}

const hourOf = sql<string>`substr(created_at, 1, 13)`;
/** Integers add up exactly on both engines. */
const cents = sql<string>`sum(cast(round(cast(coalesce(total, charged) as double precision) * 100) as integer))`;

/** Before `midnight` only the hours matter at which a day begins somewhere: five in UTC is midnight in Ecuador. */
const coarseHour = (
  midnight: Date,
) => sql<string>`case when created_at >= ${midnight.toISOString()} then ${hourOf}
  else substr(created_at, 1, 11) || case when substr(created_at, 12, 2) < '05' then '00' else '05' end end`;

const tallied = (access: Access, hour = hourOf) =>
  access
    .db()
    .selectFrom('documents')
    .select(({ fn }) => [
      hour.as('hour'),
      'store_id',
      'ambiente',
      'kind',
      'state',
      fn.countAll().as('count'),
      cents.as('cents'),
    ])
    .groupBy(['hour', 'store_id', 'ambiente', 'kind', 'state']);

const rowsOf = async (query: ReturnType<typeof tallied>): Promise<HourTally[]> =>
  (await query.execute()).map(({ store_id, count, cents: whole, ...row }) => ({
    ...row,
    storeId: store_id,
    count: Number(count),
    cents: Number(whole),
  }));

/** All documents that came in from the one instant on and before the other, in the time of their number. */
export const tallyBetween = (access: Access, from: Date, to: Date): Promise<HourTally[]> =>
  rowsOf(
    tallied(access).where('created_at', '>=', from.toISOString()).where('created_at', '<', to.toISOString()),
  );

/**
 * What is open, whenever it came in: by the hour since `midnight` in Ecuador, before it by day. Read from the index of
 * what is open (the condition has its words).
 */
export const tallyOpen = (access: Access, midnight: Date): Promise<HourTally[]> =>
  rowsOf(
    tallied(access, coarseHour(midnight))
      // All there are; names the index to SQLite.
      .where('kind', 'in', documentKinds)
      .where(sql<boolean>`state not in ('authorized', 'cancelled')`),
  );
