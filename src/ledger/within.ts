import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../domain/scope.ts';

/*
 * The conditions of a scope. In words no index answers (`||`), so that a query keeps the index it was made for instead
 * of walking through every document of a store.
 */

/** Neither engine's IN takes an empty list the same way; nothing of ours is an empty text. */
export const anyOf = (values: Iterable<string>): RawBuilder<unknown> => sql.join([...values, '']);

/** Rows of `table` that are of the shops, by platform and shop. */
export const ofShops = ({ shops }: Scope, table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.platform`)} || ' ' || ${sql.ref(`${table}.shop`)}) in (${anyOf(shops)})`;

/** Rows of `table` that are of the stores, by id. */
export const ofStores = ({ storeIds }: Scope, table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.store_id`)} || '') in (${anyOf(storeIds)})`;

/** Rows of `series` the stores number from. */
export const ofSeries = ({ series }: Scope): RawBuilder<boolean> =>
  sql<boolean>`(ruc || ' ' || ambiente || ' ' || cod_doc || ' ' || establecimiento || '-' || punto_emision)
    in (${anyOf(series)})`;
