import axe, { type AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { openSample, type Sample } from './page-sample.ts';
import { pages } from './page-support.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe.skipIf(noBrowser)('the page with a day’s documents', () => {
  const open = useBrowser();
  let sample: Sample;
  let paths: string[];
  beforeAll(async () => {
    sample = await openSample();
    const keys = sample.sandbox.documents().map(({ claveacceso }) => claveacceso);
    // Authorised, refused, in process.
    paths = [...pages, ...[keys[0], keys[3], keys[7]].map((key) => `/pagina/comprobantes/${key}`)];
  });
  afterAll(() => sample?.close());

  test('is nowhere wider than a telephone of 380 pixels', async () => {
    const page = await open(sample.sandbox.url, { viewport: { width: 380, height: 800 } });
    for (const path of paths) {
      await page.goto(sample.sandbox.url + path);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 380]);
    }
  });

  test.each(['light', 'dark'] as const)(
    'is easy to read and to operate in %s colours, as far as a machine can tell (WCAG 2.2 AA)',
    async (colorScheme) => {
      const page = await open(sample.sandbox.url, { colorScheme });
      for (const path of paths) {
        await page.goto(sample.sandbox.url + path);
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        await page.evaluate(axe.source);
        const asked = JSON.stringify({ iframes: false, runOnly: rules });
        const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${asked})`);
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
        expect([path, found]).toEqual([path, []]);
      }
    },
  );
});
