import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { openSample, type Sample } from './page-sample.ts';
import { pages } from './page-support.ts';

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

  test('has no barriers', async () => {
    const page = await open(sample.sandbox.url);
    for (const path of paths) {
      await page.goto(sample.sandbox.url + path);
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      expect(await barriers(page), path).toEqual([]);
    }
  });
});
