import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { sales, taxPolicy, toWooOrder } from '../../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import type { Store } from '../../../src/domain/settings.ts';
import { type Rehearsal, rehearse } from '../../../src/reports/rehearsal/rehearse.ts';
import { policyOf } from '../../mappers/policy.ts';
import { store as seller } from '../../support/orders.ts';

const day = 24 * 3_600_000;

/** The demo's sales, sold again and again over twelve weeks, some of them given back in part, then rehearsed. */
export async function rehearseQuarter(now: Date): Promise<Rehearsal> {
  const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };
  let time = now;
  const shop = await openWooCommerceShop({ orders: [], ...keys, clock: { now: () => time } });
  let id = 2000;
  for (let ago = 83; ago >= 0; ago -= 1)
    for (let turn = 0; turn < 1 + ((ago * 7) % 4); turn += 1) {
      const sale = sales[(ago * 3 + turn * 2) % sales.length] ?? sales[0];
      if (!sale) throw new Error('The demo sells nothing.');
      id += 1;
      time = new Date(now.getTime() - ago * day - turn * 3_600_000);
      shop.put({
        ...toWooOrder({ ...sale, id }, time),
        // Buyers who gave no identification, and one whose payment failed.
        ...(id % 6 === 0 && { meta_data: [] }),
        ...(id % 31 === 0 && { status: 'failed', date_paid: null, date_paid_gmt: null }),
      });
      if (id % 9 === 4) shop.refund(id, { amount: '1.00', reason: 'Demora' });
    }
  const connection = woocommerce.connection.parse({ url: shop.url, webhookSecrets: ['x'], ...keys });
  const context = {
    clock: { now: () => now },
    log: silentLog,
    userAgent: 'test',
    credentials: memoryCredentials(),
    outbound: openOutbound(),
  };
  const api = woocommerce.openShop({ connection, app: null }, context);
  if (!api) throw new Error('The store has no API.');
  const store = {
    ...seller,
    policy: policyOf({ tax: taxPolicy }),
    id: 'tienda',
    platform: woocommerce,
    shop: shop.url,
  };
  const rechargeFor = () => ({ usd: 50, documents: 1742 });
  const asked = { since: new Date(now.getTime() - 90 * day), most: 10_000 };
  try {
    const found = await rehearse({ store: store as unknown as Store, shop: api, now, rechargeFor }, asked);
    return { ...found, shop: 'https://tienda.example.ec' };
  } finally {
    await api.close();
    await shop.close();
  }
}
