import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { openSample, type Sample } from './page-sample.ts';
import { pages } from './page-support.ts';
import { factura, start } from './support.ts';

describe.skipIf(noBrowser)('the page in a browser', () => {
  const openIn = useBrowser();
  const open = async (url: string, options: BrowserContextOptions = {}) => {
    const page = await openIn(url, options);
    await alive(page);
    return page;
  };
  // The script has looked once: from here on the page follows what happens.
  const alive = (page: Page) => page.getByText('En vivo').waitFor({ state: 'attached' });

  test('a document emitted elsewhere appears and is decided without a reload, and is read out', async () => {
    const { sandbox, emit } = await start();
    const page = await open(sandbox.url);
    await page.evaluate('window.sameWindow = true');
    await page.getByText('Aún no hay comprobantes').waitFor();
    sandbox.faults.add({
      outcome: { identificacion: '2459999997', resultado: 'autorizado', enProcesoMs: 60_000 },
    });
    await emit(factura());
    const row = page.getByRole('row', { name: /001-001-000000123/ });
    await row.getByText('En procesamiento').filter({ visible: true }).waitFor();
    sandbox.clock.step(60_000);
    await row.getByText('Autorizado', { exact: true }).filter({ visible: true }).waitFor();
    await page
      .locator('[aria-live=polite]', { hasText: '1 con respuesta del SRI' })
      .waitFor({ state: 'attached' });
    expect(await page.evaluate('window.sameWindow')).toBe(true);
  });

  test('what is being typed, the focus and the scroll stay while the page lives on', async () => {
    const { sandbox, emit } = await start();
    const page = await open(`${sandbox.url}/pagina/fallas`, { viewport: { width: 900, height: 400 } });
    const field = page.getByLabel('Identificación: Decisión del SRI');
    await field.fill('17134');
    const before = await page.evaluate<number>('window.scrollY');
    expect(before).toBeGreaterThan(0);
    await emit(factura());
    await page.locator('#menu .pill', { hasText: '1' }).waitFor();
    expect(await field.inputValue()).toBe('17134');
    expect(await page.evaluate('document.activeElement.value')).toBe('17134');
    expect(await page.evaluate<number>('window.scrollY')).toBe(before);
  });

  test('a document’s PDF comes into its page when it is authorised, and stays the same one from then on', async () => {
    const { sandbox, emit } = await start();
    sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 60_000 } });
    const { body } = await emit(factura());
    const loaded: string[] = [];
    const page = await open(`${sandbox.url}/pagina/comprobantes/${body.claveacceso}`);
    page.on('request', (request) => loaded.push(request.url()));
    await page.getByText('El RIDE y el XML existen cuando el SRI lo autoriza.').waitFor();
    sandbox.clock.step(60_000);
    // The browser's own viewer inside the frame: not an error, not an offer to save the file.
    await eventually(
      () =>
        page
          .frames()
          .some(
            (one) =>
              one.url().startsWith('chrome-extension:') && one.parentFrame()?.url().includes('/ride.pdf'),
          ),
      'the viewer in the frame',
    );
    const looks = async () => {
      loaded.length = 0;
      await eventually(() => loaded.filter((url) => url.endsWith(body.claveacceso)).length >= 2, 'two looks');
    };
    const isLoaded = () => loaded.some((url) => url.includes('.pdf'));
    // The viewer may ask for a part of the file after it is shown.
    await eventually(async () => {
      await looks();
      return !isLoaded();
    }, 'a look without the file');
    await looks();
    expect(isLoaded()).toBe(false);
    await page.getByText('"razon_social"').first().waitFor();
    await page.getByText('infoTributaria').first().waitFor();
  });

  test('one click adds a fault, the next emission meets it, and the page shows that it has happened', async () => {
    const { sandbox, emit } = await start();
    const page = await open(`${sandbox.url}/pagina/fallas`);
    await page.getByLabel('Estado HTTP: Error antes de almacenar').fill('503');
    await page.getByRole('button', { name: 'Agregar: Error antes de almacenar' }).click();
    await page.getByRole('status').getByText('Falla agregada.').waitFor();
    await page.locator('section', { hasText: 'En espera' }).getByText('status 503').waitFor();
    expect((await emit(factura())).status).toBe(503);
    await page.getByText('el sandbox se porta bien').waitFor();
    await page.getByRole('row', { name: /Error antes de almacenar/ }).waitFor();
  });

  test('a value the form cannot take is told beside it, and the page stays as it was', async () => {
    const { sandbox } = await start();
    const page = await open(`${sandbox.url}/pagina/fallas`);
    const status = page.getByLabel('Estado HTTP: Error antes de almacenar');
    await status.fill('999');
    // The browser writes a refused form to its console; that is not the page's doing.
    page.removeAllListeners('console');
    await page.getByRole('button', { name: 'Agregar: Error antes de almacenar' }).click();
    await page.getByRole('status').getByText('revise los valores').waitFor();
    expect(await status.inputValue()).toBe('999');
    expect(sandbox.faults.list()).toEqual([]);
  });

  test('typing in the search narrows the list without a button, and stays through a form and a reload', async () => {
    const { sandbox, emit } = await start();
    await emit(factura());
    await emit(factura((b) => (b.emisor.secuencial = '000000777')));
    const page = await open(sandbox.url);
    const rows = page.locator('tr[data-row]');
    await rows.nth(1).waitFor();
    await page.getByRole('searchbox').pressSequentially('777');
    await eventually(async () => (await rows.count()) === 1, 'one row');
    await page.getByRole('button', { name: 'Emitir una de ejemplo' }).click();
    await page.getByText('Factura de ejemplo emitida.').waitFor();
    await page.getByRole('link', { name: /^3 Todos/ }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('777');
    expect(await rows.count()).toBe(1);
  });

  test('everything is reached by keyboard: the way to the content, a document, and back', async () => {
    const { sandbox, emit } = await start();
    await emit(factura());
    const page = await open(sandbox.url);
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Ir al contenido');
    await page.keyboard.press('Enter');
    for (let n = 0; n < 20 && (await focused()) !== '001-001-000000123'; n++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Factura 001-001-000000123/ }).waitFor();
    await alive(page);
    await page.getByRole('link', { name: '← Comprobantes' }).press('Enter');
    await page.getByRole('heading', { name: 'Comprobantes' }).waitFor();
    await alive(page);
  });

  test('without scripts the forms do the same', async () => {
    const { sandbox } = await start();
    const page = await openIn(sandbox.url, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Emitir una de ejemplo' }).click();
    await page.getByText('Factura de ejemplo emitida.').waitFor();
    await page.getByRole('link', { name: '001-001-000000001' }).waitFor();
    await page.getByRole('combobox', { name: 'Tipo' }).selectOption('04');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('Ningún comprobante coincide con el filtro.').waitFor();
  });
});

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
