import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { moveLedger } from '../../src/ledger/move/move.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { openLedgerReader } from '../../src/ledger/read.ts';
import { hasPostgres, openEmptyDatabase, postgresUrl } from '../support/servers.ts';
import { attempt, delivery, document, encryptionKey, noon, order, series } from './samples.ts';
import { temporaryDirectory } from './support/processes.ts';

const clock = { now: () => noon };
const trace = () => null;
const options = { clock, log: silentLog };

async function openTarget() {
  const database = await openEmptyDatabase();
  onTestFinished(() => database.drop());
  return { url: database.url };
}

const stop = { reason: 'El número 7 es de otro.', secuencial: '000000007' };

/** A directory with deliveries, orders, documents, attempts, a series that stands at number 3 and one that is stopped. */
async function filledDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const ledger = await openLedger({ directory, encryptionKey, trace }, clock, silentLog);
  await ledger.stores.register({ id: 'tienda', platform: order.platform, shop: order.shop, now: noon });
  // More than a page, and bytes that are no text.
  await Promise.all(
    Array.from({ length: 1_200 }, (_, n) =>
      ledger.accept(delivery(`d${n}`, { orderId: `o${n}`, body: new Uint8Array([0, 255, n % 256]) })),
    ),
  );
  for (const sourceId of ['a', 'b', 'c']) {
    const made = await ledger.documents.create(document({ sourceId, state: 'ready' }));
    await ledger.attempts.add(attempt(made?.id ?? ''));
  }
  await ledger.sequences.stop({ ...series, codDoc: '04' }, stop, noon);
  await ledger.rateLimits.swap('key-a', null, { reserveTat: 0, tat: 1_763_658_000_123.5, slowUntil: 0 });
  await ledger.check();
  await ledger.close();
  return directory;
}

const all = (ledger: Ledger) => ledger.documents.list({ limit: 100 });

