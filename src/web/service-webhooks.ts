import type { RequestHandler } from 'express';
import type { Account, Settings } from '../domain/settings.ts';
import { type AccessKeyFacts, readAccessKey } from '../service/access-key.ts';
import { verifyServiceWebhook } from '../service/webhook.ts';
import type { HttpDeps } from './deps.ts';
import { accept, refuse, refuseUnsigned } from './failures.ts';
import { openRawBody } from './raw-body.ts';
import { cameTo, watched } from './watched.ts';

/** An event names one document; what the tax authority said of it is a few sentences. */
const bodyLimit = 256 * 1024;

/** `POST /service/webhook/:account`: a document of ours reached a final state; a step settles it by what was said. */
export function serviceWebhooks({
  settings,
  ledger,
  clock,
  log,
  observer,
  bodies,
}: HttpDeps): RequestHandler<{ account: string }> {
  const read = openRawBody(bodyLimit, bodies);
  return watched(observer, async (req, res) => {
    const account = settings.accounts.get(req.params.account);
    if (account) cameTo(res, 'service');
    const { headers, body } = await read(req, res, account ? `service:${account.id}` : 'nobody');
    const since = performance.now();
    if (!account) return refuseUnsigned(res, since, 'not-found');
    const now = clock.now();
    const delivery = verifyServiceWebhook(headers, body, account.webhookSecrets, now);
    if (!delivery.ok) {
      log.warn({ account: account.id, reason: delivery.reason }, 'A service webhook was refused');
      if (delivery.status === 401) return refuseUnsigned(res, since);
      return refuse(res, delivery.status, 'refused', 'El webhook no se pudo leer.');
    }
    if (delivery.kind === 'contradictory') {
      log.warn(
        { account: account.id, event: delivery.evento },
        'A service webhook contradicts itself; the document is settled by a question instead',
      );
      return accept(res, 'ignored');
    }
    if (delivery.kind !== 'document') {
      const event = delivery.kind === 'test' ? 'webhook.prueba' : delivery.evento;
      log.info({ account: account.id, event }, 'A service webhook came that concerns no document');
      return accept(res, 'ignored');
    }

    const { evento, claveacceso, ...said } = delivery.event;
    const facts = readAccessKey(claveacceso);
    const stored = await ledger.accept({
      connection: `service:${account.id}`,
      // Beside its document, as a shop's webhook lies beside its order.
      dedupeKey: `${claveacceso}:${delivery.dedupeKey}`,
      topic: evento,
      platform: null,
      shop: null,
      orderId: null,
      body,
      receivedAt: now,
      work: {
        kind: 'settle-document',
        // Each event of a key is work of its own: an error that comes late must not cover an authorisation.
        subject: `clave:${claveacceso}:${evento}`,
        storeId: storeIdOf(settings, account, facts),
        // What it says needs no question; a step that must ask after all takes its slot then.
        budget: null,
        priority: 5,
        dueAt: now,
        payload: { account: account.id, claveacceso, evento, ...said, ...facts },
      },
    });
    const answer = stored === 'stored' ? 'accepted' : 'duplicate';
    log.info({ account: account.id, event: evento, number: facts.numero, answer }, 'A service webhook came');
    accept(res, answer);
  });
}

/** For the record of the work only; the document itself is found by its key or number. */
function storeIdOf(
  settings: Settings,
  account: Account,
  { ruc_emisor, ambiente, numero }: AccessKeyFacts,
): string {
  const stores = [...settings.stores.values()];
  for (const store of stores.flatMap((one) => [one, ...(one.shadow ? [one.shadow.store] : [])])) {
    const { issuer, series } = store;
    const prefix = `${series.establecimiento}-${series.puntoEmision}-`;
    const fits = issuer.ruc === ruc_emisor && issuer.ambiente === ambiente && numero.startsWith(prefix);
    if (store.account.id === account.id && fits) return store.id;
  }
  return '';
}
