import { expect, test } from 'vitest';
import type { DayClose, Fates } from '../../src/reports/close/day-close.ts';
import { keepClose, openSigner } from '../../src/reports/close/keep-close.ts';
import { closeText } from '../../src/reports/close/text.ts';
import { openPanel } from './installation.ts';

const none = { count: 0, total: '0.00' };
const fates = (over: Partial<Fates> = {}): Fates => ({
  sold: none,
  issued: none,
  issuedOtherDay: none,
  underWay: none,
  waiting: [],
  netted: none,
  unneeded: [],
  missing: none,
  ...over,
});
const two = { count: 2, total: '67.50', taxes: [] };

/** Two orders were paid, one of their facturas is gone. */
const red: DayClose = {
  day: '2026-11-19',
  scope: '*',
  stores: ['quito'],
  closedAt: '2026-11-20T14:00:00.000Z',
  result: 'red',
  provisional: false,
  sales: fates({
    sold: { count: 2, total: '67.50' },
    issued: { count: 1, total: '33.75' },
    missing: { count: 1, total: '33.75' },
  }),
  refunds: fates(),
  issued: [
    {
      kind: 'factura',
      states: { authorized: 1 },
      ours: { count: 1, total: '33.75', taxes: [] },
      service: two,
      shop: { count: 2, total: '67.50' },
      ofOtherDays: none,
    },
  ],
  differences: [
    {
      code: 'document-removed',
      sentence: 'Falta el documento 001-001-000000007 <b>.',
      store: 'quito',
      order: '#1001',
      number: '001-001-000000007',
    },
  ],
  foreign: [],
  unanswered: [],
};

async function openClosed() {
  const panel = await openPanel();
  const kept = await keepClose(panel.ledger.closes, openSigner(new Uint8Array(32).fill(5)), red);
  return { ...panel, kept };
}

test('a day that does not add up says so first, and leads to what is missing', async () => {
  const { signIn } = await openClosed();
  const page = await (await signIn('rosa')).text('/panel/cierre?dia=2026-11-19');
  expect(page).toMatch(/class="verdict red"[\s\S]*El día no cuadra\.[\s\S]*Falta el documento/);
  expect(page).toContain('&lt;b&gt;');
  expect(page).toContain('/panel/buscar?q=001-001-000000007');
  expect(page).toContain('/panel/buscar?q=%231001');
  expect(page).toMatch(/<tr class="wrong"><th scope="row">Sin comprobante/);
  expect(page).toMatch(
    /<tr class="wrong"><th scope="row">Facturas, total USD[\s\S]*?67\.50[\s\S]*?33\.75[\s\S]*?≠/,
  );
  expect(page).toContain('no ha cambiado desde entonces');
});

test('a day whose shop cannot be asked says so, and marks nothing that the shop did not say', async () => {
  const { ledger, signIn } = await openPanel();
  const one = { count: 1, total: '33.75', taxes: [] };
  const partial: DayClose = {
    ...red,
    result: 'partial',
    sales: fates(),
    issued: red.issued.map((of) => ({ ...of, ours: one, service: one, shop: none })),
    differences: [],
    unanswered: [
      { source: 'shop-without-access', name: 'quito', sentence: 'No se le puede preguntar qué vendió.' },
    ],
  };
  await keepClose(ledger.closes, openSigner(new Uint8Array(32).fill(5)), partial);
  const page = await (await signIn('rosa')).text('/panel/cierre?dia=2026-11-19');
  expect(page).toMatch(/class="verdict partial"[\s\S]*una tienda no se puede consultar[\s\S]*qué vendió/);
  expect(page).not.toContain('≠');
  const text = closeText({ close: partial, explained: [], kept: null });
  expect(text).toContain('SIN LA TIENDA');
  expect(text).toMatch(/Autorizadas +│ +— │ +1 │ +1 /);
});

test('a kept close somebody altered is not called signed', async () => {
  const { ledger, kept, signIn } = await openClosed();
  const content = kept.content.replace('"red"', '"green"');
  await ledger.closes.add({ ...kept, hash: 'a'.repeat(64), n: kept.n + 1, result: 'green', content });
  const page = await (await signIn('rosa')).text('/panel/cierre?dia=2026-11-19');
  expect(page).toContain('alguien lo alteró');
  expect(page).not.toContain('no ha cambiado desde entonces');
});

test('each earlier close stands in the list with its verdict', async () => {
  const { signIn } = await openClosed();
  const page = await (await signIn('rosa')).text('/panel/cierre');
  expect(page).toMatch(/cierre\?dia=2026-11-19">2026-11-19<\/a>[\s\S]*?chip bad">El día no cuadra/);
});
