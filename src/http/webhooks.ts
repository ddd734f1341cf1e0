import type { RequestHandler } from 'express';
import type { Alert } from '../domain/alerts.ts';
import { momentInEcuador } from '../domain/clock.ts';
import { eventSubject, orderSubject } from '../domain/job.ts';
import type { Receipt } from '../domain/platform.ts';
import { type Account, owner, type Settings, type Store, storeOfApp } from '../domain/settings.ts';
import type { EventPayload } from '../jobs/shop-event.ts';
import type { NewDelivery } from '../ledger/orders.ts';
import { limitLines } from '../queue/transport.ts';
import { type AccessKeyFacts, readAccessKey, verifyServiceWebhook } from '../service/event.ts';
import type { HttpDeps } from './deps.ts';
import {
  accept,
  accessOfShop,
  cameTo,
  type Endpoint,
  findEndpoint,
  notFound,
  openDeliveryQuota,
  openRawBody,
  refuse,
  watched,
} from './endpoints.ts';

/** A webhook is a hint: verify it, store it with the job "sync this order", answer. Nothing is fetched or trusted here. */
export function platformWebhooks(deps: HttpDeps): RequestHandler<{ connection: string }> {
  const { settings, ledger, clock, log, observer, shopContext, bodies, alerts } = deps;
  const { deliveries = openDeliveryQuota() } = deps;
  const warn = limitLines(log.warn.bind(log), () => clock.now().getTime());
  const signatures = openSignatureWatch(deps);
  return watched(observer, async (req, res, next) => {
    const endpoint = findEndpoint(settings, req.params.connection);
    if (!endpoint) return notFound(req, res, next);
    const { id: connection, platform } = endpoint;
    cameTo(res, platform.name);
    const delivery = await openRawBody(platform.bodyLimit, bodies)(req, res);
    const context = shopContext(platform);
    const receipt = await platform.receive(delivery, endpoint, context);
    if (receipt.kind === 'ping') return accept(res, 'ok');
    if (receipt.kind === 'refused') {
      warn({ connection, reason: receipt.reason }, 'A webhook was refused');
      const { shop } = receipt;
      if (shop !== undefined)
        await signatures.refused(endpoint.store ?? storeOfApp(settings.stores, connection, shop));
      return refuse(res, receipt.status, 'refused', refusals[receipt.status]);
    }
    const { topic } = receipt;
    if (receipt.kind === 'ignored') {
      log.info({ connection, topic, reason: receipt.reason }, 'A webhook was ignored');
      return accept(res, 'ignored');
    }

    const { credentials } = context;
    const { kind, store } = await accessOfShop(endpoint, receipt.shop, { settings, ledger, credentials });
    const received = { endpoint, store, body: delivery.body, now: clock.now() };
    if (store) await signatures.genuine(store);
    if (receipt.kind === 'event') {
      if (kind !== 'none') return keep({ shop: receipt.shop });
      log.warn(
        { connection, topic, shop: receipt.shop },
        'A webhook of an app names a shop of another endpoint',
      );
      // Platforms expect 2xx for these topics, whether or not the shop is known.
      return accept(res, 'ignored');
    }
    if (kind !== 'store' && kind !== 'waiting') {
      log.warn(
        { connection, topic, shop: receipt.shop },
        'A webhook came from a shop that is not configured',
      );
      return refuse(res, 404, 'not-installed', 'Esta tienda no está configurada.');
    }
    await keep({ order: receipt.orderId });

    async function keep(about: object): Promise<void> {
      const { kind } = receipt;
      if (kind !== 'hint' && kind !== 'event') return;
      const sent = deliveryOf(receipt, received);
      const { fits, first, giveBack } = deliveries.take(
        `${platform.name} ${sent.shop}`,
        sent.body.length,
        sent.receivedAt,
      );
      if (first)
        log.warn(
          { connection, shop: sent.shop },
          'The webhooks of a shop have had their part of the disk; until tomorrow they are hints that are not stored, and what only a webhook has is refused',
        );
      const isOnlySource = kind === 'event' || receipt.isOnlySource || sent.job === null;
      if (!fits && isOnlySource) {
        if (first && store && kind === 'hint') await alerts.raise(notStored(store));
        return refuse(res, 429, 'too-many', 'Esta tienda envió hoy más de lo que se guarda en un día.');
      }
      const stored = fits ? await ledger.accept(sent) : sent.job && (await ledger.jobs.enqueue(sent.job));
      if (fits && stored === 'duplicate') giveBack();
      const word = stored === 'duplicate' ? 'duplicate' : 'accepted';
      log.info({ connection, topic, ...about, answer: word }, 'A webhook came');
      accept(res, word);
    }
  });
}

/** No reconciliation finds the orders of a shop without an API, and WooCommerce sends nothing twice by itself. */
const notStored = ({ id }: Store): Alert => ({
  code: 'webhooks-not-stored',
  subject: id,
  about: owner.store(id),
  params: { store: id },
});

const refusals = { 400: 'El webhook no se pudo leer.', 401: 'La firma del webhook no es válida.' };

/** A burst of a stranger counts as one refusal. */
const refusalMs = 10 * 60_000;
/** So many in a row, half an hour at least, raise an alert. */
const refusalsInRow = 4;

