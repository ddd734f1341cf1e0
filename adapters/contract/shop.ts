import { lookup } from 'node:dns';
import { ShopError } from '../../src/domain/errors.ts';
import type { ListPage } from '../../src/domain/listing.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Platform, Shop, WrittenDocument } from '../../src/domain/platform.ts';
import { type Lookup, silentLog } from '../../src/domain/ports.ts';
import type { Credential, Credentials } from '../../src/domain/shop-identity.ts';

/** A running shop: a real one for trials, or an emulator. What is written to the order stays on it. */
export interface ShopSamples<Connection, App> {
  connection: Connection;
  app: App | null;
  /** A paid order the shop has, without documents of ours. */
  orderId: string;
  /** An id of the same form that the shop does not have. */
  goneId: string;
}

/** Answers one sentence per broken rule of what `openShop` opens, [] when it is right; throws what the shop throws. */
export async function checkShop<Connection, App>(
  platform: Platform<Connection, App>,
  { connection, app, orderId, goneId }: ShopSamples<Connection, App>,
): Promise<string[]> {
  const broken: string[] = [];
  const rule = (holds: boolean, sentence: string) => {
    if (!holds) broken.push(sentence);
  };
  const context = {
    clock: { now: () => new Date() },
    log: silentLog,
    userAgent: 'facturapuente-contract',
    credentials: memoryCredentials(),
    // Emulators run on this machine.
    outbound: { lookup: lookup as Lookup, refuses: () => false },
  };
  const shop = platform.openShop({ connection, app }, context);
  if (!shop) return ['openShop must open the API of this connection.'];
  try {
    const order = await shop.fetchOrder(orderId);
    if (!order) return [`fetchOrder must find the order ${orderId}.`];
    rule(order.id === orderId, 'fetchOrder must answer the requested order.');
    rule(order.shop === platform.shopOf(connection), 'Order.shop must be the identity shopOf gives.');
    rule(
      (await shop.fetchOrder(goneId)) === null,
      'fetchOrder must answer null for an order the shop does not have.',
    );
    await checkIdentity(shop, platform.shopOf(connection), rule);
    rule(
      (await platform.standsAt?.(platform.shopOf(connection), connection, context)) !== 'left',
      'standsAt must find the shop where it is.',
    );
    await checkLists(shop, order, goneId, rule);
    await checkWriting(shop, order, rule);
    await checkCatalog(shop, rule).catch(unlessRefused);
  } finally {
    await shop.close();
  }
  return broken;
}

async function checkIdentity(shop: Shop, address: string, rule: Rule): Promise<void> {
  const [once, twice] = [await shop.identity(), await shop.identity()];
  rule(
    once.id === twice.id && (once.id === null || /^\S{1,200}$/.test(once.id)),
    'identity must answer the same id each time, a word or null.',
  );
  rule(
    once.id === null || once.addresses.includes(address),
    'identity must name the address of the shop as shopOf writes it.',
  );
}

type Rule = (holds: boolean, sentence: string) => void;

async function checkLists(shop: Shop, order: Order, goneId: string, rule: Rule): Promise<void> {
  const listed = await shop.listOrders([order.id, goneId]);
  rule(
    listed.length === 1 && listed[0]?.id === order.id,
    'listOrders must name the orders the shop has, and leave out the others.',
  );
  const isSameTime = ({ id, updatedAt }: { id: string; updatedAt: string }) =>
    id !== order.id || Date.parse(updatedAt) === Date.parse(order.updatedAt);
  rule(listed.every(isSameTime), 'listOrders must give the same updatedAt as fetchOrder.');
  rule((await shop.listOrders([])).length === 0, 'listOrders must answer nothing for no ids.');
  const since = new Date(Date.parse(order.updatedAt));
  const changed = await allRows('changedOrders', (cursor) => shop.changedOrders({ since, cursor }), rule);
  const seen = changed.map(({ id, updatedAt }) => ({ id, at: Date.parse(updatedAt) }));
  rule(
    seen.some(({ id }) => id === order.id),
    'changedOrders must name an order that changed at `since`, that instant included.',
  );
  rule(
    seen.every(({ at }) => at >= Math.floor(since.getTime() / 1_000) * 1_000),
    'changedOrders must leave out what changed before `since`.',
  );
  rule(
    seen.every(({ at }, index) => index === 0 || at >= (seen[index - 1]?.at ?? 0)),
    'changedOrders must name the oldest change first.',
  );
}

