import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openGroup } from '../../src/ledger/sqlite.ts';
import { temporaryDirectory } from './support/processes.ts';

/** A file with one table, the group on it, and a second connection that sees what was committed. */
function open() {
  const file = join(temporaryDirectory(), 'group.db');
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; create table words (word text not null unique) strict');
  const insert = db.prepare('insert into words values (?)');
  const reader = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => {
    reader.close();
    db.close();
  });
  return {
    db,
    group: openGroup(db, { assertUsable() {}, explain: (error) => error }),
    add: (word: string) => insert.run(word),
    stored: () =>
      reader
        .prepare('select word from words order by rowid')
        .all()
        .map(({ word }) => word),
    /** Changes with every COMMIT that wrote. */
    commits: () => Number(reader.prepare('pragma data_version').get()?.data_version),
  };
}

describe('tasks that share a COMMIT', () => {
  test('those of one turn of the event loop, and those queued meanwhile, share a commit', async () => {
    const { group, add, stored, commits } = open();
    const before = commits();
    const seen: unknown[][] = [];
    const task = (word: string) =>
      group
        .run(async () => {
          add(word);
          await Promise.resolve();
        })
        .then(() => seen.push(stored()));
    const late = new Promise((resolve) => setImmediate(resolve)).then(() => task('late'));
    await Promise.all([task('a'), task('b'), late]);
    expect(commits()).toBe(before + 1);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['a', 'b', 'late']));
  });

  test('one that fails leaves nothing, and its neighbours everything', async () => {
    const { group, add, stored } = open();
    const outcomes = await Promise.allSettled([
      group.run(() => add('a')),
      group.run(async () => {
        add('half');
        await Promise.resolve();
        throw new Error('on purpose');
      }),
      group.run(() => add('a'), { whole: true }),
      group.run(() => add('b'), { whole: true }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['a', 'b']);
  });

  test('the neighbours of one that fails run again, once, and are answered once', async () => {
    const { group, add, stored } = open();
    const runs: string[] = [];
    const task = (word: string) =>
      group.run(() => {
        runs.push(word);
        add(word);
        return word;
      });
    const outcomes = await Promise.allSettled([
      task('before'),
      group.run(() => {
        runs.push('fails');
        add('half');
        throw new Error('on purpose');
      }),
      task('after'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['before', 'after']);
    expect(runs).toEqual(['before', 'fails', 'before', 'fails', 'after']);
  });

  test('when SQLite rolls the whole transaction back every task fails', async () => {
    const { db, group, add, stored } = open();
    const outcomes = await Promise.allSettled([
      group.run(() => add('a')),
      group.run(() => db.exec('rollback')),
      group.run(() => add('after')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['after']);
  });

  test('when it does so as the neighbours of one that failed run again, all of them are answered', async () => {
    const { db, group, add, stored } = open();
    let runs = 0;
    const outcomes = await Promise.allSettled([
      group.run(() => {
        runs += 1;
        if (runs === 2) db.exec('rollback');
      }),
      group.run(() => add('between')),
      group.run(() => {
        throw new Error('on purpose');
      }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(stored()).toEqual(['between']);
  });

  test('a closed ledger refuses later tasks', async () => {
    const { db, group, add } = open();
    db.close();
    const late = await Promise.allSettled([group.run(() => add('a')), group.run(() => add('b'))]);
    expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    db.open();
  });

  test('a disk that is full fails what did not fit, and the next task works', async () => {
    const { db, group, add, stored } = open();
    db.exec('pragma max_page_count = 4');
    const big = await Promise.allSettled([group.run(() => add('x'.repeat(100_000)))]);
    expect(big[0]?.status).toBe('rejected');
    db.exec('pragma max_page_count = 100000');
    await group.run(() => add('fits'));
    expect(stored()).toEqual(['fits']);
  });
});
