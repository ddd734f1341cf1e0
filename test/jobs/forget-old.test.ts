import { expect, onTestFinished, test } from 'vitest';
import { guardSchema } from '../../src/config/schema.ts';
import type { Order } from '../../src/domain/order.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { forgetOld } from '../../src/jobs/forget-old.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { attempt, document, encryptionKey } from '../ledger/samples.ts';
import { temporaryDirectory } from '../ledger/support/processes.ts';
import { order as madeOrder } from '../support/orders.ts';

const shop = { platform: 'woocommerce', shop: 'https://tienda.ec' };
const day = (text: string) => new Date(`${text}T12:00:00Z`);
const kept = guardSchema.retention.parse({});

/** A ledger at a day, with orders last changed on their days; each with a document in a state, or none. */
async function open(orders: readonly { id: string; changed: string; state?: 'authorized' | 'held' }[]) {
  let today = day('2026-11-21');
  const clock = { now: () => today };
  const ledger = await openLedger({ directory: temporaryDirectory(), encryptionKey }, clock, silentLog);
  onTestFinished(() => ledger.close());
  await ledger.stores.register({ id: 'tienda', ...shop, now: clock.now() });
  const save = async (id: string, changed: string, read = changed, at = shop) => {
    const made: Order = { ...madeOrder({}), ...at, id, name: `#${id}`, note: 'Timbre azul' };
    made.buyer = { ...made.buyer, name: 'Ana Torres', email: 'ana@example.ec', phone: '0999999999' };
    const key = { ...at, orderId: id };
    const [sourceUpdatedAt, readAt] = [day(changed).toISOString(), day(read)];
    await ledger.orders.save({
      ...key,
      storeId: 'tienda',
      name: made.name,
      snapshot: made,
      sourceUpdatedAt,
      readAt,
    });
    return key;
  };
  const ids = new Map<string, string>();
  for (const { id, changed, state } of orders) {
    const key = await save(id, changed);
    await ledger.questions.open(key, { cutOffAt: day(changed), expiresAt: day(changed), now: day(changed) });
    await ledger.questions.answer(key, { id: '1710034065', name: 'Ana Torres' }, day(changed));
    if (!state) continue;
    const now = day(changed);
    const made = await ledger.documents.create(
      document({ ...shop, sourceId: id, orderId: id, state: state === 'held' ? 'held' : 'ready', now }),
    );
    const documentId = made?.id ?? '';
    ids.set(id, documentId);
    if (state === 'held') continue;
    const body = JSON.stringify({
      comprador: { razon_social: 'Ana Torres', identificacion: '1710034065', correo: 'ana@example.ec' },
      items: [{ descripcion: 'Camisa' }],
      informacion_adicional: [{ nombre: 'Nota', valor: 'Timbre azul' }],
    });
    await ledger.documents.move(documentId, { from: ['ready'], to: 'sending', now });
    await ledger.attempts.add({ ...attempt(documentId), body, buyerId: '1710034065', now });
    await ledger.documents.move(documentId, { from: ['sending'], to: 'processing', now });
    await ledger.documents.move(documentId, { from: ['processing'], to: 'authorized', now });
  }
  const names = async (id: string, at = shop) => {
    const row = await ledger.orders.get({ ...at, orderId: id });
    const asked = await ledger.questions.get({ ...at, orderId: id });
    return JSON.stringify([row?.snapshot, asked?.answer]).includes('Ana Torres');
  };
  return {
    ledger,
    ids,
    save,
    names,
    at: (text: string) => {
      today = day(text);
    },
    /** Forgets, and has `sync` come in between as soon as the order was read. */
    async raced(sync: () => Promise<unknown>) {
      let pending = true;
      const get: typeof ledger.orders.get = async (key) => {
        const row = await ledger.orders.get(key);
        if (pending) await sync();
        pending = false;
        return row;
      };
      const raced = { ...ledger, orders: { ...ledger.orders, get } };
      await forgetOld({ ledger: raced, clock, log: silentLog }, kept);
      expect(pending).toBe(false);
    },
    run: (more: Partial<typeof kept> = {}) =>
      forgetOld({ ledger, clock, log: silentLog }, { ...kept, ...more }),
  };
}

test('buyers leave orders two years after their last change, what was sold stays', async () => {
  const { run, names, ledger } = await open([
    { id: '1', changed: '2024-11-20', state: 'authorized' },
    { id: '2', changed: '2024-11-20' },
    { id: '3', changed: '2024-11-25', state: 'authorized' },
  ]);
  await run();
  expect(await Promise.all(['1', '2', '3'].map((id) => names(id)))).toEqual([false, false, true]);
  const left = (await ledger.orders.get({ ...shop, orderId: '1' }))?.snapshot as Order;
  expect([left.name, left.total, left.lines.length > 0, left.note]).toEqual([
    '#1',
    madeOrder({}).total,
    true,
    null,
  ]);
  expect((await ledger.questions.get({ ...shop, orderId: '1' }))?.answeredAt).not.toBeNull();
});

