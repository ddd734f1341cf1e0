import type { Reader } from './cost.ts';
import { openEmulatorReaders } from './emulator.ts';
import { openEndpointReaders } from './endpoints.ts';
import { orderReaders } from './orders.ts';
import { openPageReaders } from './pages.ts';
import { plainReaders } from './plain.ts';
import { openServiceReaders } from './service.ts';
import { openShopReaders } from './shops.ts';
import { openStage } from './stage.ts';

/** Readers of one kind, opened. */
interface Opened {
  readers: readonly Reader[];
  close(): Promise<void>;
}

/**
 * Every way foreign text takes through the product, by kind. Fields, routes, forms, tools and answers are those there are:
 * what is added to them is read here from its first day.
 */
export const readersOf: Readonly<Record<string, () => Promise<Opened>>> = {
  'readers, masks and explainers': async () => ({ readers: plainReaders, close: async () => {} }),
  'orders and refunds': async () => ({ readers: orderReaders, close: async () => {} }),
  'what the service answers and tells': openServiceReaders,
  'what shops answer': openShopReaders,
  async 'pages, forms, webhooks and tools'() {
    const stage = await openStage();
    const readers = [...(await openPageReaders(stage)), ...(await openEndpointReaders(stage))];
    return { readers, close: () => stage.close() };
  },
  'what the emulator is sent': openEmulatorReaders,
};