const mostPages = 200;

async function allRows<Row>(
  name: string,
  read: (cursor: string | null) => Promise<ListPage<Row>>,
  rule: Rule,
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { rows, next }: ListPage<Row> = await read(cursor);
    all.push(...rows);
    if (next === null) return all;
    cursor = next;
  }
  rule(false, `${name} must come to an end; after ${mostPages} pages it had not.`);
  return all;
}

/** Products may need a permission that invoicing does not. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof ShopError)) throw error;
}

async function checkCatalog(shop: Shop, rule: Rule): Promise<void> {
  if (!shop.catalog) return;
  const lines = (await allRows('catalog', shop.catalog, rule)).map(({ line }) => line);
  rule(
    lines.every(({ quantity }) => quantity === '1'),
    'catalog must name each thing as a line of one unit.',
  );
  rule(new Set(lines.map(({ id }) => id)).size === lines.length, 'catalog must name nothing twice.');
}

const accessKey = '2011202601179001234500110010010000000011234567818';

async function checkWriting(shop: Shop, { id, orderKey }: Order, rule: Rule): Promise<void> {
  const document: WrittenDocument = {
    kind: 'factura',
    sourceId: id,
    state: 'authorized',
    number: '001-001-000000001',
    accessKey,
    authorizedAt: '2026-11-20T15:00:00.000Z',
    pdfUrl: 'https://facturas.example.ec/d/contrato.pdf',
    xmlUrl: 'https://facturas.example.ec/d/contrato.xml',
    reason: null,
  };
  if (orderKey !== undefined) {
    const reused = await shop.writeBack(id, [document], { orderKey: 'otra' }).catch((error) => error);
    rule(
      reused instanceof ShopError && reused.code === 'order-id-reused',
      'writeBack must write nothing onto an order of another key than it is given, and throw `order-id-reused`.',
    );
  }
  const overtaken = new Error('Another process writes.');
  const refused = await shop
    .writeBack(id, [document], { mayWrite: () => Promise.reject(overtaken) })
    .catch((error) => error);
  rule(
    refused === overtaken && (await shop.fetchOrder(id))?.accessKeys.includes(accessKey) === false,
    'writeBack must await mayWrite before it writes, write nothing once it throws, and pass its error on.',
  );
  await shop.writeBack(id, [document]);
  const once = await shop.fetchOrder(id);
  rule(
    once?.accessKeys.includes(accessKey) === true,
    'What writeBack wrote must be read again: Order.accessKeys has the key.',
  );
  await shop.writeBack(id, [document]);
  const twice = await shop.fetchOrder(id);
  rule(
    twice?.accessKeys.length === once?.accessKeys.length,
    'writeBack must write nothing more when it is called again with the same documents.',
  );
}

/** A platform's credentials in memory, with the ledger's rules. */
export function memoryCredentials(): Credentials {
  const kept = new Map<string, Credential>();
  const lines = new Map<string, Promise<unknown>>();
  return {
    get: async (shop) => structuredClone(kept.get(shop) ?? null),
    async put(shop, value, version) {
      if ((kept.get(shop)?.version ?? null) !== version) return false;
      kept.set(shop, { value: structuredClone(value), version: (version ?? 0) + 1 });
      return true;
    },
    remove: async (shop) => kept.delete(shop),
    shops: async () => [...kept.keys()].sort(),
    async alone(shop, task) {
      const mine = (lines.get(shop) ?? Promise.resolve()).then(task);
      lines.set(
        shop,
        mine.catch(() => {}),
      );
      return mine;
    },
  };
}