test('an order whose document waits for a person keeps its buyer, holds up no other, and is removed later', async () => {
  const { run, names, ids, ledger } = await open([
    { id: '1', changed: '2024-11-01', state: 'held' },
    { id: '2', changed: '2024-11-02', state: 'authorized' },
  ]);
  await run();
  expect([await names('1'), await names('2')]).toEqual([true, false]);
  await ledger.documents.move(ids.get('1') ?? '', {
    from: ['held'],
    to: 'cancelled',
    now: day('2026-11-21'),
  });
  await run();
  expect(await names('1')).toBe(false);
});

test('an order that waits for ever makes no later walk begin at it again', async () => {
  const { run, ledger } = await open([
    { id: '1', changed: '2024-11-01', state: 'held' },
    { id: '2', changed: '2024-11-02', state: 'authorized' },
  ]);
  await run();
  const walked = await ledger.retention.mark(`orders ${shop.platform} ${shop.shop}`);
  expect(walked.id).toBe('2');
});

test('an order that changed while it waited is kept from then on', async () => {
  const { run, names, save, ids, ledger } = await open([{ id: '1', changed: '2024-11-01', state: 'held' }]);
  await run();
  await save('1', '2026-11-20');
  await ledger.documents.move(ids.get('1') ?? '', {
    from: ['held'],
    to: 'cancelled',
    now: day('2026-11-21'),
  });
  await run();
  expect(await names('1')).toBe(true);
});

test('an order that is read again while its buyer is removed keeps what was read', async () => {
  const { ledger, save, names, raced } = await open([{ id: '1', changed: '2024-11-01' }]);
  await raced(() => save('1', '2026-11-20'));
  expect(await names('1')).toBe(true);
  const row = await ledger.orders.get({ ...shop, orderId: '1' });
  expect(row?.sourceUpdatedAt).toBe(day('2026-11-20').toISOString());
});

test('a factura made ready while its order is forgotten keeps its buyer', async () => {
  const { ledger, save, names, raced } = await open([{ id: '1', changed: '2024-11-01' }]);
  await raced(async () => {
    const key = await save('1', '2024-11-01', '2026-11-21');
    await ledger.documents.create(
      document({ ...key, sourceId: '1', state: 'ready', now: day('2026-11-21') }),
    );
  });
  expect(await names('1')).toBe(true);
});

test('an order that changes once more is kept from then on', async () => {
  const { run, names, save, at } = await open([{ id: '1', changed: '2024-11-01' }]);
  await run();
  await save('1', '2026-11-20');
  await run();
  expect(await names('1')).toBe(true);
  at('2028-11-22');
  await run();
  expect(await names('1')).toBe(false);
});

test('days are the config’s', async () => {
  const { run, names } = await open([{ id: '1', changed: '2026-10-01' }]);
  await run();
  expect(await names('1')).toBe(true);
  await run({ ordersDays: 30 });
  expect(await names('1')).toBe(false);
});

test('what was sent keeps its buyer for eight years after the end of its year and not a day less; then names, entries and files go, sums stay', async () => {
  const { run, ids, ledger, at } = await open([{ id: '1', changed: '2026-11-20', state: 'authorized' }]);
  const id = ids.get('1') ?? '';
  await ledger.files.keep({ documentId: id, kind: 'xml', bytes: new Uint8Array(9), now: day('2026-11-20') });
  at('2034-12-31');
  await run();
  expect((await ledger.attempts.ofDocument(id))[0]?.body).toContain('Ana Torres');
  expect(await ledger.files.kinds(id)).toEqual(['xml']);
  at('2035-01-01');
  await run();
  const [left] = await ledger.attempts.ofDocument(id);
  expect(left?.body).not.toMatch(/Ana|1710034065|Timbre/);
  expect(JSON.parse(left?.body ?? '{}')).toMatchObject({ items: [{ descripcion: 'Camisa' }] });
  expect(left?.buyerId).toBe('');
  expect(await ledger.files.kinds(id)).toEqual([]);
  expect((await ledger.documents.get(id))?.state).toBe('authorized');
});

test('the year of a document counts, not the one in which it began to wait', async () => {
  const { run, ids, ledger, at } = await open([{ id: '1', changed: '2026-12-30', state: 'held' }]);
  const id = ids.get('1') ?? '';
  const now = day('2027-01-02');
  const patch = { issueDate: '2027-01-02' };
  await ledger.documents.move(id, { from: ['held'], to: 'ready', now });
  await ledger.documents.move(id, { from: ['ready'], to: 'sending', patch, now });
  await ledger.attempts.add({ ...attempt(id), buyerId: '1710034065', now });
  const buyer = async () => (await ledger.attempts.ofDocument(id))[0]?.buyerId;
  for (const [today, named] of [
    ['2035-01-01', '1710034065'],
    ['2035-12-31', '1710034065'],
    ['2036-01-01', ''],
  ] as const) {
    at(today);
    await run();
    expect(await buyer()).toBe(named);
  }
});

test('less than the tax law requires cannot be configured', () => {
  expect(guardSchema.retention.safeParse({ documentsYears: 6 }).success).toBe(false);
  expect(guardSchema.retention.safeParse({ ordersDays: 7 }).success).toBe(false);
});
