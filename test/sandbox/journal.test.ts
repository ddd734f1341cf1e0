import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../sandbox/emulator/store/journal.ts';
import { openFolder } from './support.ts';

const file = (path: string) => join(path, 'sandbox.jsonl');

test('the newest version of everything is found again, in the order in which each came first', () => {
  const path = openFolder();
  const journal = openJournal(path);
  journal.write('document', '1', { state: 'new' });
  journal.write('account', 'a', { credits: 1 });
  journal.write('document', '2', { state: 'new' });
  journal.write('document', '1', { state: 'done' });
  journal.close();
  const again = openJournal(path);
  expect(again.kept('document')).toEqual([{ state: 'done' }, { state: 'new' }]);
  expect(again.kept('account')).toEqual([{ credits: 1 }]);
  again.close();
});

test('a last line cut off by a sudden end is left out, the rest is kept', () => {
  const path = openFolder();
  const journal = openJournal(path);
  journal.write('document', '1', { state: 'new' });
  journal.close();
  appendFileSync(file(path), '["document","2",{"sta');
  const again = openJournal(path);
  expect(again.kept('document')).toEqual([{ state: 'new' }]);
  again.close();
});

test('a line broken in the middle is named, not skipped', () => {
  const path = openFolder();
  const journal = openJournal(path);
  journal.write('document', '1', {});
  journal.close();
  appendFileSync(file(path), 'broken\n["document","2",{}]\n');
  expect(() => openJournal(path)).toThrow(/línea 3: no se puede leer/);
});

test('one directory serves one sandbox at a time; a dead holder does not keep it', () => {
  const path = openFolder();
  const journal = openJournal(path);
  expect(() => openJournal(path)).toThrow(`proceso ${process.pid}`);
  journal.close();
  writeFileSync(join(path, 'sandbox.pid'), '999999999\n');
  openJournal(path).close();
});

test('keys and buyers in it are for the owner of the directory only', () => {
  const path = join(openFolder(), 'datos');
  openJournal(path).close();
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(file(path)).mode & 0o777).toBe(0o600);
});
