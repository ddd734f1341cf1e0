import type { Alert } from '../domain/alerts.ts';
import { type Document, documentNumber } from '../domain/document.ts';
import { type DocumentEvent, isTold } from '../domain/document-event.ts';
import { owner } from '../domain/scope.ts';
import { done, type Step } from '../domain/work.ts';
import { priorities, type StepDeps } from './deps.ts';
import { UnknownHere } from './unknown-here.ts';

/** So often a listener is tried, over about three days; what it missed it can read from the order. */
const tries = 600;

/**
 * Whoever outside must know of the state a document is in: every listener hears of it, and people are told where it
 * cannot go on without them. Before anything is written onto the order, which may be out of reach.
 */
export async function tellOutside(
  deps: Pick<StepDeps, 'ledger' | 'listeners' | 'clock' | 'alerts'>,
  document: Document,
): Promise<void> {
  for (const id of deps.listeners.keys())
    await deps.ledger.work.ask({
      kind: 'announce',
      subject: `${id}/${document.id}`,
      storeId: document.storeId,
      budget: null,
      priority: priorities.download,
      dueAt: deps.clock.now(),
    });
  const alert = alertOf(document);
  await deps.alerts.over({ code: alertCodes.filter((code) => code !== alert?.code), subject: document.id });
  if (alert) await deps.alerts.raise(alert);
}

/**
 * Lets one listener hear of a document's state as it is now: a state that did not last is passed over, one that was
 * heard is not told twice (unless the listener's answer was lost: the event's id is then the same).
 */
export function announce(deps: StepDeps): Step {
  const { ledger, listeners, clock, log } = deps;
  return async (work) => {
    const [id = '', documentId = ''] = work.subject.split('/');
    const document = await ledger.documents.get(documentId);
    if (!document || !isTold(document.state)) return done;
    const last = await ledger.hearings.last(document.id, id);
    if (last?.state === document.state && last.version === document.version) return done;
    const listener = listeners.get(id);
    if (!listener) throw unknownListener(id);
    const event = await eventOf(deps, document, document.state);
    if (listener.wants(event.type)) {
      if (work.attempts >= tries) {
        log.error({ listener: id, event: event.type }, 'A listener never answered; the event is given up');
        return done;
      }
      await listener.hear(event);
    }
    await ledger.hearings.heard(document.id, id, document, clock.now());
    return done;
  };
}

/** What it missed it can read from the order. */
const unknownListener = (id: string): Error =>
  new UnknownHere({
    what: 'listener',
    name: id,
    fields: () => ({ listener: id }),
    giveUp: async () => true,
  });

async function eventOf(
  { ledger, links }: Pick<StepDeps, 'ledger' | 'links'>,
  document: Document,
  state: DocumentEvent['data']['state'],
): Promise<DocumentEvent> {
  const authorized = state === 'authorized';
  const { id, kind, version, ambiente, platform, shop, orderId, orderName, sourceId, charged, total } =
    document;
  const revision = await ledger.linkVersions.of(id);
  return {
    id: `${id}.${version}`,
    type: `${kind}.${state}`,
    timestamp: (authorized && document.authorizedAt) || document.updatedAt,
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
      accessKey: document.accessKey,
      authorizedAt: document.authorizedAt,
      charged,
      total,
      code: document.code,
      reason: document.reason,
      pdfUrl: authorized ? links.pdf(id, revision) : null,
      xmlUrl: authorized ? links.xml(id, revision) : null,
    },
  };
}

/** What ends with the next state that is told. */
export const alertCodes = ['document-rejected', 'document-manual', 'document-unconfirmed'] as const;

const kinds = { factura: 'la factura', 'nota-credito': 'la nota de crédito' } as const;

/** What a person is told of a document that cannot go on alone; null for every other one. Names no buyer. */
function alertOf(document: Document): (Alert & { code: (typeof alertCodes)[number] }) | null {
  const { id, kind, orderName, reason, state } = document;
  if (state !== 'rejected' && state !== 'manual') return null;
  const number = documentNumber(document);
  const which = [kinds[kind], number].filter((part) => part !== null).join(' ');
  const what = state === 'rejected' ? `${which} fue rechazada` : `${which} necesita que una persona decida`;
  return {
    code: `document-${state}`,
    subject: id,
    about: owner.shop(document),
    what: `Pedido ${orderName}: ${what}.${reason === null ? '' : ` ${reason}`}`,
    cure: 'Vea el pedido en la tienda o «facturapuente documents»; corregida la causa, el documento sigue.',
  };
}
