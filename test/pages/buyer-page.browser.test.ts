import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type Product, written } from '../support/product.ts';
import { openHeldOrder } from './held-order.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const right = '1710034065';

describe.skipIf(noBrowser)('the page where a buyer gives the identification', () => {
  const open = useBrowser();
  let product: Product & { link: string };
  beforeAll(async () => {
    product = await openHeldOrder();
  });
  afterAll(() => product?.close());

  const number = (page: Page) => page.getByLabel('Número');
  const name = (page: Page) => page.getByLabel('Nombres y apellidos, o razón social');
  const save = (page: Page) => page.getByRole('button', { name: 'Guardar y recibir mi factura' });
  const flaw = (page: Page) => page.locator('#identificacion-reparo');
  /** The browser writes answers like 422 to its console; that is not the page's doing. */
  const expectRefusal = (page: Page) => page.removeAllListeners('console');

  test('shows shop, order, total and the time left, and nothing else of the sale', async () => {
    const page = await open(product.link);
    const text = ((await page.locator('main').textContent()) ?? '').replace(/\s+/g, ' ');
    expect(text).toContain('1202');
    expect(text).toContain('USD 132.59');
    expect(text).toMatch(/Tiene hasta el .*hora de Ecuador \((faltan|quedan) .*\)/);
    const buyer = product.shop.order('1202') as unknown as { billing: Record<string, string> };
    for (const field of ['first_name', 'last_name', 'email', 'phone', 'address_1'] as const)
      expect(await page.content()).not.toContain(buyer.billing[field]);
    expect(product.link).not.toMatch(/1202|1710034066/);
  });

  test('says what is wrong with a number while it is written, and takes nothing of it', async () => {
    const page = await open(product.link);
    await number(page).pressSequentially('1710034066');
    await flaw(page).getByText('algún dígito equivocado').waitFor();
    expect(await number(page).getAttribute('aria-invalid')).toBe('true');
    await name(page).fill('Ana Torres');
    await save(page).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('identificacion');
    await number(page).fill(right);
    await flaw(page).getByText('Cédula válida.').waitFor();
    expect(await number(page).getAttribute('aria-invalid')).toBeNull();
    await page.getByLabel('RUC', { exact: true }).check();
    await flaw(page).getByText('elija «Cédula»').waitFor();
    await page.getByLabel('Pasaporte').check();
    await eventually(async () => (await flaw(page).textContent()) === '', 'no complaint about a passport');
  });

  test('offers the name the registry knows, which stays the buyer’s to correct', async () => {
    const page = await open(product.link);
    await page.getByLabel('RUC', { exact: true }).check();
    await number(page).fill('1790016919001');
    await page.getByRole('status').getByText('consta en el registro').waitFor();
    expect(await name(page).inputValue()).toBe('PROVEEDOR DE PRUEBA S.A.');
    await name(page).fill('Otra razón');
    expect(await page.getByRole('status').textContent()).toBe('');
  });

  test('without scripts the server says the same, keeps what was written, and leads to each field', async () => {
    const page = await open(product.link, { javaScriptEnabled: false });
    expectRefusal(page);
    await number(page).fill('1710034066');
    await page.getByLabel('Correo para la factura').fill('ana@');
    await save(page).click();
    const alert = page.getByRole('alert');
    await alert.getByText('algún dígito equivocado').waitFor();
    expect(await alert.getByRole('link').count()).toBe(3);
    expect(await number(page).inputValue()).toBe('1710034066');
    await alert.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Revise lo marcado' }).waitFor();
  });

  test('has no barriers, empty and refused', async () => {
    const page = await open(product.link);
    expect(await barriers(page)).toEqual([]);
    expectRefusal(page);
    await page.getByLabel('Pasaporte').check();
    await number(page).fill('AB123456');
    await save(page).click();
    await page.getByRole('alert').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('fits a telephone, with everything to touch at least 44 pixels high', async () => {
    const page = await open(product.link, phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    for (const part of [number(page), name(page), save(page), page.locator('.kinds label').first()])
      expect((await part.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test('a changed link is no link, and a page of its own says so', async () => {
    const page = await open('about:blank');
    expectRefusal(page);
    const answer = await page.goto(`${product.link.slice(0, -1)}${product.link.endsWith('A') ? 'B' : 'A'}`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Enlace no válido' }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  // Last: from here on the order is no longer held.
  test('by keyboard alone the right cédula lets the factura leave, and the page follows it until it is authorised', async () => {
    const page = await open(product.link);
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
    const tabTo = async (id: string) => {
      for (let n = 0; n < 12 && !(await focused()).includes(id); n += 1) await page.keyboard.press('Tab');
      expect(await focused()).toContain(id);
    };
    await tabTo('tipo-cedula');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('tipo-ruc');
    await page.keyboard.press('ArrowUp');
    await tabTo('identificacion');
    await page.keyboard.type(right);
    await tabTo('nombre');
    // The registry may have been quicker.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Ana Torres');
    await tabTo('Guardar');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Su factura ya fue emitida' }).waitFor();
    expect(await page.locator('#estado').textContent()).toContain('001-001-000000001');
    expect(await barriers(page)).toEqual([]);
    await eventually(() => written(product, '1202').pdf, 'the factura on the order');
    const [stored] = product.sandbox.documents();
    expect(stored?.estado).toBe(4);
    await page.reload();
    await page.getByRole('heading', { name: 'Su factura ya fue emitida' }).waitFor();
  });
});

describe.skipIf(noBrowser)('a link that has ended', () => {
  const open = useBrowser();
  test('says so on a page of its own, and asks nothing', async () => {
    // A day is a second and a half: the link's week passes while the page is open.
    const anchor = new Date().toISOString();
    const product = await openHeldOrder({ testClock: `anchor=${anchor},offset=0,rate=57600` });
    try {
      const page = await open('about:blank');
      page.removeAllListeners('console');
      await eventually(
        async () => (await page.goto(product.link))?.status() === 410,
        'the link to end',
        30_000,
      );
      await page.getByRole('heading', { name: 'Este enlace venció' }).waitFor();
      expect(await page.locator('form').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
    } finally {
      await product.close();
    }
  });
});
