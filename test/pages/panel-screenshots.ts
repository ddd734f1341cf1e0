// Draws docs/images/panel-*.png of the frame and the work list anew: `npx node test/pages/panel-screenshots.ts`. Needs
// Chromium; pngquant makes a third of the pictures' size where it is installed.
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { openProduct } from '../support/product.ts';
import { draw } from './draw.ts';
import { openedTo, openPanelProduct, password } from './panel-scene.ts';

const product = await openPanelProduct();
const { users } = await openedTo();
const factored = await openProduct({ engine: 'sqlite', config: { panel: { users } } });
await factored.start();
const browser = await openBrowser();

async function enter(options: Parameters<typeof browser.newPage>[0], { url } = product): Promise<Page> {
  const page = await browser.newPage({ locale: 'es-EC', colorScheme: 'light', ...options });
  await page.goto(`${url}/panel`);
  return page;
}

async function givePassword(page: Page): Promise<void> {
  await page.getByLabel('Usuario').fill('carla');
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
}

async function signIn(page: Page): Promise<void> {
  await givePassword(page);
  await page.getByRole('navigation').waitFor();
}

try {
  const wide = await enter({ viewport: { width: 1100, height: 560 } });
  await draw(wide, 'panel-entrar');
  await signIn(wide);
  await draw(wide, 'panel-hoy');
  const retry = wide.getByRole('button', { name: 'Actualizar los 4 pedidos desde la tienda' });
  await retry.click();
  await wide.getByRole('link', { name: 'Auditoría' }).click();
  await draw(wide, 'panel-registro');
  await wide.getByRole('link', { name: 'Hoy', exact: true }).click();
  await wide.getByRole('link', { name: 'Ingresar la identificación' }).click();
  await wide.getByLabel('Número').fill('1710034066');
  await wide.getByLabel('Número').blur();
  await wide.getByText('algún dígito equivocado (su').last().waitFor();
  await draw(wide, 'panel-identificacion');
  const enrolling = await enter({ viewport: { width: 1100, height: 560 } }, factored);
  await givePassword(enrolling);
  await enrolling.getByRole('img', { name: 'Código QR' }).waitFor();
  await draw(enrolling, 'panel-segundo-paso');
  const phone = await enter({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1.5,
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
  });
  await signIn(phone);
  await draw(phone, 'panel-hoy-telefono');
} finally {
  await browser.close();
  await product.close();
  await factored.close();
}
