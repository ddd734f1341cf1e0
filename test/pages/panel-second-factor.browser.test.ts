import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { openProduct, type Product } from '../support/product.ts';
import { headingOf, openedTo, password, phone } from './panel-scene.ts';

const windows = {
  carla: { colorScheme: 'light', viewport: { width: 1100, height: 700 } },
  omar: { ...phone, colorScheme: 'dark' },
} as const;

describe.skipIf(noBrowser)('the second step', () => {
  const open = useBrowser();
  let product: Product;
  beforeAll(async () => {
    const { users } = await openedTo();
    product = await openProduct({ engine: 'sqlite', config: { panel: { users } } });
    await product.start();
  });
  afterAll(() => product?.close());

  async function givePassword(page: Page, user: string): Promise<void> {
    await page.goto(`${product.url}/panel/tiendas`);
    await page.getByLabel('Usuario').fill(user);
    await page.getByLabel('Contraseña').fill(password);
    await page.getByRole('button', { name: 'Entrar' }).click();
  }
  /** Every page is for everybody, and as wide as its window. */
  async function suits(page: Page): Promise<void> {
    expect(await barriers(page)).toEqual([]);
    const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(tooWide)).toBe(0);
  }

  test.each(Object.entries(windows))(
    '%s enrols with the app, comes to the page asked for, and signs in with a recovery code later',
    async (user, window) => {
      const page = await open(`${product.url}/panel`, window);
      page.removeAllListeners('console');
      await givePassword(page, user);
      await page.getByRole('img', { name: 'Código QR' }).waitFor();
      await suits(page);
      const secret = (await page.locator('[data-copy]').getAttribute('data-copy')) ?? '';
      const code = new TOTP({ secret: Secret.fromBase32(secret) });
      await page.getByLabel('Código de seis dígitos').fill('000000');
      await page.getByRole('button', { name: 'Activar' }).click();
      await page.getByRole('alert').getByText('no coincide').waitFor();
      await page.getByLabel('Código de seis dígitos').fill(code.generate());
      await page.getByRole('button', { name: 'Activar' }).click();
      const codes = page.getByRole('main').getByRole('listitem');
      await codes.first().waitFor();
      expect(await codes.count()).toBe(10);
      await suits(page);
      const [recovery = ''] = await codes.allTextContents();
      await page.getByRole('link', { name: 'Ya los guardé' }).click();
      expect(await headingOf(page)).toBe('Tiendas');
      await page.getByRole('link', { name: 'Seguridad' }).click();
      await page.getByText('Le quedan 10 códigos').waitFor();
      await suits(page);
      await page.getByRole('button', { name: 'Salir' }).click();
      await givePassword(page, user);
      expect(await headingOf(page)).toBe('Escriba su código');
      await suits(page);
      await page.getByText('¿No tiene su teléfono?').click();
      await suits(page);
      await page.getByLabel('Código de recuperación').fill(recovery);
      await page.getByRole('button', { name: 'Entrar', exact: true }).last().click();
      await page.getByText('Le quedan 9 códigos de recuperación.').waitFor();
      expect(await headingOf(page)).toBe('Tiendas');
    },
  );
});
