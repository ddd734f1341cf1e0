// Draws docs/images/panel-*.png of search, timelines, stores, charts and the close anew:
// `npx node test/pages/panel-timeline-screenshots.ts`. Needs Chromium; pngquant makes a third of the pictures' size.
import type { Page } from 'playwright-core';
import { ecuadorDay } from '../../src/domain/clock.ts';
import { openBrowser } from '../support/browser.ts';
import type { Product } from '../support/product.ts';
import { draw } from './draw.ts';
import { openPast } from './panel-past.ts';
import { openPanelProduct, password } from './panel-scene.ts';

const browser = await openBrowser();

async function enter(
  product: Product,
  options: Parameters<typeof browser.newPage>[0] = {},
): Promise<{ page: Page; go(path: string): Promise<unknown> }> {
  const page = await browser.newPage({
    locale: 'es-EC',
    colorScheme: 'light',
    viewport: { width: 1100, height: 760 },
    ...options,
  });
  await page.goto(`${product.url}/panel`);
  await page.getByLabel('Usuario').fill('carla');
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('navigation').waitFor();
  return { page, go: (path) => page.goto(`${product.url}/panel${path}`) };
}

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1.5,
  hasTouch: true,
  isMobile: true,
};

async function morning(): Promise<void> {
  const product = await openPanelProduct();
  try {
    const { page, go } = await enter(product);
    await go('/buscar');
    await draw(page, 'panel-buscar');
    await page.getByRole('row').filter({ hasText: '#1241' }).getByRole('link').first().click();
    await draw(page, 'panel-documento');
    const path = new URL(page.url()).pathname.replace(/^.*\/panel/, '');
    const { page: small, go: goSmall } = await enter(product, { ...phone, colorScheme: 'dark' });
    await goSmall(path);
    await draw(small, 'panel-documento-telefono', {});
    await go(`/cierre?dia=${ecuadorDay(new Date())}`);
    await page.getByRole('button', { name: 'Cerrar y firmar' }).click();
    await page.getByText('no ha cambiado desde entonces').waitFor();
    await go(`/cierre?dia=${ecuadorDay(new Date())}`);
    await draw(page, 'panel-cierre');
  } finally {
    await product.close();
  }
}

async function month(): Promise<void> {
  const product = await openPast();
  try {
    const { page, go } = await enter(product);
    await go('/tiendas');
    await go('/tiendas');
    await draw(page, 'panel-tiendas');
    await go('/graficos');
    await draw(page, 'panel-graficos');
    const { page: small, go: goSmall } = await enter(product, phone);
    await goSmall('/graficos');
    await draw(small, 'panel-graficos-telefono', {});
  } finally {
    await product.close();
  }
}

try {
  if (process.argv[2] !== 'month') await morning();
  await month();
} finally {
  await browser.close();
}
