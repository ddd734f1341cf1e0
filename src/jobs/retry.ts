import { type Attempt, type Document, documentNumber, type MoveNote } from '../domain/document.ts';
import { jobKinds, keyOfEvent, orderSubject, readOrderSubject } from '../domain/job.ts';
import { type Order, paidTotalOf } from '../domain/order.ts';
import { seriesOf } from '../domain/settings.ts';
import type { HistoryEntry } from '../ledger/documents.ts';
import type { HeldJob } from '../ledger/jobs.ts';
import type { Tables } from '../ledger/ledger.ts';
import { adoptIt, neverTwice } from '../messages/document-reasons.ts';
import { jobWords } from '../messages/timeline.ts';
import type { Action } from '../planner/action.ts';
import type { Refusal, Reply } from '../protocol/effects.ts';
import { mayTakeNewNumber as isNewNumberOpen } from '../protocol/person.ts';
import { rules } from '../protocol/rules.ts';
import type { Stopped } from '../protocol/state.ts';
import type { JobDeps } from './deps.ts';
import { enqueueSync } from './enqueue.ts';
import { keyNames } from './load-state.ts';
import { deletedTopic } from './read-order.ts';
import type { Exchange } from './requests.ts';
import { runProtocol } from './run-protocol.ts';
import { aboutDocument } from './sentences.ts';

/** A document that may exist at the authority is never sent once more: for that there is `adopt`. */
export async function retryDocument(deps: JobDeps, document: Document, by: string): Promise<Retried> {
  const freed = await freeJobsOf(deps, document);
  return freed === null ? askAgain(deps, document, by, false) : { kind: 'freed', message: freed };
}

/** A person confirms, after a search at the service and the authority, that no document of this sale exists. */
export async function takeNewNumber(deps: JobDeps, document: Document, by: string): Promise<Retried> {
  await freeJobsOf(deps, document);
  return askAgain(deps, document, by, true);
}

async function askAgain(deps: JobDeps, document: Document, by: string, newNumber: boolean): Promise<Retried> {
  const asked = { kind: 'retry-asked', newNumber } as const;
  const { reply, exchange } = await runProtocol(deps, document.id, asked, { facts: { by } });
  if (reply?.kind === 'done') return done(deps, document, reply.what);
  return reply ? refused(document, reply.why, exchange) : overtaken;
}

async function freeJobsOf(deps: JobDeps, document: Document): Promise<string | null> {
  const held = (await deps.ledger.jobs.held()).filter((job) => isAbout(document, job));
  return held.length === 0 ? null : freeJobs(deps, { subjects: held.map(({ subject }) => subject) });
}

/** Whether a job is of this document or its order. An event may come before the answer with its key: the key's number counts. */
function isAbout(document: Document, { kind, subject }: HeldJob): boolean {
  if (kind === 'settle-document') return keyNames(document, keyOfEvent(subject));
  if (kind === 'announce') return subject.endsWith(`/${document.id}`);
  return subject === document.id || subject === orderSubject(document);
}

async function done(
  { ledger, storeOf }: Pick<JobDeps, 'ledger' | 'storeOf'>,
  document: Document,
  what: Extract<Reply, { kind: 'done' }>['what'],
): Promise<Retried> {
  if (what === 'read-again')
    return {
      kind: 'looked-again',
      message: 'El pedido se vuelve a leer de la tienda y se planifica de nuevo.',
    };
  if (what !== 'replaced')
    return {
      kind: 'sent-again',
      message: `Se envía otra vez con su mismo número, ${documentNumber(document)}.`,
    };
  const store = storeOf(document.platform, document.shop);
  const stop = await ledger.sequences.stopped(store ? seriesOf(store, document.kind) : document);
  const series = stop === null ? '' : ` La serie está detenida y espera por usted: ${stop.reason}`;
  return { kind: 'replaced', message: `El pedido se factura con un número nuevo de la serie.${series}` };
}

