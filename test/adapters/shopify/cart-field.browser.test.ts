import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../../support/browser.ts';
import { cart } from './buyer-page.ts';

describe.skipIf(noBrowser)('the field in the cart, in a browser', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** A cart as themes write it, with the snippet below its items. */
  async function openCart(snippet = cart) {
    const tab = await browser.newPage();
    const kept: unknown[] = [];
    const shop = 'http://tienda.example';
    const html = `<form id="cart" action="/cart" method="post"></form>
      ${snippet.replace('{{ routes.cart_update_url }}', '/cart/update').replace(/\{\{.*?\}\}/g, '')}
      <button type="submit" name="checkout" form="cart">Finalizar la compra</button>`;
    await tab.route(`${shop}/**`, (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      if (pathname === '/cart/update.js') kept.push(request.postDataJSON());
      const body = pathname === '/' ? html : request.method() === 'POST' ? 'checkout' : '';
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    });
    await tab.goto(`${shop}/`);
    const field = tab.getByLabel('Cédula o RUC para su factura');
    const pay = tab.getByRole('button', { name: 'Finalizar la compra' });
    return { tab, kept, field, pay, said: () => tab.getByRole('alert').textContent() };
  }

  const isCheckout = (request: Request) => request.method() === 'POST' && request.url().endsWith('/cart');

  test('lets nobody go on with a wrong number, nor with none where one is asked for', async () => {
    const { tab, kept, field, pay, said } = await openCart();
    await pay.click();
    expect(await said()).toBe('Escriba su cédula o RUC para la factura.');
    await field.fill('1710034066');
    await pay.click();
    expect(await said()).toBe('La cédula o el RUC no es válido. Revise sus dígitos.');
    expect(kept).toEqual([]);
    expect(new URL(tab.url()).pathname).toBe('/');
    await tab.close();
  });

  test('keeps a good one with the cart, bare, and sends it with the checkout', async () => {
    const { tab, kept, field, pay } = await openCart();
    await field.fill('171003406-5');
    const sent = tab.waitForRequest(isCheckout);
    await pay.click();
    const form = new URLSearchParams((await sent).postData() ?? '');
    expect(form.get('attributes[Cédula o RUC]')).toBe('1710034065');
    expect(kept).toEqual([{ attributes: { 'Cédula o RUC': '1710034065' } }]);
    await tab.close();
  });

  test('lets the buyer leave it empty where the shop sells to consumidor final', async () => {
    const { tab, pay } = await openCart(cart.replace('data-obligatorio="si"', 'data-obligatorio="no"'));
    const sent = tab.waitForRequest(isCheckout);
    await pay.click();
    expect((await sent).method()).toBe('POST');
    await tab.close();
  });
});