describe.skipIf(!hasPostgres)('moving the ledger to PostgreSQL', () => {
  test('takes every row along, and each series stands where it stood', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    const { tables, already } = await moveLedger(directory, target, { ...options, by: 'ana@maquina' });
    expect(already).toBe(false);
    expect(tables).toMatchObject({
      deliveries: 1_200,
      documents: 3,
      attempts: 3,
      history: 3,
      series: 2,
      rate_limits: 1,
    });
    const ledger = await openLedger({ ...target, encryptionKey, trace }, clock, silentLog);
    expect(await ledger.auditLog.list({ limit: 9 })).toMatchObject([
      { who: 'ana@maquina', what: 'move', outcome: 'done', facts: { schema: 'facturapuente' } },
    ]);
    const documents = await all(ledger);
    expect(documents.map(({ secuencial }) => secuencial).sort()).toEqual([
      '000000001',
      '000000002',
      '000000003',
    ]);
    const [first] = await ledger.attempts.ofDocument(documents[0]?.id ?? '');
    expect(first?.body).toBe('{"comprador":"Ñandú S.A."}');
    expect(await ledger.rateLimits.read('key-a')).toMatchObject({ reserveTat: 0, tat: 1_763_658_000_123.5 });
    expect(await ledger.sequences.reserve(series, 1)).toBe('000000004');
    expect(await ledger.sequences.stopped({ ...series, codDoc: '04' })).toEqual(stop);
    expect(await ledger.accept(delivery('d7'))).toBe('duplicate');
    expect(await ledger.accept(delivery('new'))).toBe('stored');
    await ledger.close();
  });

  test('closes the directory: nobody gives its numbers a second time', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    await moveLedger(directory, target, options);
    const opened = openLedger({ directory, encryptionKey, trace }, clock, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'ledger-moved' });
    expect(() => openLedgerReader({ directory }, silentLog)).toThrow(
      expect.objectContaining({ code: 'ledger-moved' }),
    );
  });

  test('may be repeated, and then only compares', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    await moveLedger(directory, target, options);
    expect(await moveLedger(directory, target, options)).toMatchObject({ already: true });
    const ledger = await openLedger({ ...target, encryptionKey, trace }, clock, silentLog);
    const auditLog = await ledger.auditLog.list({ limit: 9 });
    await ledger.close();
    expect(auditLog.map(({ what }) => what)).toEqual(['move']);
  });

  test('goes to one place only: a ledger that has moved is not moved again', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    await moveLedger(directory, target, options);
    const elsewhere = moveLedger(directory, await openTarget(), options);
    await expect(elsewhere).rejects.toMatchObject({ code: 'ledger-moved' });
    const ledger = await openLedger({ ...target, encryptionKey, trace }, clock, silentLog);
    await ledger.accept(delivery('later'));
    await ledger.close();
    // The ledger is in use there: no message asks to empty it.
    await expect(moveLedger(directory, target, options)).rejects.toMatchObject({ code: 'ledger-moved' });
  });

  test('interrupted before its COMMIT, opens nowhere until it was repeated', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    const admin = new Client({ connectionString: target.url });
    await admin.connect();
    await (await openLedger({ ...target, encryptionKey, trace }, clock, silentLog)).close();
    // The server refuses at the very COMMIT, when the directory is closed already.
    await admin.query(`
      create function facturapuente.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'no'; end $$;
      create constraint trigger refuse after insert on facturapuente.attempts
        deferrable initially deferred for each row execute function facturapuente.refuse();
    `);
    await expect(moveLedger(directory, target, options)).rejects.toThrow();
    const opened = openLedger({ directory, encryptionKey, trace }, clock, silentLog);
    await expect(opened).rejects.toMatchObject({ code: 'move-unfinished' });
    const elsewhere = moveLedger(directory, await openTarget(), options);
    await expect(elsewhere).rejects.toMatchObject({ code: 'move-unfinished' });
    await admin.query('drop function facturapuente.refuse() cascade');
    await admin.end();
    expect(await moveLedger(directory, target, options)).toMatchObject({ already: false });
    const again = openLedger({ directory, encryptionKey, trace }, clock, silentLog);
    await expect(again).rejects.toMatchObject({ code: 'ledger-moved' });
  });

  test.each([
    ['no server', 'postgresql://127.0.0.1:1/none'],
    ['no such database', new URL('/fp_no_such_database', postgresUrl).href],
  ])('says that the place cannot be used: %s', async (_, url) => {
    const moving = moveLedger(await filledDirectory(), { url }, options);
    await expect(moving).rejects.toMatchObject({ code: 'ledger-unreachable' });
  });

  test.each(['notaurl', 'mysql://root@127.0.0.1/x', 'postgresql://postgres@127.0.0.1:5432'])(
    'wants the address of a PostgreSQL database, which %s is not',
    async (url) => {
      const moving = moveLedger(await filledDirectory(), { url }, options);
      await expect(moving).rejects.toMatchObject({
        code: 'input-invalid',
        params: expect.objectContaining({ why: 'address' }),
      });
    },
  );

  test('never touches a place that holds something else', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    const other = await openLedger({ ...target, encryptionKey, trace }, clock, silentLog);
    await other.documents.create(document({ sourceId: 'x', state: 'held' }));
    await other.close();
    await expect(moveLedger(directory, target, options)).rejects.toMatchObject({ code: 'move-target-used' });
    const ledger = await openLedger({ directory, encryptionKey, trace }, clock, silentLog);
    expect(await all(ledger)).toHaveLength(3);
    await ledger.close();
  });

  test('what does not arrive as it was is not moved at all', async () => {
    const directory = await filledDirectory();
    const target = await openTarget();
    await (await openLedger({ ...target, encryptionKey, trace }, clock, silentLog)).close();
    const admin = new Client({ connectionString: target.url });
    await admin.connect();
    await admin.query(`
      create function facturapuente.spoil() returns trigger language plpgsql as
        $$ begin new.total := '0.01'; return new; end $$;
      create trigger spoil before insert on facturapuente.attempts
        for each row execute function facturapuente.spoil();
    `);
    await expect(moveLedger(directory, target, options)).rejects.toMatchObject({
      code: 'internal',
      params: expect.objectContaining({ why: 'copy' }),
    });
    const { rows } = await admin.query('select count(*)::int as n from facturapuente.documents');
    await admin.end();
    expect(rows).toEqual([{ n: 0 }]);
    const ledger = await openLedger({ directory, encryptionKey, trace }, clock, silentLog);
    expect(await all(ledger)).toHaveLength(3);
    await ledger.close();
  });

  test('while somebody uses the directory is refused', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey, trace }, clock, silentLog);
    const target = await openTarget();
    await expect(moveLedger(directory, target, options)).rejects.toMatchObject({ code: 'ledger-held' });
    await ledger.close();
  });
});
