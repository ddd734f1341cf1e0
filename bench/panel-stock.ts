import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Runtime } from '../src/app/runtime.ts';
import { grow } from './grown.ts';

export const panelStores = Array.from({ length: 10 }, (_, n) => ({ id: `t${n}`, account: `c${n % 3}` }));
const days = 90;
const from = Math.floor(Date.now() / 1000) - days * 86_400;
const dayAt = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Values that exist in the stock. */
export const known = {
  order: '500000770',
  document: 'past-0123450',
  accessKey: '123450'.padStart(49, '0'),
  day: dayAt(from + 30 * 86_400),
};

/**
 * 1,000,000 documents of ten stores over the last 90 days, 7,000 of them open, each with two moves and one attempt; the
 * last of them came in this minute.
 */
export async function growForPanel(directory: string): Promise<void> {
  const at = (later = 0) =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', ${from + later} + i * ${(days * 86_400) / 1_000_000}, 'unixepoch')`;
  const open = `case when i % 200 = 0 then 'held' when i % 500 = 1 then 'rejected' `;
  await grow(directory, {
    store_id: `'t' || (i % 10)`,
    account: `'c' || ((i % 10) % 3)`,
    kind: `case when i % 20 = 7 then 'nota-credito' else 'factura' end`,
    cod_doc: `case when i % 20 = 7 then '04' else '01' end`,
    charged: `printf('%d.%02d', 10 + i % 400, i % 97)`,
    total: `printf('%d.%02d', 10 + i % 400, i % 97)`,
    state: `${open} when i % 300 = 2 then 'cancelled' else 'authorized' end`,
    created_at: at(),
    updated_at: at(5),
    authorized_at: at(5),
    issue_date: `substr(${at(-5 * 3600)}, 1, 10)`,
  });
  const db = new DatabaseSync(join(directory, 'ledger.db'));
  db.exec(`
    delete from history;
    insert into history (document_id, at, from_state, to_state)
      select id, created_at, null, 'ready' from documents union all select id, updated_at, 'ready', state from documents;
    insert into attempts (id, document_id, n, issue_date, secuencial, sealed_body, total, buyer_id, netted_refunds,
        outcome, errors, created_at)
      select 'a-' || id, id, 1, issue_date, secuencial, 'x', total, printf('%010d', rowid % 300000), '[]', 'authorized',
        '[]', created_at
      from documents where issue_date is not null and id <> '${known.document}';
    insert or ignore into stores (platform, shop, id, first_started_at)
      select distinct platform, shop, 't0', min(created_at) from documents;
    pragma wal_checkpoint(truncate);
  `);
  db.close();
}

/** The sent body of the document whose timeline is measured; only the product can encrypt it. */
export async function sendKnown({ ledger }: Runtime): Promise<void> {
  if ((await ledger.attempts.ofDocument(known.document)).length > 0) return;
  const lines = Array.from({ length: 10 }, (_, n) => ({ codigo: `SKU-${n}`, cantidad: 1, precio: 3.375 }));
  await ledger.attempts.add({
    documentId: known.document,
    issueDate: known.day,
    secuencial: '000123450',
    body: JSON.stringify({ comprador: { identificacion: '1710034065' }, detalles: lines }),
    total: '33.75',
    buyerId: '1710034065',
    nettedRefunds: [],
    overpaid: '0.00',
    lineReferences: [],
    now: new Date(),
  });
}
