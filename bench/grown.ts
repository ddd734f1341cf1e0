import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../sandbox/shops/loopback.ts';
import { install, oneStore, openFile, stock } from './installation.ts';
import { type Line, line } from './line.ts';
import { measurePanel } from './panel.ts';
import type { Starter } from './starter.ts';

export const whole = {
  documents: 1_000_000,
  rounds: 3,
  seconds: 3,
  warmUpSeconds: 1,
  /** Documents that the worker sends. */
  sent: 1_000,
  /** How often each page of the panel is asked for. */
  times: 40,
};

const stores = Array.from({ length: 10 }, (_, n) => ({ id: `t${n}`, account: `c${n}` }));
const days = 90;

/** First order id of the stored rows, far from those of the measurement. */
const past = 500_000_000;

/** Every page of the panel on a ledger with years of business; endpoint and worker on it, compared with an empty one. */
export async function grown(start: Starter, amounts = whole): Promise<Line[]> {
  const { documents, rounds, seconds, warmUpSeconds, sent } = amounts;
  const directory = join(start.folder(), 'ledger');
  const known = await grow(start, directory, documents);
  const pages = await measurePanel(start, { directory, stores, known, times: amounts.times });

  const stub = await start.server('stub', undefined);
  const atEndpoint = async (ledger: object, firstId: number) => {
    const port = await freePort();
    const product = await start.product(install(start.folder(), { ...oneStore, port, ...ledger }), {
      role: 'web',
    });
    const { url } = product;
    const loaded = await start.task('load', { url, mode: 'closed', seconds, warmUpSeconds, firstId });
    await product.stop();
    return loaded;
  };
  const atWorker = async (more: { directory?: string; firstId?: number; firstPoint?: number }) =>
    start.task('endToEnd', { serviceUrl: stub.url, documents: sent, folder: start.folder(), ...more });

  const endpoint: number[] = [];
  const worker: number[] = [];
  let firstId = 1;
  for (let round = 0; round < rounds; round += 1) {
    const empty = await atEndpoint({}, 1);
    const full = await atEndpoint({ ledger: { directory } }, firstId);
    firstId = full.nextId;
    endpoint.push(full.perSecond / empty.perSecond);
    const little = await atWorker({});
    const much = await atWorker({
      directory,
      firstId: past / 2 + round * 10_000,
      firstPoint: 101 + 50 * round,
    });
    worker.push(much.perSecond / little.perSecond);
  }
  const stored = 'with 1,000,000 documents and 100,000 orders stored / empty';
  return [
    ...pages,
    line(`Endpoint on SQLite ${stored}`, '', endpoint, { atLeast: 0.9 }),
    line(`Worker on SQLite ${stored}`, '', worker, { atLeast: 0.9 }),
  ];
}

/** Values that exist in a grown ledger. */
export interface Known {
  order: string;
  document: string;
  number: string;
  accessKey: string;
  day: string;
}

/**
 * Receives and plans one order as the product does, then copies its rows: documents of ten stores over the last 90 days,
 * some of them open, each with two moves and one attempt, ten of each order; the last of them came in this minute.
 */
async function grow(start: Starter, directory: string, documents: number): Promise<Known> {
  const options = { serviceUrl: 'http://127.0.0.1:1', port: 1, stores, ledger: { directory } };
  const runtime = await openFile(install(start.folder(), options).file);
  await stock(runtime, ['t0'], 1, past);
  await runtime.close();

  const orders = documents / 10;
  const from = Math.floor(Date.now() / 1000) - days * 86_400;
  const at = (later = 0) =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', ${from + later} + i * ${(days * 86_400) / documents}, 'unixepoch')`;
  const amount = `printf('%d.%02d', 10 + i % 400, i % 97)`;
  const n = Math.floor(documents * 0.1234);
  const known = {
    order: String(past + 70),
    document: `past-${String(n).padStart(7, '0')}`,
    number: `001-999-${String(n).padStart(9, '0')}`,
    accessKey: String(n).padStart(49, '0'),
    day: new Date((from + 30 * 86_400) * 1000).toISOString().slice(0, 10),
  };
  const db = new DatabaseSync(join(directory, 'ledger.db'));
  db.exec('delete from jobs');
  copies(db, 'deliveries', orders, { order_id: `${past} + i`, dedupe_key: `${past} + i || ':past'` });
  copies(db, 'orders', orders, { order_id: `${past} + i` });
  copies(db, 'documents', documents, {
    id: `printf('past-%07d', i)`,
    key: `'past/' || i`,
    source_id: `${past} + i % ${orders}`,
    order_id: `${past} + i % ${orders}`,
    store_id: `'t' || (i % 10)`,
    account: `'c' || (i % 10)`,
    kind: `case when i % 20 = 7 then 'nota-credito' else 'factura' end`,
    cod_doc: `case when i % 20 = 7 then '04' else '01' end`,
    charged: amount,
    total: amount,
    punto_emision: `'999'`,
    secuencial: `printf('%09d', i)`,
    access_key: `printf('%049d', i)`,
    state: `case when i % 200 = 0 then 'held' when i % 500 = 1 then 'rejected'
      when i % 300 = 2 then 'cancelled' else 'authorized' end`,
    written_back: `'authorized'`,
    created_at: at(),
    updated_at: at(5),
    authorized_at: at(5),
    issue_date: `substr(${at(-5 * 3600)}, 1, 10)`,
  });
  db.exec(`
    delete from history;
    insert into history (document_id, at, from_state, to_state)
      select id, created_at, null, 'ready' from documents union all select id, updated_at, 'ready', state from documents;
    insert into attempts (id, document_id, n, issue_date, secuencial, encrypted_body, total, buyer_id, netted_refunds,
        overpaid, left_out, outcome, errors, created_at)
      select 'a-' || id, id, 1, issue_date, secuencial, 'x', total, printf('%010d', rowid % 300000), '[]', '0.00', '[]', 'authorized',
        '[]', created_at
      from documents where issue_date is not null and id <> '${known.document}';
    insert or ignore into stores (platform, shop, id, first_started_at)
      select distinct platform, shop, 't0', min(created_at) from documents;
    pragma wal_checkpoint(truncate);
  `);
  db.close();
  return known;
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
