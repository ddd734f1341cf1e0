import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Line, line, rounds } from './line.ts';
import { load, runScript, startChild, startProduct } from './processes.ts';
import { install, openInstallation, stock } from './stocked.ts';

const orders = 100_000;
const documents = 1_000_000;

/** First order id of the stored rows, far from those of the measurement. */
const past = 500_000_000;

/** Endpoint and worker on a ledger with years of business, compared with an empty one, in turn. */
export async function grown(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'facturapuente-bench-'));
  const directory = join(folder, 'ledger');
  await grow(directory);
  const stub = await startChild('stub-server.ts', []);
  const endpoint: number[] = [];
  const worker: number[] = [];
  let next = 1;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const empty = await endpointRate({});
      const full = await endpointRate({ ledger: { directory } }, next);
      next = full.next;
      endpoint.push(full.perSecond / empty.perSecond);
      const little = await workerRate(stub.url);
      const much = await workerRate(stub.url, directory, past / 2 + round * 10_000);
      worker.push(much / little);
    }
  } finally {
    await stub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const with_ = 'with 1,000,000 documents and 100,000 orders stored / empty';
  return [
    line(`endpoint on SQLite ${with_}`, 'ratio', endpoint, { atLeast: 0.9 }),
    line(`worker on SQLite ${with_}`, 'ratio', worker, { atLeast: 0.9 }),
  ];
}

async function endpointRate(more: Parameters<typeof startProduct>[1], firstId = 1) {
  const product = await startProduct('web', more);
  const loaded = await load(product.url, 'closed', 3, 0, firstId);
  await product.stop();
  return loaded;
}

async function workerRate(stub: string, directory?: string, firstId = 1): Promise<number> {
  const args = directory === undefined ? [] : [directory, String(firstId)];
  return (await runScript<{ product: number }>('end-to-end.ts', [stub, '2000', ...args])).product;
}

/**
 * Receives and plans one order as the product does, then copies its rows. The documents are authorised by default;
 * `unlike` overrides columns of documents, as SQL over their number `i`.
 */
export async function grow(directory: string, unlike: Record<string, string> = {}): Promise<void> {
  const stores = [{ id: 't0', account: 'c0' }];
  const installation = install({ serviceUrl: 'http://127.0.0.1:1', port: 1, stores, ledger: directory });
  const runtime = await openInstallation(installation.file);
  await stock(runtime, ['t0'], 1, past);
  await runtime.close();
  installation.remove();
  const db = new DatabaseSync(join(directory, 'ledger.db'));
  db.exec('delete from jobs');
  copies(db, 'deliveries', orders, { order_id: `${past} + i`, dedupe_key: `${past} + i || ':past'` });
  copies(db, 'orders', orders, { order_id: `${past} + i` });
  copies(db, 'documents', documents, {
    id: `printf('past-%07d', i)`,
    key: `'past/' || i`,
    source_id: `${past} + i % ${orders}`,
    order_id: `${past} + i % ${orders}`,
    punto_emision: `'999'`,
    secuencial: `printf('%09d', i)`,
    access_key: `printf('%049d', i)`,
    state: `'authorized'`,
    written_back: `'authorized'`,
    ...unlike,
  });
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
}

/** Copies a table's first row `count` times, numbered `i`; `over` overrides columns, as SQL. */
function copies(db: DatabaseSync, table: string, count: number, over: Record<string, string>): void {
  const columns = db
    .prepare('select name from pragma_table_info(?) where not (pk = 1 and lower(type) = ?)')
    .all(table, 'integer')
    .map(({ name }) => String(name));
  const values = columns.map((name) => over[name] ?? `first.${name}`);
  db.exec(`
    insert into ${table} (${columns.join(', ')})
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
      first as (select * from ${table} limit 1)
    select ${values.join(', ')} from n, first
  `);
}
