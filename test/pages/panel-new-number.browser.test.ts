import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { enterPanel, headingOf, openedTo, phone, sold } from './panel-scene.ts';

/** 1251: the authority says it has the number already (45), and nobody knows under which key. */
describe.skipIf(noBrowser)('a new number, answered for in the panel', () => {
  const open = useBrowser();
  let product: Product;
  beforeAll(async () => {
    product = await openProduct({
      engine: 'sqlite',
      orders: [sold(1251, '1710034065')],
      config: { panel: await openedTo() },
    });
    await product.start();
    product.sandbox.faults.add({ outcome: { codigo: 45, times: 1 } });
    await product.deliver('1251');
    const isStopped = () => written(product, '1251').estado === 'REVISIÓN MANUAL';
    await eventually(isStopped, 'the number to be known as registered');
  });
  afterAll(() => product?.close());

  const enter = async (options?: BrowserContextOptions): Promise<Page> => {
    const page = await enterPanel(open, product, { options });
    await page.getByRole('link', { name: 'Facturar con otro número' }).click();
    return page;
  };

  test('has no barriers', async () => {
    const page = await enter();
    expect(await headingOf(page)).toBe('Otro número para el pedido #1251');
    expect(await barriers(page)).toEqual([]);
  });

  test('fits a telephone, with everything to touch at least 44 pixels high', async () => {
    const page = await enter(phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    for (const part of [page.getByRole('button', { name: /^Autorizar/ }), page.getByLabel(/^Número/)])
      expect((await part.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test('is given by keyboard alone, once the number is written right', async () => {
    const page = await enter();
    // The browser writes the answer 422 to its console; that is not the page's doing.
    page.removeAllListeners('console');
    const old = /\d{3}-\d{3}-\d{9}/.exec((await page.getByRole('main').textContent()) ?? '')?.[0] ?? '';
    await page.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('001-001-999999999');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(`no es el número de este documento, ${old}`).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await page.getByRole('checkbox').isChecked()).toBe(true);
    await page.getByLabel('Número que se deja sin usar').fill(old);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('se factura con un número nuevo de la serie').waitFor();
    expect(await headingOf(page)).toBe('Pedido #1251');
    await eventually(() => written(product, '1251').estado === 'AUTORIZADO', 'the factura on the order');
    expect(written(product, '1251').numero).not.toBe(old);
    await page.reload();
    const reported = (await page.getByRole('main').textContent()) ?? '';
    expect([reported.includes(old), reported.includes(written(product, '1251').numero ?? '?')]).toEqual([
      true,
      true,
    ]);
  });
});