/** Signatures of another secret, and none genuine: the store's orders are then found by reconciliation only. */
function openSignatureWatch({ alerts, clock }: Pick<HttpDeps, 'alerts' | 'clock'>) {
  const rows = new Map<string, { since: Date; last: Date; count: number }>();
  /** Stores with a genuine delivery since the start; of others an earlier process may have raised an alert. */
  const known = new Set<string>();
  const code = 'webhooks-refused';
  return {
    async refused(store: Store | undefined): Promise<void> {
      if (!store) return;
      const now = clock.now();
      const row = rows.get(store.id) ?? { since: now, last: new Date(0), count: 0 };
      if (now.getTime() - row.last.getTime() < refusalMs) return;
      rows.set(store.id, { ...row, last: now, count: row.count + 1 });
      if (row.count + 1 < refusalsInRow) return;
      await alerts.raise({
        code,
        subject: store.id,
        about: owner.store(store.id),
        params: { store: store.id, since: momentInEcuador(row.since.toISOString()) },
      });
    },
    async genuine({ id }: Store): Promise<void> {
      if (known.has(id) && !rows.has(id)) return;
      known.add(id);
      rows.delete(id);
      await alerts.over({ code, subject: id });
    },
  };
}

interface Received {
  endpoint: Pick<Endpoint, 'id' | 'platform'>;
  /** null for a shop that installed an app and has no store yet: its orders are kept without a job. */
  store: Store | null;
  body: Uint8Array;
  now: Date;
}

function deliveryOf(
  receipt: Extract<Receipt, { kind: 'hint' | 'event' }>,
  { endpoint, store, body, now }: Received,
): NewDelivery {
  const { topic, dedupeKey } = receipt;
  const connection = endpoint.id;
  const owner = { platform: endpoint.platform.name, shop: store?.shop ?? receipt.shop };
  const stored = { connection, topic, ...owner, body, receivedAt: now };
  const slot = { rateLimit: null, priority: 5, dueAt: now };
  if (receipt.kind === 'hint') {
    const { orderId } = receipt;
    const subject = orderSubject({ ...owner, orderId });
    return {
      ...stored,
      orderId,
      // Begins with the order: unlike random keys, keys of the same time are neighbours in the index.
      dedupeKey: `${orderId}:${dedupeKey}`,
      job: store && { kind: 'sync-order', subject, storeId: store.id, ...slot },
    };
  }
  const payload: EventPayload = { endpoint: connection, dedupeKey, ...owner };
  const subject = [connection, dedupeKey].map(encodeURIComponent).join('/');
  const storeId = store?.id ?? connection;
  return {
    ...stored,
    orderId: null,
    dedupeKey,
    job: { kind: 'shop-event', subject, storeId, ...slot, payload },
  };
}

/** An event names one document and quotes a few sentences of SRI. */
const bodyLimit = 256 * 1024;

export function serviceWebhooks(deps: HttpDeps): RequestHandler<{ account: string }> {
  const { settings, ledger, clock, log, observer, bodies } = deps;
  const read = openRawBody(bodyLimit, bodies);
  const warn = limitLines(log.warn.bind(log), () => clock.now().getTime());
  /** A captured delivery could be sent again without V2, and so without its time. */
  const signsV2 = new Set<string>();
  return watched(observer, async (req, res, next) => {
    const account = settings.accounts.get(req.params.account);
    if (!account) return notFound(req, res, next);
    cameTo(res, 'service');
    const { headers, body } = await read(req, res);
    const now = clock.now();
    const isV2 = headers['x-service-signature-v2'] !== undefined;
    const delivery = verifyServiceWebhook(headers, body, account.webhookSecrets, now);
    if (delivery.ok && isV2) signsV2.add(account.id);
    if (delivery.ok && !isV2 && signsV2.has(account.id)) {
      warn(
        { account: account.id },
        'A service webhook without a V2 signature was refused: the service makes them',
      );
      return refuse(res, 401, 'refused', refusals[401]);
    }
    if (!delivery.ok) {
      warn({ account: account.id, reason: delivery.reason }, 'A service webhook was refused');
      return refuse(res, delivery.status, 'refused', refusals[delivery.status]);
    }
    if (delivery.kind === 'contradictory') {
      log.warn(
        { account: account.id, event: delivery.evento },
        'A service webhook contradicts itself; the service is asked for the document instead',
      );
      return accept(res, 'ignored');
    }
    if (delivery.kind !== 'document') {
      const event = delivery.kind === 'test' ? 'webhook.prueba' : delivery.evento;
      log.info({ account: account.id, event }, 'A service webhook came that concerns no document');
      return accept(res, 'ignored');
    }

    const { evento, claveacceso, ...answer } = delivery.event;
    const facts = readAccessKey(claveacceso);
    const stored = await ledger.accept({
      connection: `service:${account.id}`,
      // Begins with the document, as a shop's webhook begins with its order.
      dedupeKey: `${claveacceso}:${delivery.dedupeKey}`,
      topic: evento,
      platform: null,
      shop: null,
      orderId: null,
      body,
      receivedAt: now,
      job: {
        kind: 'settle-document',
        subject: eventSubject(claveacceso, evento),
        storeId: storeIdOf(settings, account, facts),
        // The event itself needs no call; a handler that has to call takes its slot then.
        rateLimit: null,
        priority: 5,
        dueAt: now,
        payload: { account: account.id, claveacceso, evento, ...answer, ...facts },
      },
    });
    const word = stored === 'stored' ? 'accepted' : 'duplicate';
    log.info(
      { account: account.id, event: evento, number: facts.numero, answer: word },
      'A service webhook came',
    );
    accept(res, word);
  });
}

function storeIdOf(
  settings: Settings,
  account: Account,
  { ruc_emisor, ambiente, numero }: AccessKeyFacts,
): string {
  for (const store of settings.stores.values()) {
    const { issuer, series } = store;
    const prefix = `${series.establecimiento}-${series.puntoEmision}-`;
    const fits = issuer.ruc === ruc_emisor && issuer.ambiente === ambiente && numero.startsWith(prefix);
    if (store.account.id === account.id && fits) return store.id;
  }
  return '';
}
