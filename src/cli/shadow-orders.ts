import { storeOf } from '../app/installing.ts';
import { shadowShop } from '../domain/shadow.ts';
import { type ShadowedOrder, type ShadowReport, shadowReport } from '../reports/rehearsal/shadow-report.ts';
import { looking } from './look.ts';

const atOnce = 200;

/** Reads a store's shadow from the ledger, also beside `start`. Throws ConfigError and LedgerError. */
export function lookAtShadow(id: string, flags: { config?: string }): Promise<ShadowReport> {
  return looking(flags, async ({ settings, reader }) => {
    const { platform, shop } = storeOf(settings, id);
    const real = { platform: platform.name, shop };
    const shadow = { ...real, shop: shadowShop(shop) };
    const orders: ShadowedOrder[] = [];
    let after = '';
    while (true) {
      const page = await reader.orders.ofShop(shadow, after, atOnce);
      for (const order of page) {
        const { documents } = reader;
        orders.push({
          shadow: await documents.ofOrder({ ...shadow, orderId: order.id }),
          production: await documents.ofOrder({ ...real, orderId: order.id }),
        });
      }
      after = page.at(-1)?.id ?? '';
      if (page.length < atOnce) return shadowReport(id, orders);
    }
  });
}
