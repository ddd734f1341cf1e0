import pg from 'pg';

/** Used for trials that had a schema of their own. */
export async function dropLedger({ url, schema }: { url: string; schema: string }): Promise<void> {
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  try {
    await database.query(`DROP SCHEMA IF EXISTS ${database.escapeIdentifier(schema)} CASCADE`);
  } finally {
    await database.end();
  }
}
