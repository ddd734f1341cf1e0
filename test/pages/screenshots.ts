// Draws docs/images/identificacion*.png, comprobante.png and factura.png anew: `npx node test/pages/screenshots.ts`. Needs
// Chromium and a font as wide as Helvetica (Liberation Sans); pngquant makes a third of the pictures' size.
import { openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { written } from '../support/product.ts';
import { run } from '../support/run.ts';
import { draw } from './draw.ts';
import { configOf, openHeldOrder } from './held-order.ts';

/** The sheet in Chromium's window of 603 × 860. */
const a4 = { x: 4, y: 3, width: 595, height: 842 };
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
  await page.goto(product.link);
  await page.getByLabel('Número').fill('1710034066');
  await page.getByLabel('Número').blur();
  await page.getByText('algún dígito equivocado').waitFor();
  await draw(page, 'identificacion-revisar');
  await page.getByLabel('Número').fill('1710034065');
  await page.getByText('consta en el registro').waitFor();
  await page.getByLabel('Nombres y apellidos').fill('Ana Torres Mena');
  await draw(page, 'identificacion');
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
  await draw(wide, 'comprobante');
  const sheet = await browser.newPage({ viewport: { width: 603, height: 860 } });
  await sheet.goto(`${written(product, '1202').pdf}#toolbar=0&navpanes=0&view=Fit`);
  await eventually(() => sheet.frames().some((one) => one.url().startsWith('chrome-extension:')), 'the PDF');
  await sheet.waitForLoadState('networkidle');
  await draw(sheet, 'factura', { clip: a4 });
} finally {
  await browser.close();
  await product.close();
}
