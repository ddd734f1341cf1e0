import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { configOf } from './held-order.ts';

interface Addresses {
  pageUrl: string;
  pdfUrl: string;
  xmlUrl: string;
}

describe.skipIf(noBrowser)('the page of a factura', () => {
  const open = useBrowser();
  let product: Product;
  let links: Addresses;
  const ask = async (what: 'show' | 'revoke'): Promise<Addresses> => {
    const asked = await run(['links', what, '001-001-000000001', '--json', '--config', configOf(product)]);
    if (asked.code !== 0) throw new Error(asked.stderr);
    return JSON.parse(asked.stdout) as Addresses;
  };
  const status = async (url: string) => {
    const answer = await fetch(url, { headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.status;
  };
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    await product.start();
    await product.deliver('1201');
    await eventually(() => written(product, '1201').pdf, 'the factura on its order');
    links = await ask('show');
  });
  afterAll(() => product?.close());

  test('shows what it is and leads to both files; the access key is copied with one click', async () => {
    const page = await open(links.pageUrl, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('heading', { name: 'Factura 001-001-000000001' }).waitFor();
    const text = await page.locator('main').textContent();
    expect(text).toContain('33.75');
    const [stored] = product.sandbox.documents();
    expect(text).toContain(stored?.claveacceso);
    await page.getByRole('button', { name: 'Copiar la clave' }).click();
    await page.getByRole('status').getByText('copiada').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(stored?.claveacceso);
    await eventually(
      () => page.frames().some((one) => one.url().startsWith('chrome-extension:')),
      'the PDF in its frame',
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Descargar XML' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.xml$/);
  });

  test('has no barriers', async () => {
    const page = await open(links.pageUrl);
    expect(await barriers(page)).toEqual([]);
  });

  test('fits a telephone, which opens the PDF by itself instead of a frame', async () => {
    const asked: string[] = [];
    const page = await open('about:blank', {
      viewport: { width: 360, height: 740 },
      isMobile: true,
    });
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(links.pageUrl);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await page.locator('iframe').isVisible()).toBe(false);
    const height = (await page.getByRole('link', { name: 'Abrir el PDF' }).boundingBox())?.height;
    expect(height).toBeGreaterThanOrEqual(44);
    expect(asked.filter((url) => url.endsWith('.pdf'))).toEqual([]);
  });

  test('everything on it is reached by keyboard', async () => {
    const page = await open(links.pageUrl);
    const seen: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate<string>('document.activeElement.textContent'));
    }
    expect(seen).toEqual([
      'Abrir el PDF',
      'Descargar PDF',
      'Descargar XML',
      'Copiar la clave',
      'Verificar en el SRI',
    ]);
  });

  test('works with the service down, also for files nobody ever opened', async () => {
    const [stored] = product.sandbox.documents();
    const asked = () =>
      product.sandbox.requests().filter(({ path }) => path.includes(`/pdf/${stored?.claveacceso}`)).length;
    await eventually(() => asked() > 0, 'the PDF to be kept');
    await product.sandbox.close();
    for (const url of [links.pageUrl, links.pdfUrl, links.xmlUrl]) expect(await status(url)).toBe(200);
  });

  // Last: from here on the first links are gone.
  test('is gone when a merchant revokes it while the product runs; the order gets new links that work', async () => {
    const old = written(product, '1201').pdf ?? '';
    const fresh = await ask('revoke');
    for (const url of [links.pageUrl, links.pdfUrl, links.xmlUrl, old]) expect(await status(url)).toBe(410);
    for (const url of [fresh.pageUrl, fresh.pdfUrl, fresh.xmlUrl]) expect(await status(url)).toBe(200);
    await eventually(() => written(product, '1201').pdf === fresh.pdfUrl, 'the new link on the order');
    const page = await open('about:blank');
    page.removeAllListeners('console');
    await page.goto(links.pageUrl);
    await page.getByRole('heading', { name: 'Este enlace ya no sirve' }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
