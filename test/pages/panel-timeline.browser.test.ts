import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ecuadorDay } from '../../src/domain/clock.ts';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type Product, written } from '../support/product.ts';
import { enterPanel, headingOf, openPanelProduct, phone } from './panel-scene.ts';

describe.skipIf(noBrowser)('search, timelines, stores, charts and the close', () => {
  const open = useBrowser();
  let product: Product;
  beforeAll(async () => {
    product = await openPanelProduct();
  });
  afterAll(() => product?.close());

  const enter = (path: string, user?: string, options?: BrowserContextOptions) =>
    enterPanel(open, product, { path, user, options });
  const main = async (page: Page) => (await page.getByRole('main').textContent()) ?? '';
  async function find(page: Page, text: string): Promise<void> {
    await page.getByRole('link', { name: 'Buscar', exact: true }).first().click();
    await page.getByLabel('Qué busca').fill(text);
    await page.getByLabel('Qué busca').press('Enter');
    await page.getByRole('status').first().waitFor();
  }
  async function timeline(page: Page, order: string): Promise<void> {
    await find(page, order);
    await page
      .getByRole('row')
      .filter({ hasText: order })
      .getByRole('link', { name: /^Factura/ })
      .click();
  }

  test('an order is found by what its buyer says, and its timeline is told', async () => {
    const page = await enter('/buscar');
    await find(page, '1710034065');
    await page
      .getByRole('link', { name: /^Factura 001-001-/ })
      .first()
      .click();
    expect(await headingOf(page)).toMatch(/^Factura 001-001-\d{9}$/);
    const reported = await main(page);
    expect(reported).toContain('El XML autorizado no coincide con lo que se envió');
    for (const part of ['Lista para enviar', 'Enviándose', 'En proceso', 'Autorizada', 'Envío 1: autorizado'])
      expect(reported).toContain(part);
    await page.getByText('Contenido enviado (último envío)').click();
    expect(await page.locator('pre').first().textContent()).toContain('1710034065');
    const frame = page.locator('iframe');
    const pdf = await page.request.get(new URL((await frame.getAttribute('src')) ?? '', page.url()).href);
    expect([pdf.status(), (await pdf.body()).subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    await page.getByRole('link', { name: '#1231' }).click();
    expect(await headingOf(page)).toBe('Pedido #1231');
  });

  test('a rejected document is sent again from its timeline, by keyboard alone', async () => {
    const page = await enter('/buscar', 'omar');
    await timeline(page, '#1241');
    expect(await main(page)).toContain('69 IDENTIFICACIÓN DEL RECEPTOR');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    for (let n = 0; n < 20 && !/^Intentar otra vez/.test(await focused()); n += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Se envía otra vez con su mismo número').waitFor();
    await eventually(async () => {
      await page.reload();
      return (await main(page)).includes('Envío 2: no autorizado');
    }, 'the second refusal to be told');
    expect(await main(page)).toContain('por omar (panel)');
    expect(written(product, '1241').estado).not.toBe('AUTORIZADO');
  });

  test('a day is closed and signed, and stays so', async () => {
    const today = ecuadorDay(new Date());
    const page = await enter('/cierre', 'omar');
    await page.getByLabel('Día').fill(today);
    await page.getByRole('button', { name: 'Ver', exact: true }).click();
    expect(await main(page)).toContain('todavía no se ha cerrado');
    const box = async (selector: string) => page.locator(selector).first().boundingBox();
    const [chooser, reported] = await Promise.all([box('main form.find'), box('main .empty')]);
    // What is told stands apart from the day it is asked with.
    expect((reported?.y ?? 0) - (chooser?.y ?? 0) - (chooser?.height ?? 0)).toBeGreaterThan(8);
    await page.getByRole('button', { name: 'Revisar ahora sin guardar' }).click();
    await page.getByText('no está guardado').waitFor();
    expect(await main(page)).toContain('Observaciones');
    await page.getByRole('button', { name: 'Cerrar y firmar' }).click();
    await page.getByText('no ha cambiado desde entonces').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Facturas, total USD' });
    expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual(['33.75', '33.75', '33.75']);
    const looking = await enter(`/cierre?dia=${today}`, 'rosa');
    expect(await main(looking)).toContain('no ha cambiado desde entonces');
    expect(
      await looking
        .getByRole('main')
        .getByRole('button', { name: /Cerrar/ })
        .count(),
    ).toBe(0);
  });

  test('the month of a day is downloaded whole', async () => {
    const page = await enter('/cierre', 'omar');
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Descargar' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^comprobantes-\d{4}-\d{2}\.zip$/);
    expect(Object.keys(unzipSync(await readFile(await download.path())))).toContain('LEEME.txt');
  });

  test('whoever may only look sees the timeline without the buyer', async () => {
    const page = await enter('/buscar', 'rosa');
    await timeline(page, '#1231');
    const reported = await main(page);
    expect(reported).toContain('Autorizada');
    expect(reported).toContain('lo ven quienes operan o configuran');
    expect(reported).not.toContain('1710034065');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  const addresses = async (page: Page) => {
    const hrefs = await page
      .locator('tbody th a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const timelines = hrefs.slice(0, 3).map((href) => href.replace(/^.*\/panel/, ''));
    return [
      '/buscar',
      '/buscar?q=nada',
      '/tiendas',
      '/graficos?dias=90',
      '/cierre',
      ...timelines,
      '/pedido/tienda/1231',
    ];
  };

  test('have no barriers', async () => {
    const page = await enter('/buscar', 'carla');
    for (const path of await addresses(page)) {
      await page.goto(`${product.url}/panel${path}`);
      for (const fold of await page.locator('main summary').all()) await fold.click();
      expect(await barriers(page), path).toEqual([]);
    }
  });

  test('fit a telephone, with everything to touch at least 44 pixels high', async () => {
    const page = await enter('/buscar', 'carla', phone);
    for (const path of await addresses(page)) {
      await page.goto(`${product.url}/panel${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360);
      for (const part of await page
        .locator('main button:visible, main a.button:visible, main select:visible')
        .all())
        expect((await part.boundingBox())?.height, path).toBeGreaterThanOrEqual(44);
    }
  });

  test.each([30, 90])('the days under a chart of %i stand apart on a telephone', async (days) => {
    const page = await enter(`/graficos?dias=${days}`, 'carla', phone);
    const chart = page.locator('.bars svg').first();
    const boxes = await Promise.all((await chart.locator('text').all()).map((one) => one.boundingBox()));
    const gaps = boxes.slice(1).map((box, n) => (box?.x ?? 0) - (boxes[n]?.x ?? 0) - (boxes[n]?.width ?? 0));
    expect(gaps.length).toBeGreaterThan(1);
    expect(Math.min(...gaps)).toBeGreaterThan(6);
  });
});
