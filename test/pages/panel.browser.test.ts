import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type Product, written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { configOf } from './held-order.ts';
import { enterPanel, headingOf, openPanelProduct, password, phone } from './panel-scene.ts';

describe.skipIf(noBrowser)('the panel', () => {
  const open = useBrowser();
  let product: Product;
  beforeAll(async () => {
    product = await openPanelProduct();
  });
  afterAll(() => product?.close());

  const enter = (user?: string, options?: BrowserContextOptions, path?: string) =>
    enterPanel(open, product, { path, user, options });
  const card = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text }).first();
  /** The browser writes answers like 401 to its console; that is not the page's doing. */
  const expectRefusal = (page: Page) => page.removeAllListeners('console');
  const pages = ['', '/registro'];
  const identify = async (page: Page) =>
    card(page, '#1202').getByRole('link', { name: 'Ingresar la identificación' }).click();

  test('lets in who knows the password, says what was wrong to others, and lets out again', async () => {
    const page = await open(`${product.url}/panel`);
    expectRefusal(page);
    await page.getByLabel('Usuario').fill('carla');
    await page.getByLabel('Contraseña').fill('otra');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('alert').getByText('no son correctos').waitFor();
    expect(await page.getByLabel('Usuario').inputValue()).toBe('carla');
    await page.getByLabel('Contraseña').fill(password);
    await page.getByRole('button', { name: 'Entrar' }).click();
    expect(await headingOf(page)).toBe('Hoy');
    const cookies = await page.context().cookies();
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([
      [true, 'Lax'],
      [true, 'Lax'],
    ]);
    await page.getByRole('button', { name: 'Salir' }).click();
    expect(await headingOf(page)).toBe('Entrar al panel');
    await page.goto(`${product.url}/panel/registro`);
    expect(await headingOf(page)).toBe('Entrar al panel');
  });

  test('puts first what is wrong already, then what still has time, with the reason of each', async () => {
    const page = await enter();
    const cards = page.locator('.card');
    const first = await cards.nth(0).textContent();
    expect(first).toMatch(/1231|1241/);
    expect(await card(page, '#1241').textContent()).toContain('69 IDENTIFICACIÓN DEL RECEPTOR');
    expect(await card(page, '4 documentos por el mismo motivo').textContent()).toContain('IVA 13%');
    expect(await cards.last().textContent()).toMatch(/#1202.*USD 132\.59.*al comprador le quedan/s);
  });

  test('shows whoever may only look no button and no page of others', async () => {
    const page = await enter('rosa');
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Auditoría' }).count()).toBe(0);
    expectRefusal(page);
    await page.goto(`${product.url}/panel/registro`);
    expect(await headingOf(page)).toBe('No se hizo nada');
  });

  test('has no barriers', async () => {
    const page = await enter('carla');
    for (const path of pages) {
      await page.goto(`${product.url}/panel${path}`);
      expect(await barriers(page)).toEqual([]);
    }
    await page.goto(`${product.url}/panel`);
    await page.getByText('Ver cuáles').click();
    expect(await barriers(page)).toEqual([]);
    await identify(page);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Salir' }).click();
    expect(await barriers(page)).toEqual([]);
  });

  test('fits a telephone, with everything to touch at least 44 pixels high', async () => {
    const page = await enter('carla', phone);
    const fits = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      for (const part of await page
        .locator('button:visible, a.button:visible, nav a, input:visible:not([type=radio])')
        .all())
        expect((await part.boundingBox())?.height, (await part.textContent()) ?? '').toBeGreaterThanOrEqual(
          44,
        );
    };
    for (const path of pages) {
      await page.goto(`${product.url}/panel${path}`);
      await fits();
    }
    await page.goto(`${product.url}/panel`);
    await page.getByText('Ver cuáles').click();
    await fits();
    await identify(page);
    await fits();
  });

  test.each([undefined, phone])(
    'a hint stands by its own field and apart from the next one',
    async (options) => {
      const page = await enter('carla', options);
      await identify(page);
      const box = async (part: Locator) => (await part.boundingBox()) ?? { y: 0, height: 0 };
      const [field, hint, next] = await Promise.all(
        [page.getByLabel('Número'), page.locator('#identificacion-ayuda'), page.getByText('Nombres y')].map(
          box,
        ),
      );
      const gap = (above = { y: 0, height: 0 }, below = { y: 0 }) => below.y - above.y - above.height;
      expect(gap(field, hint)).toBeLessThanOrEqual(8);
      expect(gap(hint, next)).toBeGreaterThanOrEqual(2 * gap(field, hint));
    },
  );

  test('is used by keyboard alone: past the header, to the resolution, and it is issued', async () => {
    const page = await open(`${product.url}/panel`);
    /** What has the focus: the name of a field, else the text of a link or button. */
    const focused = () =>
      page.evaluate<string>('document.activeElement.name || document.activeElement.textContent.trim()');
    const tab = () => page.keyboard.press('Tab');
    /** Tabs on to a part of the page; fails where there is none within `most` of them. */
    const tabTo = async (what: RegExp, most: number) => {
      for (let n = 0; n < most && !what.test(await focused()); n += 1) await tab();
      expect(await focused()).toMatch(what);
    };
    /** Follows the link "Ir al contenido", which begins each page, into its main part. */
    const skipHeader = async () => {
      await tab();
      expect(await focused()).toBe('Ir al contenido');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#/);
    };
    await skipHeader();
    await tabTo(/^usuario$/, 1);
    await page.keyboard.type('omar');
    await tab();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
    await skipHeader();
    await tabTo(/^Ingresar la identificación/, 40);
    await page.keyboard.press('Enter');
    await page.getByLabel('Número').waitFor();
    await skipHeader();
    await tabTo(/^tipo$/, 10);
    await tab();
    await page.keyboard.type('1710034065');
    await tab();
    await page.keyboard.type('Ana Torres Mena');
    await page.keyboard.press('Enter');
    await page.getByText('queda guardada y su factura sale enseguida').waitFor();
    await eventually(() => written(product, '1202').estado === 'AUTORIZADO', 'the factura on the order');
    const factura = product.sandbox
      .documents()
      .find(
        ({ body }) =>
          JSON.stringify(body).includes('1710034065') && JSON.stringify(body).includes('Ana Torres Mena'),
      );
    expect(factura?.claveacceso).toBe(written(product, '1202').clave_acceso);
    await page.reload();
    expect(await page.getByRole('main').textContent()).not.toContain('#1202');
  });

  test('without scripts a rejected factura leaves again under its number, once its order is mended', async () => {
    const order = product.shop.order('1241') as unknown as { meta_data: { key: string; value: unknown }[] };
    for (const meta of order.meta_data) if (meta.key === '_billing_cedula') meta.value = '1710034065';
    product.shop.put(order);
    const synced = () => product.log().split('Order synced').length;
    const before = synced();
    await product.deliver('1241');
    await eventually(() => synced() > before, 'the order to be read again');
    const page = await enter('omar', { javaScriptEnabled: false });
    await card(page, '#1241').getByRole('button', { name: 'Intentar otra vez' }).click();
    const message = page.getByRole('status').getByText('Se envía otra vez con su mismo número');
    const number = /\d{3}-\d{3}-\d{9}/.exec((await message.textContent()) ?? '')?.[0];
    await page.reload();
    expect(await page.getByRole('status').count()).toBe(0);
    await eventually(() => written(product, '1241').estado === 'AUTORIZADO', 'the factura on the order');
    expect(written(product, '1241').numero).toBe(number);
    await page.reload();
    expect(await page.getByRole('main').textContent()).not.toContain('#1241');
  });

  test('an alert only a person can end is cleared from the command line too, and both are written down', async () => {
    const page = await enter();
    const listed = await run(['alerts', '--json', '--config', configOf(product)]);
    const alerts = JSON.parse(listed.stdout) as { code: string; subject: string; clearable: boolean }[];
    const differs = alerts.find(({ code }) => code === 'document-differs');
    expect(differs?.clearable).toBe(true);
    const cleared = await run([
      'alerts',
      'clear',
      'document-differs',
      differs?.subject ?? '',
      '--config',
      configOf(product),
    ]);
    expect([cleared.code, cleared.stdout]).toEqual([0, 'El aviso queda revisado.\n']);
    await page.reload();
    expect(await page.getByRole('main').textContent()).not.toContain('no es lo que se envió');
    await page.getByRole('link', { name: 'Auditoría' }).click();
    const log = (await page.getByRole('main').textContent()) ?? '';
    expect(log).toMatch(/@.*Aviso revisado/s);
    expect(log).toContain('omar (panel)');
    expect(log).not.toContain('1710034065');
  });
});
