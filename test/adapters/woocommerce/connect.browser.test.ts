import { describe, expect, test } from 'vitest';
import { barriers } from '../../support/axe.ts';
import { noBrowser, useBrowser } from '../../support/browser.ts';
import { linkOf, openBridge } from './bridge.ts';

describe.skipIf(noBrowser)('connecting in a browser', () => {
  const open = useBrowser();

  test('the form may lead to the shop and back, by keyboard, without scripts, and nothing keeps anyone out', async () => {
    const bridge = await openBridge();
    const page = await open(await linkOf(bridge), { ignoreHTTPSErrors: true, bypassCSP: false });
    await page.getByText('tienda', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Conectar' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'La tienda «tienda» quedó conectada' }).waitFor();
    expect(bridge.stand.webhooks()).toHaveLength(4);
  });

  test('the page has no barriers', async () => {
    const bridge = await openBridge();
    // The test brings a script; the page's own policy would not let it in.
    const page = await open(await linkOf(bridge), { ignoreHTTPSErrors: true, bypassCSP: true });
    expect(await barriers(page)).toEqual([]);
  });
});
