import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import { openProduct, type Product } from '../support/product.ts';
import { run } from '../support/run.ts';

export const configOf = ({ folder }: Product): string => join(folder, 'facturapuente.config.json');

/** The whole product with order 1202 (132.59), held because its buyer's cédula is wrong, and the link to its page. */
export async function openHeldOrder(
  config: Record<string, unknown> = {},
): Promise<Product & { link: string }> {
  const product = await openProduct({
    engine: 'sqlite',
    orders: [wrongCedula(new Date(), '1202')],
    config,
    policy: { buyer: { registry: 'when-missing' } },
  });
  try {
    await product.start();
    await product.deliver('1202');
    await eventually(() => product.shop.notes('1202').length > 0, 'the order to be held');
    return { ...product, link: await linkOf(product) };
  } catch (error) {
    await product.close();
    throw error;
  }
}

/** As a merchant gets it for the buyer. */
export async function linkOf(product: Product): Promise<string> {
  const { code, stdout, stderr } = await run([
    'identification-link',
    '1202',
    '--json',
    '--config',
    configOf(product),
  ]);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { link: string }).link;
}
