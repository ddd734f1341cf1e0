import type { InstallItem, InstallRequest } from '../../../src/domain/install.ts';
import type { ShopContext } from '../../../src/domain/platform.ts';
import type { App, Connection } from '../settings.ts';
import { readInstall } from '../tokens/record.ts';

/** Forgets what the shop gave us; the app itself only the merchant can take out of the shop. */
export async function uninstall(
  { store, app }: InstallRequest,
  context: ShopContext,
): Promise<InstallItem[]> {
  const { shop } = store.connection as Connection;
  const { credentials } = context;
  const gone = await credentials.alone(shop, async () => {
    const kept = await readInstall(credentials, shop, (app as App).clientId);
    return kept !== null && (await credentials.remove(shop));
  });
  return [
    { what: `Claves de ${shop}`, state: 'ok', cure: null, ...(gone ? { done: true } : {}) },
    {
      what: 'App en la tienda',
      state: 'warning',
      cure: 'Quítela en la tienda, en Configuración > Apps. Lo escrito en los pedidos se queda.',
    },
  ];
}
