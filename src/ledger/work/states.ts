import { sql } from 'kysely';
import type { Access } from '../access.ts';
import type { WorkState } from './schema.ts';

// Literals, not parameters: only then may the engines use the partial indexes.
export const waiting = sql.lit<WorkState>('waiting');
export const released = sql.lit<WorkState>('released');
export const leased = sql.lit<WorkState>('leased');

/** Back in the queue with nobody's mark on it. */
export const unmarked = {
  state: waiting,
  released_at: null,
  token: null,
  lease_until: null,
  asked_again_at: null,
} as const;

/** Waits indeed: on SQLite what is in hand waits by its row (hands.ts). */
export const inNoHand = ({ hands }: Pick<Access, 'hands'>, id: string) =>
  hands
    ? sql<boolean>`${sql.ref(id)} not in (select value from json_each(${hands.ids()}))`
    : sql<boolean>`true`;

/** Where work stands, whoever knows it. */
export const stateOf = ({ hands }: Pick<Access, 'hands'>) =>
  hands
    ? sql<WorkState>`case when id in (select value from json_each(${hands.leasedIds()})) then 'leased'
        when id in (select value from json_each(${hands.ids()})) then 'released' else state end`
    : sql<WorkState>`state`;
