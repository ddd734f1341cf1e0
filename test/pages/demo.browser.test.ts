import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, openDemo, showDemo } from '../../sandbox/demo/index.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { hashPassword } from '../../src/panel/people.ts';
import { openInstallation } from '../http/installation.ts';
import { barriers } from '../support/axe.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { headingOf, phone } from './panel-scene.ts';

const sizes = [{ viewport: { width: 1280, height: 800 } }, phone];

async function expectReadable(page: Page, url: string): Promise<void> {
  const { width } = page.viewportSize() as { width: number };
  expect([url, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([url, width]);
  expect(await barriers(page), url).toEqual([]);
}

describe.skipIf(noBrowser)('the pages of the demo', () => {
  const open = useBrowser();
  const stop = new AbortController();
  let demo: Demo;
  let shown: Promise<void>;
  let printed = '';
  let shop: string;
  beforeAll(async () => {
    const password = 'demo-password';
    demo = await openDemo({
      entry: fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url)),
      issuer: demoIssuer.issuer,
      user: { password, passwordHash: await hashPassword(password) },
      servers: null,
      stopped: stop.signal,
    });
    const print = (text: string) => {
      printed += text;
    };
    shown = showDemo(demo, { print, stopped: stop.signal, isDesktop: false });
    await eventually(() => /1201: nota de crédito/.test(printed), 'a nota de crédito');
    await eventually(() => /1208: rechazada/.test(printed), 'the rejected order');
    shop = printed.match(/http:\S+/g)?.[1] ?? '';
  });
  afterAll(async () => {
    stop.abort();
    await shown;
    await demo?.close();
  });

  const enter = async (page: Page) => {
    await page.goto(`${demo.url}/panel/entrar`);
    await page.getByLabel('Usuario').fill(demo.user.name);
    await page.getByLabel('Contraseña').fill(demo.user.password);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('navigation').waitFor();
  };

  test.each(sizes)(
    'have no barriers and fit: the server and the shop, $viewport.width wide',
    async (size) => {
      const page = await open(demo.url, size);
      await expectReadable(page, '/');
      await page.goto(shop);
      await expectReadable(page, 'the shop');
      await page.getByRole('button', { name: 'Pagar' }).click();
      await page.getByText('autorizada').first().waitFor();
      await expectReadable(page, 'an order in the shop');
    },
  );

  test.each(sizes)('have no barriers and fit: the panel, $viewport.width wide', async (size) => {
    const page = await open(demo.url, size);
    await enter(page);
    await expectReadable(page, 'Hoy');
    await page.goto(`${demo.url}/panel/buscar?q=1201`);
    await expectReadable(page, 'Buscar');
    await page
      .getByRole('main')
      .getByRole('link', { name: /001-001-/ })
      .first()
      .click();
    expect(await headingOf(page)).toMatch(/Factura|Nota de crédito/);
    await expectReadable(page, 'a document');
    await page.goto(`${demo.url}/panel/pedido/tienda-woo/1201`);
    expect(await headingOf(page)).toContain('1201');
    await expectReadable(page, 'an order');
  });

  test.each(sizes)('has no barriers and fits without users, $viewport.width wide', async (size) => {
    const { url } = await openInstallation({ publicUrl: 'http://127.0.0.1' });
    const page = await open(url, size);
    page.removeAllListeners('console');
    await expectReadable(page, '/');
    await page.goto(`${url}/panel`);
    await expectReadable(page, '/panel');
  });
});
