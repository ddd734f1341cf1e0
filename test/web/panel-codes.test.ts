import { describe, expect, test } from 'vitest';
import { alerts } from '../../src/domain/error-catalogue/alerts.ts';
import { codeWords } from '../../src/web/panel/document/code-words.ts';
import { causeWords } from '../../src/web/panel/document/parts.ts';
import { languages } from '../../src/web/panel/visit.ts';
import { builtCodes, writtenCodes } from '../docs/codes.ts';
import { openPanelBench } from './panel-bench.ts';

/** What a plan, a mapper or a step writes into a document; errors and alerts stand nowhere in a timeline. */
const reported = writtenCodes().filter(
  ({ code, by, file }) =>
    /^(mappers|src\/planner|src\/jobs)\//.test(file) &&
    !by.endsWith('Error') &&
    !Object.hasOwn(alerts.entries, code),
);

test.each(languages)('every code a document can bear has words of its own (%s)', (language) => {
  expect(reported.length).toBeGreaterThan(90);
  const words = codeWords[language];
  expect(reported.filter(({ code }) => !words[code]).map(({ code, file }) => `${code} (${file})`)).toEqual(
    [],
  );
  // Those put together where they are used: how far an order is paid.
  expect(['unpaid', 'partially-paid'].filter((code) => !builtCodes.includes(code) || !words[code])).toEqual(
    [],
  );
});

test('no word is left out or the same in both languages', () => {
  for (const words of [codeWords, causeWords])
    for (const [code, says] of Object.entries(words.es)) {
      expect(says, code).toMatch(/\.$/);
      expect(words.en[code], code).toMatch(/\.$/);
      expect(words.en[code], code).not.toBe(says);
    }
});

describe('the timeline', () => {
  test('tells each move in words, in the language of the page', async () => {
    const panel = await openPanelBench();
    await panel.bench.sync('1201');
    await panel.bench.run();
    const { id } = await panel.bench.document();
    const rosa = await panel.signIn('rosa');
    const path = `/panel/documento/${id}`;
    expect(await rosa.text(path)).toMatch(
      /<strong>Lista para enviar<\/strong><div[^>]*>El pedido está pagado y se factura\./,
    );
    const english = { cookie: `${rosa.cookie}; __Host-facturapuente-idioma=en` };
    const page = await (await panel.get(path, english)).text();
    expect(page).toMatch(/<strong>Ready<\/strong><div[^>]*>The order is paid and is invoiced\./);
    for (const language of [page, await rosa.text(path)]) expect(language).not.toMatch(/>paid</);
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
