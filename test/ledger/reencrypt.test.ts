import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';
import { attempt, document, noon, order } from './samples.ts';
import { temporaryDirectory } from './support/processes.ts';

const old = new Uint8Array(32).fill(1);
const fresh = new Uint8Array(32).fill(2);
const clock = { now: () => noon };
const engines = hasPostgres ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const);

async function place(engine: (typeof engines)[number]): Promise<{ directory: string } | { url: string }> {
  if (engine === 'SQLite') return { directory: temporaryDirectory() };
  const { url, drop } = await openDatabase();
  onTestFinished(drop);
  return { url };
}

describe.each(engines)('a replaced secret on %s', (engine) => {
  test('everything is reencrypted once, and the old key may go', async () => {
    const where = await place(engine);
    const open = (encryptionKey: Uint8Array[]) => openLedger({ ...where, encryptionKey }, clock, silentLog);
    const shop = { platform: 'shopify', shop: 'tienda.myshopify.com' };

    let ledger = await open([old]);
    const made = await ledger.documents.create(document());
    const id = made?.id ?? '';
    for (let n = 0; n < 150; n += 1) await ledger.attempts.add(attempt(id, { body: `cuerpo ${n}` }));
    await ledger.credentials.put(shop, { token: 'viejo' }, null, noon);
    await ledger.questions.open(order, { cutOffAt: noon, expiresAt: noon, now: noon });
    await ledger.questions.answer(order, { id: '1710034065' }, noon);
    await ledger.files.keep({ documentId: id, kind: 'pdf', bytes: Buffer.from('%PDF'), now: noon });
    const factor = { person: 'ana', secret: 'JBSWY3DP', step: 1, codeHashes: ['h'], now: noon };
    await ledger.secondFactors.enrol(factor);
    await ledger.sessions.begin({ tokenHash: 't', person: 'eva', mark: 'm', stage: 'pending', now: noon });
    await ledger.sessions.draft('t', 'GEZDGNBV');
    await ledger.close();

    ledger = await open([fresh, old]);
    await ledger.attempts.add(attempt(id, { body: 'ya nuevo' }));
    expect(await ledger.reencrypt()).toBe(155);
    expect(await ledger.reencrypt()).toBe(0);
    await ledger.close();

    ledger = await open([fresh]);
    onTestFinished(() => ledger.close());
    const bodies = (await ledger.attempts.ofDocument(id)).map(({ body }) => body);
    expect(bodies).toEqual([...Array.from({ length: 150 }, (_, n) => `cuerpo ${n}`), 'ya nuevo']);
    expect((await ledger.credentials.get(shop))?.value).toEqual({ token: 'viejo' });
    expect((await ledger.questions.get(order))?.answer).toEqual({ id: '1710034065' });
    expect((await ledger.secondFactors.get('ana'))?.secret).toBe('JBSWY3DP');
    expect(await ledger.sessions.draft('t', 'otro')).toBe('GEZDGNBV');
    expect(Buffer.from((await ledger.files.get(id, 'pdf')) ?? []).toString()).toBe('%PDF');
  });
});
