import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Who did what, oldest first, as it lies in a ledger's directory; also while `start` holds it. */
export function auditLogIn(ledger: { directory: string } | { url: string }) {
  if (!('directory' in ledger)) throw new TypeError('These lie in PostgreSQL.');
  const database = new DatabaseSync(join(ledger.directory, 'ledger.db'), { readOnly: true });
  try {
    const rows = database
      .prepare('select who, what, subject, outcome, facts from audit_log order by id')
      .all();
    return rows.map((row) => ({ ...row, facts: JSON.parse(String(row.facts)) as unknown }));
  } finally {
    database.close();
  }
}
