import { describe, expect, test } from 'vitest';
import { alerts } from '../../src/messages/alerts.ts';
import { meaningOf, reasons } from '../../src/messages/reasons.ts';
import { causeWords } from '../../src/messages/timeline.ts';
import { builtCodes, writtenCodes } from '../docs/codes.ts';
import { openPanelBench } from './bench.ts';

/** What a plan, a mapper or a step writes into a document; errors and alerts stand nowhere in a timeline. */
const reported = writtenCodes().filter(
  ({ code, by, file }) =>
    /^(mappers|src\/planner|src\/jobs)\//.test(file) &&
    !by.endsWith('Error') &&
    !Object.hasOwn(alerts.entries, code),
);

test('every code a document can have has its sentence', () => {
  expect(reported.length).toBeGreaterThan(90);
  expect(
    reported.filter(({ code }) => !meaningOf(code)).map(({ code, file }) => `${code} (${file})`),
  ).toEqual([]);
  // Those put together where they are used: how far an order is paid.
  expect(
    ['unpaid', 'partially-paid'].filter((code) => !builtCodes.includes(code) || !meaningOf(code)),
  ).toEqual([]);
});

test('every sentence ends with a full stop', () => {
  const meanings = Object.keys(reasons).map((code) => [code, meaningOf(code)] as const);
  for (const [code, message] of [...meanings, ...Object.entries(causeWords)])
    expect(message, code).toMatch(/\.$/);
});

describe('the timeline', () => {
  test('shows each move in words', async () => {
    const panel = await openPanelBench();
    await panel.bench.sync('1201');
    await panel.bench.run();
    const { id } = await panel.bench.document();
    const rosa = await panel.signIn('rosa');
    const path = `/panel/documento/${id}`;
    const page = await rosa.text(path);
    expect(page).toMatch(/<strong>Lista para enviar<\/strong><div[^>]*>El pedido está pagado y se factura\./);
    expect(page).not.toMatch(/>paid</);
  });

  test('leaves a code of another version as it is', async () => {
    const panel = await openPanelBench();
    await panel.bench.sync('1201');
    await panel.bench.run();
    const { id, state } = await panel.bench.document();
    const now = panel.bench.clock.now();
    await panel.ledger.documents.move(id, { from: [state], to: state, note: { code: 'of-tomorrow' }, now });
    expect(await (await panel.signIn('rosa')).text(`/panel/documento/${id}`)).toContain('>of-tomorrow<');
  });
});
