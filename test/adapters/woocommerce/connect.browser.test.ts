import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { noBrowser, useBrowser } from '../../support/browser.ts';
import { linkOf, openBridge } from './bridge.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(noBrowser)('connecting in a browser', () => {
  const open = useBrowser();

  test('the form may lead to the shop and back, by keyboard, without scripts, and nothing keeps anyone out', async () => {
    const bridge = await openBridge();
    const page = await open(await linkOf(bridge), { ignoreHTTPSErrors: true, bypassCSP: false });
    expect(await page.getByRole('radio', { name: /^tienda: / }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Conectar' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'La tienda «tienda» quedó conectada' }).waitFor();
    expect(bridge.stand.webhooks()).toHaveLength(4);
  });

  test.each(['light', 'dark'] as const)('the page has no barrier axe knows, %s', async (colorScheme) => {
    const bridge = await openBridge();
    // The test brings a script; the page's own policy would not let it in.
    const page = await open(await linkOf(bridge), { ignoreHTTPSErrors: true, bypassCSP: true, colorScheme });
    await page.addScriptTag({ content: axe });
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
