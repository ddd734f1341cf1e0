import type { RequestHandler } from 'express';
import type { Platform } from '../core/platform.ts';
import type { HttpDeps } from './deps.ts';
import { findDoor } from './doors.ts';
import { accept, notFound, refuse } from './failures.ts';
import { openRawBody } from './raw-body.ts';
import { eventDelivery, hintDelivery } from './shop-deliveries.ts';
import { cameTo, watched } from './watched.ts';

/**
 * `POST /webhooks/:connection`. A webhook is a hint: verify it, store it together with the work "sync this
 * order", answer. Nothing is fetched and nothing is believed here.
 */
export function platformWebhooks({
  settings,
  ledger,
  clock,
  log,
  observer,
  shopContext,
}: HttpDeps): RequestHandler<{ connection: string }> {
  const opened = new Map<Platform, ReturnType<typeof openRawBody>>();
  const reader = (platform: Platform) => {
    const read = opened.get(platform) ?? openRawBody(platform.bodyLimit);
    opened.set(platform, read);
    return read;
  };
  return watched(observer, async (req, res, next) => {
    const door = findDoor(settings, req.params.connection);
    if (!door) return notFound(req, res, next);
    const { id: connection, platform } = door;
    cameTo(res, platform.name);

    const delivery = await reader(platform)(req, res);
    const context = shopContext(platform);
    const receipt = await platform.receive(delivery, door, context);
    if (receipt.kind === 'refused') {
      log.warn({ connection, reason: receipt.reason }, 'A webhook was refused');
      const sentence =
        receipt.status === 401 ? 'La firma del webhook no es válida.' : 'El webhook no se pudo leer.';
      return refuse(res, receipt.status, 'refused', sentence);
    }
    if (receipt.kind === 'ping') return accept(res, 'ok');
    const { topic } = receipt;
    if (receipt.kind === 'ignored') {
      log.info({ connection, topic, reason: receipt.reason }, 'A webhook had nothing for us');
      return accept(res, 'ignored');
    }

    const store = door.storeOf(receipt.shop) ?? null;
    const came = { door, store, body: delivery.body, now: clock.now() };
    if (receipt.kind === 'event')
      return answer(await ledger.accept(eventDelivery(receipt, came)), { shop: receipt.shop });

    // A shop that installed an app and waits for its store loses nothing.
    const waits = store === null && (await context.credentials.get(receipt.shop)) !== null;
    if (store === null && !waits) {
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
}
