import type { BrowserContextOptions, Page } from 'playwright-core';
import { sales, toWooOrder } from '../../sandbox/shops/woocommerce-orders.ts';
import { hashPassword } from '../../src/panel/people.ts';
import { eventually } from '../support/eventually.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import { openProduct, type Product } from '../support/product.ts';

export const password = 'una contraseña larga';

/** A sale of the demo (33.75) under another number, to somebody with this cédula. */
export function sold(id: number, cedula: string): Record<string, unknown> {
  const [sale] = sales;
  if (!sale) throw new Error('The demo has no sale.');
  const order = toWooOrder({ ...sale, id }, new Date());
  const billing = { ...(order.billing as object), company: '' };
  return { ...order, billing, meta_data: [{ id: 901, key: '_billing_cedula', value: cedula }] };
}

/** The same under a tax no rule knows. */
function strange(id: number): Record<string, unknown> {
  const order = sold(id, '1710034065');
  const taxes = order.tax_lines as { rate_percent: number; label: string }[];
  return { ...order, tax_lines: taxes.map((tax) => ({ ...tax, rate_percent: 13, label: 'IVA 13%' })) };
}

/** One the authority refuses for its content (docs/sandbox.md, magic identifications). */
const refused = '2459900698';

/** The panel of the config, without codes, for carla (configure), omar (operate) and rosa (read). */
export async function openedTo(): Promise<{ users: Record<string, string>[]; secondFactor: 'off' }> {
  const passwordHash = await hashPassword(password);
  const roles = { carla: 'configure', omar: 'operate', rosa: 'read' };
  const users = Object.entries(roles).map(([user, role]) => ({ user, passwordHash, role }));
  return { users, secondFactor: 'off' };
}

/**
 * The product with a panel and what a bad morning leaves: 1202 waits for its buyer, 1241 was rejected, 1221 to 1224
 * wait for the same tax rule, and 1231 was authorised with a total nobody sent.
 */
export async function openPanelProduct(config: Record<string, unknown> = {}): Promise<Product> {
  const group = [1221, 1222, 1223, 1224];
  const product = await openProduct({
    engine: 'sqlite',
    orders: [
      wrongCedula(new Date(), '1202'),
      sold(1231, '1710034065'),
      sold(1241, refused),
      ...group.map(strange),
    ],
    config: { panel: await openedTo(), ...config },
  });
  try {
    await product.start();
    product.sandbox.faults.add({ spoilXml: true });
    for (const id of ['1231', ...group.map(String), '1241', '1202']) await deliver(product, id);
    await eventually(() => product.log().includes('is not what was sent'), 'the XML to be compared');
    return product;
  } catch (error) {
    await product.close();
    throw new Error(product.log(), { cause: error });
  }
}

/** Until its fate stands on the order, so that the next one is younger. */
async function deliver(product: Product, id: string): Promise<void> {
  await product.deliver(id);
  await eventually(() => product.shop.notes(id).length > 0, `order ${id} to be told of`);
}

type Opens = (address: string, options?: BrowserContextOptions) => Promise<Page>;

/** Signs somebody of the scene in, on their way to a page below the panel. */
export async function enterPanel(
  open: Opens,
  { url }: Pick<Product, 'url'>,
  {
    user = 'carla',
    path = '',
    options = {},
  }: {
    user?: string | undefined;
    path?: string | undefined;
    options?: BrowserContextOptions | undefined;
  } = {},
): Promise<Page> {
  const page = await open(`${url}/panel${path}`, options);
  await page.getByLabel('Usuario').fill(user);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}

export const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
