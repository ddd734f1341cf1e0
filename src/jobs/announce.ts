import type { Alert } from '../domain/alerts.ts';
import { type Document, type DocumentEvent, documentNumber, isReported } from '../domain/document.ts';
import { done } from '../domain/job.ts';
import { owner } from '../domain/settings.ts';
import { type Handler, type JobDeps, priorities } from './deps.ts';
import { named } from './sentences.ts';

/** About three days. */
const tries = 600;

/** Runs before anything is written onto the order, because the shop may be out of reach. */
export async function reportOutside(
  deps: Pick<JobDeps, 'ledger' | 'listeners' | 'clock' | 'alerts'>,
  document: Document,
): Promise<void> {
  for (const id of deps.listeners.keys())
    await deps.ledger.jobs.enqueue({
      kind: 'announce',
      subject: `${id}/${document.id}`,
      storeId: document.storeId,
      rateLimit: null,
      priority: priorities.download,
      dueAt: deps.clock.now(),
    });
  const alert = alertOf(document);
  await deps.alerts.over({ code: alertCodes.filter((code) => code !== alert?.code), subject: document.id });
  if (alert) await deps.alerts.raise(alert);
}

/** A state that did not last is skipped. After a lost answer the listener gets the same event id again. */
export function announce(deps: Pick<JobDeps, 'clock' | 'ledger' | 'links' | 'listeners' | 'log'>): Handler {
  const { ledger, listeners, clock, log } = deps;
  return async (job) => {
    const [id = '', documentId = ''] = job.subject.split('/');
    const document = await ledger.documents.get(documentId);
    if (!document || !isReported(document.state)) return done;
    const last = await ledger.listenerCursors.last(document.id, id);
    if (last?.state === document.state && last.version === document.version) return done;
    const listener = listeners.get(id);
    if (!listener) return { kind: 'unknown-here', what: 'listener', name: id };
    const event = await eventOf(deps, document, document.state);
    if (listener.wants(event.type)) {
      if (job.attempts >= tries) {
        log.error({ listener: id, event: event.type }, 'A listener never answered; the event is given up');
        return done;
      }
      await listener.notify(event);
    }
    await ledger.listenerCursors.move(document.id, id, document, clock.now());
    return done;
  };
}

async function eventOf(
  { links }: Pick<JobDeps, 'links'>,
  document: Document,
  state: DocumentEvent['data']['state'],
): Promise<DocumentEvent> {
  const authorized = state === 'authorized';
  const { id, kind, version, ambiente, platform, shop, orderId, orderName, sourceId, linkVersion } = document;
  const { accessKey, authorizedAt, charged, total, code, reason } = document;
  return {
    id: `${id}.${version}`,
    type: `${kind}.${state}`,
    timestamp: (authorized && authorizedAt) || document.updatedAt,
    data: {
      documentId: id,
      kind,
      state,
      ambiente,
      store: document.storeId,
      platform,
      shop,
      orderId,
      orderName,
      sourceId,
      number: documentNumber(document),
      accessKey,
      authorizedAt,
      charged,
      total,
      code,
      reason,
      pdfUrl: authorized ? links.pdf(id, linkVersion) : null,
      xmlUrl: authorized ? links.xml(id, linkVersion) : null,
    },
  };
}

/** Alerts that end with the next state of their document. */
export const alertCodes = ['document-rejected', 'document-manual', 'unconfirmed', 'issuer-refused'] as const;

/** Refused because of its issuer: it is reprocessed five times in a day, in vain without a fix. */
export const issuerAlert = (document: Document): Alert => ({
  code: 'issuer-refused',
  subject: document.id,
  about: owner.shop(document),
  params: { order: document.orderName, reason: document.reason },
});

/** The alert for a document that needs a person, else null. Names no buyer. */
function alertOf(document: Document): (Alert & { code: (typeof alertCodes)[number] }) | null {
  const { orderName, reason, state } = document;
  if (state !== 'rejected' && state !== 'manual') return null;
  return {
    code: `document-${state}`,
    subject: document.id,
    about: owner.shop(document),
    params: { order: orderName, document: named(document), number: documentNumber(document) ?? '', reason },
  };
}
