import type { Migration } from '../migrate.ts';

/**
 * Accounts that rest until a probe finds them well, and lanes (ledger/work/lanes.ts) that a pause can pass over. Work
 * that waits is moved to its new lane; the rate of a key may be lowered for a while.
 */
export const pauses: Migration = {
  name: '0004-pauses',
  statements: ({ text, real, table }) => [
    `create table pauses (
      account ${text} not null,
      ambiente integer not null,
      cause ${text} not null,
      since ${text} not null,
      probes integer not null,
      emissions ${text} not null,
      questions ${text},
      primary key (account, ambiente)
    )${table}`,
    `update work set lane = (
      select case when work.kind = 'submit-document' then 'emission/' else 'question/' end
        || documents.account || '/' || cast(documents.ambiente as text) || '/' || work.store_id || '/' || work.budget
      from documents where documents.id = work.subject
    )
    where budget is not null and exists (select 1 from documents where documents.id = work.subject)`,
    `update work set lane = 'question/-/0/' || store_id || '/' || budget
      where budget is not null and lane = budget`,
    `alter table budgets add column slow_until ${real} not null default 0`,
  ],
};