function refused(document: Document, why: Refusal, { search }: Exchange): Retried {
  const nothing = (message: string): Retried => ({ kind: 'nothing', message });
  const refused = (message: string): Retried => ({ kind: 'refused', message });
  switch (why) {
    case 'finished':
      return nothing('Ese documento ya terminó; no hay nada que repetir.');
    case 'on-its-way':
      return nothing('Ese documento está en camino; se sigue preguntando por él.');
    case 'ledger-older':
      return nothing(document.reason ?? '');
    case 'new-number-not-needed':
      return refused('Ese documento no necesita un número nuevo: use «facturapuente retry».');
    case 'may-be-authorized':
      return refused(whyMayExist(document));
    case 'found-at-service':
      return refused(search?.message ?? '');
    default:
      return overtaken;
  }
}

const whyMayExist = (document: Document): string =>
  document.code === 'number-conflict'
    ? neverTwice(aboutDocument(document))
    : `Un envío anterior pudo ser autorizado: repetirlo podría facturar dos veces. ${adoptIt(document)}`;

export interface Past {
  attempts: readonly Pick<Attempt, 'outcome' | 'accessKey'>[];
  history: readonly Pick<HistoryEntry, 'to'>[];
}

export const mayExist = (document: Stopped['document'], past: Past): boolean =>
  rules.mayExist(stopped(document, past));

export const mayTakeNewNumber = (document: Stopped['document'], past: Past): boolean =>
  isNewNumberOpen(stopped(document, past));

const stopped = (document: Stopped['document'], { attempts, history }: Past): Stopped => ({
  document,
  attempts,
  learnt: { wasUncertain: history.some(({ to }) => to === 'uncertain') },
});

/** A person confirms that the shop's order is right. `seen`: the version shown; no other is accepted. */
export async function acceptReading(
  deps: JobDeps,
  document: Document,
  by: string,
  seen = document.version,
): Promise<Retried> {
  await freeJobsOf(deps, document);
  const { ledger, clock } = deps;
  const bind = binds[document.code ?? ''];
  if (!mayBeAccepted(document) || !bind) return notAsked;
  if (seen !== document.version) return overtaken;
  const now = clock.now();
  const bound = await ledger.transaction(async (tables) => {
    const note: MoveNote = { cause: 'accepted', code: document.code ?? '', by };
    const moved = await tables.documents.move(document.id, { from: ['held'], to: 'held', note, now });
    if (moved?.version !== document.version + 1) return false;
    await bind(tables, document, now);
    await enqueueSync(tables, document, now);
    return true;
  });
  return bound
    ? { kind: 'looked-again', message: 'Queda aceptado: el pedido se lee otra vez y se planifica así.' }
    : overtaken;
}

export const mayBeAccepted = ({ state, code }: Pick<Document, 'state' | 'code'>): boolean =>
  state === 'held' && Object.hasOwn(binds, code ?? '');

const binds: Record<string, (tables: Tables, document: Document, now: Date) => Promise<void>> = {
  /** The buyer's answer, and what was paid, belonged to the order before it. */
  async 'order-id-reused'({ orders, questions }, document) {
    const { fingerprint } = document;
    if (fingerprint) await orders.bind(document, { fingerprint, paid: null });
    await questions.drop(document);
  },
  'refund-id-reused': ({ documents }, { id }, now) => documents.confirm(id, { accepted: true }, now),
  async 'unknown-access-key'({ orders, documents }, document, now) {
    const order = (await orders.ofDocument(document))?.snapshot as Order | undefined;
    const foreignKeys = [
      ...(order?.accessKeys ?? []),
      ...(order?.notAKey === undefined ? [] : [order.notAKey]),
    ];
    await documents.confirm(document.id, { foreignKeys }, now);
  },
  /** It was paid apart from those it was held beside, which are planned again without it. */
  async 'sub-orders'(tables, document, now) {
    const { platform, shop, storeId } = document;
    const decision = ((await tables.orders.ofDocument(document))?.decision ?? []) as Action[];
    const besides = decision.flatMap(({ kind, besides = [] }) => (kind === 'factura' ? besides : []));
    for (const { id, kind, state, fingerprint } of await tables.documents.ofOrder(document)) {
      if (kind !== 'factura' || state === 'cancelled') continue;
      const apartFrom = [...new Set([...(fingerprint?.apartFrom ?? []), ...besides])];
      await tables.documents.confirm(id, { apartFrom }, now);
    }
    for (const orderId of besides) await enqueueSync(tables, { platform, shop, orderId, storeId }, now);
  },
  async 'changed-after-payment'({ orders }, document) {
    const snapshot = (await orders.ofDocument(document))?.snapshot as Order;
    const paid = paidTotalOf({ ...snapshot, total: document.charged });
    if (!paid) return;
    await orders.bind(document, { paid });
  },
};

