import { expect, test } from 'vitest';
import { readTerms } from '../../src/panel/find.ts';
import { now } from '../http/installation.ts';
import { attempt, document } from '../ledger/samples.ts';
import { openPanel } from './installation.ts';

/** A panel over so many documents, one a minute, the newest now; every third is held, every fifth a credit note. */
async function openFilled(count = 12) {
  const panel = await openPanel();
  const made = [];
  for (let n = 0; n < count; n += 1) {
    const kind = n % 5 === 4 ? ('nota-credito' as const) : ('factura' as const);
    const one = await panel.ledger.documents.create(
      document({
        sourceId: `s${n}`,
        orderId: `70${n}`,
        orderName: `#10${String(n).padStart(2, '0')}`,
        storeId: n % 2 === 0 ? 'tienda' : 'otra',
        kind,
        codDoc: kind === 'factura' ? '01' : '04',
        charged: `${n}.75`,
        state: n % 3 === 0 ? 'held' : 'ready',
        now: new Date(now.getTime() - (count - n) * 60_000),
      }),
    );
    if (!one) throw new Error('There was such a document.');
    made.push(one);
  }
  return { ...panel, made };
}
const found = (page: string) => [...page.matchAll(/\/documento\/([\w-]+)"/g)].map((hit) => hit[1]);

test('a text is read as everything it may mean', () => {
  const none = { accessKey: null, number: null, amount: null, buyer: null };
  expect(readTerms('#1001')).toEqual({
    ...none,
    order: '1001',
    number: { secuencial: '000001001' },
    amount: '1001.00',
  });
  expect(readTerms(' 001-002-123 ').number).toEqual({
    establecimiento: '001',
    puntoEmision: '002',
    secuencial: '000000123',
  });
  expect(readTerms('1.234,50').amount).toBe('1234.50');
  expect(readTerms('USD 1,234.5').amount).toBe('1234.50');
  expect(readTerms('33,75').amount).toBe('33.75');
  expect(readTerms('1710034065')).toMatchObject({ buyer: '1710034065', number: null, amount: null });
  expect(readTerms('9'.repeat(49))).toEqual({ ...none, order: '9'.repeat(49), accessKey: '9'.repeat(49) });
  expect(readTerms('<script>')).toEqual({ ...none, order: '<script>' });
});

test('a document is found by number, amount and access key, and by cédula by those who operate', async () => {
  const { ledger, made, signIn } = await openFilled();
  const [, one] = made;
  if (!one) throw new Error('There is no document.');
  const sent = await ledger.attempts.add(attempt(one.id));
  const key = '2'.repeat(49);
  await ledger.attempts.end(sent.id, { outcome: 'created', accessKey: key, now });
  const omar = await signIn('omar');
  const search = async (text: string, who = omar) =>
    found(await who.text(`/panel/buscar?q=${encodeURIComponent(text)}`));
  expect(await search('1.75')).toEqual([one.id]);
  expect(await search('001-002-000000001')).toContain(one.id);
  expect(await search('1')).toContain(one.id);
  expect(await search(`${key.slice(0, 10)} ${key.slice(10)}`)).toEqual([one.id]);
  expect(await search('1710034065')).toEqual([one.id]);
  const rosa = await signIn('rosa');
  expect(await search('1710034065', rosa)).toEqual([]);
  expect(await rosa.text('/panel/buscar?q=1710034065')).toContain('es para quienes operan');
});

test('an order is found by its name with and without the sign, even before it has a document', async () => {
  const { ledger, signIn } = await openFilled(0);
  const rosa = await signIn('rosa');
  await ledger.orders.save({
    platform: 'woocommerce',
    shop: 'https://tienda.example',
    orderId: '555',
    storeId: 'tienda',
    name: '#555-A',
    snapshot: { total: '33.75' } as never,
    sourceUpdatedAt: now.toISOString(),
    readAt: now,
  });
  for (const text of ['555-A', '#555-A'])
    expect(await rosa.text(`/panel/buscar?q=${encodeURIComponent(text)}`)).toContain('/pedido/tienda/555');
  expect(await rosa.text('/panel/buscar?q=nada')).toContain('No hay nada que coincida');
});

test('the list keeps to its filters, and its pages show every document once', async () => {
  const { made, signIn } = await openFilled(120);
  const rosa = await signIn('rosa');
  const seen: string[] = [];
  let path: string | undefined = '/panel/buscar?tienda=tienda';
  while (path !== undefined) {
    const page = await rosa.text(path);
    seen.push(...(found(page) as string[]));
    path = /href="([^"]*sigue=[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  const own = made.filter(({ storeId }) => storeId === 'tienda').map(({ id }) => id);
  expect(seen).toEqual(own.toReversed());
  const held = found(await rosa.text('/panel/buscar?tienda=tienda&estado=held&tipo=factura'));
  const wanted = made.filter(
    ({ storeId, state, kind }) => storeId === 'tienda' && state === 'held' && kind === 'factura',
  );
  expect(held.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
  expect(found(await rosa.text('/panel/buscar?hasta=2026-11-19'))).toEqual([]);
});

test('an address nobody meant shows the list, and what was typed is written as text', async () => {
  const { signIn } = await openFilled(1);
  const rosa = await signIn('rosa');
  const strange = await rosa.get('/panel/buscar?estado=nada&tipo=x&desde=ayer&sigue=%27--&tienda=');
  expect(strange.status).toBe(200);
  expect(found(await strange.text())).toHaveLength(1);
  const typed = await rosa.text(`/panel/buscar?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(typed).not.toContain('<script>alert');
});

test('a day of another year is told with its year, by Ecuador’s time', async () => {
  const { ledger, signIn } = await openPanel();
  const shown = async (instant: string) => {
    await ledger.documents.create(document({ sourceId: instant, now: new Date(instant) }));
    const page = await (await signIn('rosa')).text('/panel/buscar');
    return new RegExp(`datetime="${instant}"[^>]*>([^<]*)<`).exec(page)?.[1];
  };
  expect(await shown('2026-01-01T05:00:00.000Z')).toBe('1 ene, 00:00');
  expect(await shown('2026-01-01T04:59:00.000Z')).toBe('31 dic 2025, 23:59');
});
