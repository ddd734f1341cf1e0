import { openFile } from '../../bench/installation.ts';
import type { Installation } from '../../src/app/installation.ts';
import { openLiveSettings } from '../../src/app/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { documentCodes, documentKey } from '../../src/domain/document.ts';
import type { Store } from '../../src/domain/settings.ts';
import { hashPassword } from '../../src/panel/people.ts';
import { openProduct, type Product } from '../support/product.ts';
import { configOf } from './held-order.ts';
import { password } from './panel-scene.ts';

const dayMs = 24 * 3_600_000;

/** The product with a month of production behind it, for pictures of its charts and stores. */
export async function openPast(): Promise<Product> {
  const passwordHash = await hashPassword(password);
  const product = await openProduct({
    engine: 'sqlite',
    sandbox: (url) => ({
      accounts: [
        {
          apiKey: 'clave-1',
          credits: 260,
          webhook: { url: `${url}/service/webhook/cuenta`, secret: 'secreto-de-los-avisos-del-servicio' },
        },
      ],
    }),
    config: { panel: { secondFactor: 'off', users: [{ user: 'carla', passwordHash, role: 'configure' }] } },
  });
  const runtime = await openFile(configOf(product));
  const { settings } = await openLiveSettings(
    await loadConfig({ path: configOf(product), cwd: product.folder, env: {} }),
  );
  await fill(runtime, [...settings.stores.values()]);
  await runtime.close();
  await product.start();
  return product;
}

/** Fewer on Sundays, more at the end of the month; a few of each thing that goes wrong. */
async function fill({ ledger }: Installation, [store]: readonly Store[]): Promise<void> {
  if (!store) throw new Error('The config has no store.');
  let made = 0;
  for (let ago = 29; ago >= 0; ago -= 1) {
    const noon = new Date(Date.now() - ago * dayMs);
    const count = noon.getUTCDay() === 0 ? 6 : 11 + ((ago * 7) % 9) + (ago < 9 ? 4 : 0);
    for (let n = 0; n < count; n += 1, made += 1) {
      const kind = made % 17 === 3 ? ('nota-credito' as const) : ('factura' as const);
      const now = new Date(noon.getTime() - (count - n) * 60_000);
      const identity = {
        platform: store.platform.name,
        shop: store.shop,
        ambiente: 2 as const,
        kind,
        sourceId: `pasado-${made}`,
        ordinal: 0,
      };
      const amount = `${15 + ((made * 37) % 90)}.${String((made * 13) % 100).padStart(2, '0')}`;
      const one = await ledger.documents.create({
        ...identity,
        key: documentKey(identity),
        storeId: store.id,
        orderId: String(5000 + made),
        orderName: `#${5000 + made}`,
        account: store.account.id,
        keyHash: store.account.keyHash,
        ruc: store.issuer.ruc,
        codDoc: documentCodes[kind],
        establecimiento: '001',
        puntoEmision: '001',
        firstSecuencial: 1,
        charged: amount,
        total: amount,
        state: made % 41 === 7 ? 'held' : 'ready',
        code: null,
        reason: null,
        now,
      });
      if (one?.state !== 'ready' || (ago === 0 && n > count - 4)) continue;
      await ledger.documents.move(one.id, { from: ['ready'], to: 'sending', now });
      const to = made % 53 === 11 ? 'rejected' : 'authorized';
      await ledger.documents.move(one.id, {
        from: ['sending'],
        to,
        now,
        patch: { authorizedAt: now.toISOString() },
      });
    }
  }
}
