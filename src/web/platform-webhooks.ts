import type { RequestHandler } from 'express';
import type { RawDelivery, Receipt } from '../domain/platform.ts';
import type { Store } from '../domain/settings.ts';
import { orderSubject } from '../domain/work.ts';
import type { EventPayload } from '../jobs/shop-event.ts';
import type { NewDelivery } from '../ledger/shop-tables.ts';
import type { HttpDeps } from './deps.ts';
import { type Door, findDoor, standingOf } from './doors.ts';
import { accept, refuse, refuseUnsigned } from './failures.ts';
import { openRawBody } from './raw-body.ts';
import { cameTo, watched } from './watched.ts';

/**
 * `POST /webhooks/:connection`. A webhook is a hint: verify it, store it together with the work "sync this
 * order", answer. Nothing is fetched and nothing is believed here. Whoever has no secret is told nothing: an id that
 * exists answers like one that does not.
 */
export function platformWebhooks({
  settings,
  ledger,
  clock,
  log,
  observer,
  shopContext,
  bodies,
}: HttpDeps): RequestHandler<{ connection: string }> {
  const read = openRawBody(Math.max(...settings.platforms.map(({ bodyLimit }) => bodyLimit)), bodies);
  return watched(observer, async (req, res) => {
    const door = findDoor(settings, req.params.connection);
    if (door) cameTo(res, door.platform.name);
    // All addresses that belong to nobody share one part of the memory for bodies.
    const delivery = await read(req, res, door?.id ?? 'nobody');
    const since = performance.now();
    if (!door) return (await isPing(delivery)) ? accept(res, 'ok') : refuseUnsigned(res, since, 'not-found');
    const { id: connection, platform } = door;
    const context = shopContext(platform);
    const receipt = await platform.receive(delivery, door, context);
    if (receipt.kind === 'ping' || (receipt.kind === 'refused' && (await isPing(delivery))))
      return accept(res, 'ok');
    if (receipt.kind === 'refused') {
      log.warn({ connection, reason: receipt.reason }, 'A webhook was refused');
      if (receipt.status === 401) return refuseUnsigned(res, since);
      return refuse(res, receipt.status, 'refused', 'El webhook no se pudo leer.');
    }
    const { topic } = receipt;
    if (receipt.kind === 'ignored') {
      log.info({ connection, topic, reason: receipt.reason }, 'A webhook had nothing for us');
      return accept(res, 'ignored');
    }

    const { credentials } = context;
    const { kind, store } = await standingOf(door, receipt.shop, { settings, ledger, credentials });
    const came = { door, store, body: delivery.body, now: clock.now() };
    if (receipt.kind === 'event') {
      if (kind !== 'none')
        return answer(await ledger.accept(eventDelivery(receipt, came)), { shop: receipt.shop });
      log.warn({ connection, topic, shop: receipt.shop }, 'An app spoke for a shop that is not its own');
      // Platforms expect 2xx for these topics whether or not anything is kept of the shop.
      return accept(res, 'ignored');
    }
    // A shop that installed an app and waits for its store loses nothing.
    if (kind !== 'store' && kind !== 'waiting') {
      log.warn(
        { connection, topic, shop: receipt.shop },
        'A webhook came from a shop that is not configured',
      );
      return refuse(res, 404, 'not-installed', 'Esta tienda no está configurada.');
    }
    answer(await ledger.accept(hintDelivery(receipt, came)), { order: receipt.orderId });

    function answer(stored: 'stored' | 'duplicate', about: object): void {
      const word = stored === 'stored' ? 'accepted' : 'duplicate';
      log.info({ connection, topic, ...about, answer: word }, 'A webhook came');
      accept(res, word);
    }
  });

  /** Whether a platform tries an address this way, unsigned: it must be answered 200, wherever it is sent. */
  async function isPing(delivery: RawDelivery): Promise<boolean> {
    const nowhere = { app: null, connection: null };
    const receipts = settings.platforms.map((platform) => platform.receive(delivery, nowhere));
    return (await Promise.all(receipts)).some(({ kind }) => kind === 'ping');
  }
}

interface Came {
  door: Pick<Door, 'id' | 'platform'>;
  /** Null for a shop that has installed an app and has no store yet: kept, and nothing is asked for. */
  store: Store | null;
  body: Uint8Array;
  now: Date;
}

/** A hint at an order as it is stored, with the work "sync this order". */
function hintDelivery(
  receipt: Extract<Receipt, { kind: 'hint' }>,
  { door, store, body, now }: Came,
): NewDelivery {
  const { topic, shop, orderId, dedupeKey } = receipt;
  const order = { platform: door.platform.name, shop: store?.shop ?? shop, orderId };
  return {
    connection: door.id,
    // Beside its order: neighbours in time are neighbours in the index of what was seen, which a random key is not.
    dedupeKey: `${orderId}:${dedupeKey}`,
    topic,
    ...order,
    body,
    receivedAt: now,
    work: store && {
      kind: 'sync-order',
      subject: orderSubject(order),
      storeId: store.id,
      budget: null,
      priority: 5,
      dueAt: now,
    },
  };
}

/** An event of the shop itself, each with work of its own. */
function eventDelivery(
  receipt: Extract<Receipt, { kind: 'event' }>,
  { door, store, body, now }: Came,
): NewDelivery {
  const { topic, dedupeKey } = receipt;
  const shop = store?.shop ?? receipt.shop;
  const payload: EventPayload = { door: door.id, dedupeKey, platform: door.platform.name, shop };
  return {
    connection: door.id,
    dedupeKey,
    topic,
    platform: door.platform.name,
    shop,
    orderId: null,
    body,
    receivedAt: now,
    work: {
      kind: 'shop-event',
      subject: [door.id, dedupeKey].map(encodeURIComponent).join('/'),
      storeId: store?.id ?? door.id,
      budget: null,
      priority: 5,
      dueAt: now,
      payload,
    },
  };
}