const notAsked: Retried = {
  kind: 'refused',
  message: 'Ese documento no espera que nadie acepte lo que dice la tienda: use «facturapuente retry».',
};

/** Returns null, or in Spanish why not. */
export async function reprocessByHand(deps: JobDeps, document: Document, by: string): Promise<string | null> {
  const { reply } = await runProtocol(deps, document.id, { kind: 'reprocess-asked' }, { facts: { by } });
  return reply?.kind === 'refused' ? (whyNot[reply.why] ?? '') : null;
}

const whyNot: Partial<Record<Refusal, string>> = {
  'not-reprocessable': 'Solo se reprocesa un documento rechazado que ya tiene clave de acceso.',
  'not-refused': 'El SRI no ha rechazado ningún envío de este documento: use «Intentar otra vez».',
  'refused-for-its-body': 'El SRI lo rechazó por su contenido: corrija el pedido y use «Intentar otra vez».',
};

interface Retried {
  /** `freed`: its held jobs run again. `looked-again`: its order is read again. `replaced`: under a new number. */
  kind: 'freed' | 'looked-again' | 'sent-again' | 'replaced' | 'nothing' | 'refused';
  message: string;
}

const overtaken: Retried = {
  kind: 'nothing',
  message: 'Otro proceso lo movió en este momento; vea cómo quedó.',
};

export const heldAlert = ({ kind, subject }: Pick<HeldJob, 'kind' | 'subject'>) => ({
  code: 'job-held' as const,
  subject: `${kind} ${subject}`,
});

type FreeDeps = Pick<JobDeps, 'ledger' | 'clock' | 'alerts'>;

/** Returns in Spanish which; null where there is none. */
export async function freeJobs(
  { ledger, clock, alerts }: FreeDeps,
  which: Parameters<Tables['jobs']['free']>[0],
): Promise<string | null> {
  const freed = await ledger.jobs.free(which, clock.now());
  for (const job of freed) await alerts.over(heldAlert(job));
  const names = freed.map(({ kind }) => jobWords[kind]);
  return names.length === 0 ? null : `Se intenta otra vez lo que estaba detenido: ${names.join(', ')}.`;
}

export function freeOfAlert(deps: FreeDeps, subject: string): Promise<string | null> {
  const kind = jobKinds.find((one) => subject.startsWith(`${one} `));
  return kind ? freeJobs(deps, { kind, subjects: [subject.slice(kind.length + 1)] }) : Promise.resolve(null);
}

/** A person says that the shop deleted the order: webhooks that came before no longer contradict an API without it. */
export async function confirmDeleted(
  { ledger, clock, storeOf }: Pick<JobDeps, 'ledger' | 'clock' | 'storeOf'>,
  subject: string,
): Promise<void> {
  const key = readOrderSubject(subject);
  const store = storeOf(key.platform, key.shop);
  if (!store) return;
  const now = clock.now();
  await ledger.deliveries.keep([
    {
      connection: `list:${store.id}`,
      dedupeKey: `${subject} ${now.toISOString()}`,
      topic: deletedTopic,
      ...key,
      body: Buffer.from('{}'),
      receivedAt: now,
      job: null,
    },
  ]);
  await enqueueSync(ledger, { ...key, storeId: store.id }, now);
}
