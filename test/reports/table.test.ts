import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTable, plain } from '../../src/reports/export/tables.ts';

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-table-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
const row = ['001-001-000000001', 'x'.repeat(1_000)];

test('a table that is dropped while it is written leaves nothing, and harms nobody', async () => {
  const folder = await openFolder();
  for (const rows of [0, 1, 500]) {
    const table = openTable(join(folder, 'facturas'), ['Número', 'Texto'], plain);
    for (let n = 0; n < rows; n += 1) await table.add(row);
    await table.drop();
  }
  expect(await readdir(folder)).toEqual([]);
});

test('a table on a disk that takes nothing fails whoever writes or reads it', async () => {
  const file = join(await openFolder(), 'gone', 'facturas');
  const read = openTable(file, ['Número', 'Texto'], plain);
  await expect(read.read()).rejects.toMatchObject({ code: 'ENOENT' });
  await read.drop();
  const written = openTable(file, ['Número', 'Texto'], plain);
  const write = async () => {
    for (let n = 0; n < 500; n += 1) await written.add(row);
    await written.read();
  };
  await expect(write()).rejects.toMatchObject({ code: 'ENOENT' });
  await written.drop();
});
