import { ShopError } from '../../../src/domain/errors.ts';
import type { InstallItem, InstallRequest } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import { keysOf } from '../access.ts';
import { changeKept, readKept } from '../kept.ts';
import { openInstallCalls } from './calls.ts';
import { faultItem } from './shop.ts';
import { connectionOf, targetOf } from './target.ts';
import { ourWebhooks } from './webhooks.ts';

const webhooksOfShop = 'Webhooks de la tienda';

/**
 * Takes our webhooks out of the shop and forgets what it gave us. What is kept stays while the shop is away, so that it
 * can be tried again; not when it no longer knows our keys, for then nobody will ever let us in with them.
 */
export async function uninstall(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const { url, apiAccess } = connectionOf(request);
  const { credentials } = context;
  // Before anything else, so that no process that looks after the store puts back what is taken out.
  await changeKept(credentials, url, (kept) => (kept.installed ? { ...kept, installed: false } : null));
  const items: InstallItem[] = [];
  try {
    if (apiAccess) items.push(...(await deleteWebhooks(request, context)));
  } catch (error) {
    const fault = faultItem(error, webhooksOfShop);
    if (!(error instanceof ShopError) || error.code !== 'shop-unauthorized') return [fault];
    const cure = `${fault.cure} Borre a mano los webhooks «facturapuente …» en WooCommerce → Ajustes → Avanzado → Webhooks.`;
    items.push({ ...fault, state: 'warning', cure });
  }
  const { keys } = await readKept(credentials, url);
  await credentials.remove(url);
  if (keys !== null)
    items.push({
      code: 'keys',
      what: 'Claves que entregó la tienda',
      state: 'ok',
      cure: 'Se olvidaron aquí; revóquelas también en WooCommerce → Ajustes → Avanzado → API REST.',
      done: true,
    });
  return items;
}

async function deleteWebhooks(request: InstallRequest, context: ShopContext): Promise<InstallItem[]> {
  const connection = connectionOf(request);
  const keys = await keysOf(connection, context);
  if (keys === null) return [];
  const calls = openInstallCalls(connection, keys, context);
  const items: InstallItem[] = [];
  for (const { id, topic } of ourWebhooks(await calls.webhooks(), await targetOf(request, context))) {
    await calls.deleteWebhook(id);
    items.push({ code: `webhook ${topic}`, what: `Webhook ${topic}`, state: 'ok', cure: null, done: true });
  }
  return items;
}
