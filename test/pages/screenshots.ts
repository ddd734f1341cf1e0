// Draws docs/images/identificacion*.png and comprobante.png anew: `npx node test/pages/screenshots.ts`. Needs Chromium
// (browser.ts tells where it is looked for) and pngquant, which makes a third of the pictures' size.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { configOf, openHeldOrder } from './held-order.ts';

const image = (name: string) => fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url));
const product = await openHeldOrder();
const browser = await openBrowser();
try {
  const phone = { width: 390, height: 860 };
  const page = await browser.newPage({
    viewport: phone,
    deviceScaleFactor: 2,
    locale: 'es-EC',
    colorScheme: 'light',
  });
  const draw = async (name: string, of = page) => {
    await of.screenshot({ path: image(name), fullPage: true });
    execFileSync('pngquant', [
      '--force',
      '--strip',
      '--quality',
      '80-98',
      '--output',
      image(name),
      image(name),
    ]);
  };
  await page.goto(product.link);
  await page.getByLabel('Número').fill('1710034066');
  await page.getByLabel('Número').blur();
  await page.getByText('algún dígito equivocado').waitFor();
  await draw('identificacion-revisar');
  await page.getByLabel('Número').fill('1710034065');
  await page.getByText('Cédula válida.').waitFor();
  await page.getByLabel('Nombres y apellidos').fill('Ana Torres Mena');
  await draw('identificacion');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByRole('heading', { name: 'Su factura ya fue emitida' }).waitFor();
  await eventually(() => written(product, '1202').pdf, 'the factura on the order');
  const shown = await run(['links', 'show', '001-001-000000001', '--json', '--config', configOf(product)]);
  const wide = await browser.newPage({
    viewport: { width: 1000, height: 1350 },
    locale: 'es-EC',
    colorScheme: 'light',
  });
  await wide.goto((JSON.parse(shown.stdout) as { pageUrl: string }).pageUrl);
  await eventually(() => wide.frames().some((one) => one.url().startsWith('chrome-extension:')), 'the PDF');
  await wide.waitForLoadState('networkidle');
  await draw('comprobante', wide);
} finally {
  await browser.close();
  await product.close();
}
