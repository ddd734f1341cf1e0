import { listenOnLoopback, readText } from '../../../sandbox/shops/loopback.ts';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import type { Document } from '../../../src/domain/document.ts';
import { wrongCedula } from '../../support/nobody-named.ts';
import {
  type Assistant,
  assist,
  enter,
  merchantA,
  openWorld,
  type Visitor,
  type World,
} from '../../support/two-merchants.ts';
import { type Path, placesIn, withValue } from './texts.ts';

/** The product with its endpoints open, and orders whose every text is as long as it is kept. */
export interface Stage extends Omit<World, 'sell'> {
  visitor: Visitor;
  assistant: Assistant;
  /** Sells three orders full of this text. */
  sell(text: string): Promise<Sold>;
  /** What waited for a person waits no more, so that lists stay as long as they were. */
  letGo(sold: Sold): Promise<void>;
}

export interface Sold {
  /** Authorised where the text lets it be; held for its buyer's identification; refused in the service's words. */
  documents: Record<'emitted' | 'held' | 'refused', Document>;
  /** Where the buyer of the held one is asked. */
  question: string;
}

export const storeId = 'woo-a';
/** A store whose shop hands over its keys itself. */
export const newStore = { id: 'woo-nueva', shop: 'https://nueva.example.ec' };

/** As much of a text as the schemas keep of one that only tells; longer ones are cut, which `orderReaders` tries. */
const longest = 5_000;
const message =
  /(^|\.)(name|method_title|payment_method_title|customer_note|label|display_\w+|value|address_\d|company|city|(first|last)_name|sku|phone)$/;
const reported = (order: unknown): Path[] =>
  [...placesIn(order)].flatMap(([kind, path]) =>
    message.test(kind) && !/^meta_data|postcode/.test(kind) ? [path] : [],
  );

/** So many texts stand in one order. */
export const textsAtOnce = reported(wooOrders(new Date())[0]).length;

/** The order with a part of the text in each place that only tells. */
function fullOf(order: unknown, text: string): Record<string, unknown> {
  return reported(order).reduce(
    (changed, path, n) =>
      withValue(changed, path, text.slice(n * longest, (n + 1) * longest) || text.slice(0, longest)),
    order,
  ) as Record<string, unknown>;
}

export async function openStage(): Promise<Stage> {
  /** What the service says of the next emission, in place of its answer. */
  let words: string | null = null;
  let closeService = async () => {};
  const world = await openWorld([merchantA], {
    limited: false,
    config: {
      stores: {
        [newStore.id]: {
          platform: 'woocommerce',
          issuer: 'a',
          series: { establecimiento: '001', puntoEmision: '009' },
          invoiceFrom: '2026-01-01',
          connection: { url: newStore.shop },
        },
      },
      apps: {
        publica: {
          platform: 'shopify',
          access: 'oauth',
          clientId: 'publica',
          clientSecrets: ['secreto-de-la-app-publica-0123456789'],
        },
      },
    },
    async service(sandboxUrl) {
      const between = await listenOnLoopback(async (request, response) => {
        const body = await readText(request);
        if (words !== null && request.url?.endsWith('/emision')) {
          const errors = Array.from({ length: 30 }, () => words);
          response.writeHead(400, { 'content-type': 'application/json' });
          return response.end(JSON.stringify({ creado: false, errors, aviso_proveedor_sri: words }));
        }
        const answer = await fetch(`${sandboxUrl}${request.url}`, {
          method: request.method ?? 'GET',
          headers: { 'content-type': 'application/json', 'x-api-key': String(request.headers['x-api-key']) },
          ...(body !== '' && { body }),
        });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        return response.end(Buffer.from(await answer.arrayBuffer()));
      });
      closeService = between.close;
      return between.url;
    },
  });
  const { ledger, clock, handlers } = world.runtime;
  const store = world.store(storeId);
  const visitor = await enter(world, 'olga');
  const assistant = await assist(world, 'berta');
  let lastId = 9_000;

  async function add(order: Record<string, unknown>, text: string): Promise<Document> {
    lastId += 1;
    const id = lastId;
    world.shop(storeId).put({ ...fullOf(order, text), id, number: String(id) });
    await world.sync(store, String(id));
    const found = await ledger.documents.ofOrder({
      platform: 'woocommerce',
      shop: store.shop,
      orderId: String(id),
    });
    if (!found[0]) throw new Error(`Nothing came of the order ${id}.`);
    return found[0];
  }
  return {
    ...world,
    visitor,
    assistant,
    async sell(text) {
      const [order = {}] = wooOrders(clock.now());
      const emitted = await add(order, text);
      words = text.slice(0, longest);
      const refused = await add(order, text);
      words = null;
      const held = await add(wrongCedula(clock.now()), text);
      const until = new Date(clock.now().getTime() + 3_600_000);
      const question = new URL(world.links.identification(held.id, until)).pathname;
      return { documents: { emitted, held, refused }, question };
    },
    async letGo({ documents }) {
      const now = clock.now();
      for (const { id } of Object.values(documents))
        await ledger.documents.move(id, { from: ['held', 'rejected', 'manual'], to: 'cancelled', now });
      for (const { code, subject } of await ledger.alerts.open())
        await handlers.alerts.over({ code, subject });
    },
    async close() {
      await assistant.close();
      await world.close();
      await closeService();
    },
  };
}
