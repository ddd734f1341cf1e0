import type { Migration } from '../migrate.ts';
import { tables } from './0001-tables.ts';

const jobDeaths: Migration = {
  name: '0002-job-deaths',
  statements: () => [
    'alter table jobs add column deaths integer not null default 0',
    'create index jobs_deaths on jobs (state) where deaths > 0',
  ],
};

/** In the order they are applied; only ever appended to. */
export const migrations: readonly Migration[] = [tables, jobDeaths];
