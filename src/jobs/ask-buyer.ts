import { type BuyerAnswer, cutOffAfter } from '../domain/buyer-policy.ts';
import type { Clock } from '../domain/clock.ts';
import { dayMs } from '../domain/clock.ts';
import type { Document, MoveNote } from '../domain/document.ts';
import { done, type JobHandler, readOrderSubject } from '../domain/job.ts';
import type { Order } from '../domain/order.ts';
import type { Letter } from '../domain/ports.ts';
import { owner, type Store } from '../domain/settings.ts';
import type { Ledger, Tables } from '../ledger/ledger.ts';
import type { Question } from '../ledger/schema.ts';
import type { Action } from '../planner/action.ts';
import { type AnswerFlaws, type GivenAnswer, readAnswer } from '../planner/identity/choice.ts';
import { waitsForBuyer } from '../planner/identity-gate.ts';
import { type Handler, type JobDeps, priorities, unknownStore } from './deps.ts';
import { enqueueOrder } from './enqueue.ts';

/** Once for each order: the mark is written before the mail is sent, so that a crash sends no second one. */
export function askBuyer(deps: JobDeps): Handler {
  return async ({ subject, attempts }) => {
    const { ledger, mailer, clock, log } = deps;
    const key = readOrderSubject(subject);
    const question = await ledger.questions.get(key);
    const document = (await ledger.documents.ofOrder(key)).find(isAsked);
    const now = clock.now();
    if (!mailer || !document || !question || !mayAsk(question, now)) return done;
    const store = deps.storeOf(key.platform, key.shop);
    if (!store) return unknownStore(key);
    const order = (await ledger.orders.get(key))?.snapshot as Order | undefined;
    const letter = order && letterTo(deps, store, order, question, document);
    if (!letter || !(await ledger.questions.mark(key, 'mailed', now))) return done;
    try {
      await mailer.send(letter);
    } catch (error) {
      if (attempts < mostTries - 1) {
        await ledger.questions.unmark(key, 'mailed');
        throw error;
      }
      log.warn({ store: store.id, order: key.orderId, err: error }, 'The buyer could not be asked by e-mail');
      await keepNote(deps, document, { code: 'buyer-mail-refused' });
      return done;
    }
    await keepNote(deps, document, { code: 'buyer-mailed' });
    log.info({ store: store.id, order: key.orderId }, 'The buyer was asked by e-mail');
    return done;
  };
}

const mostTries = 5;

export const isAsked = ({ kind, state, code }: Document): boolean =>
  kind === 'factura' && state === 'held' && waitsForBuyer(code);

export const mayAsk = ({ answeredAt, expiresAt }: Question, now: Date): boolean =>
  answeredAt === null && Date.parse(expiresAt) > now.getTime();

/** It names nothing that the buyer did not give the shop. */
function letterTo(
  { links }: Pick<JobDeps, 'links'>,
  { issuer }: Store,
  order: Order,
  question: Question,
  document: Document,
): Letter | null {
  const { email } = order.buyer;
  if (question.mailedAt !== null || email === null) return null;
  return {
    to: [email],
    subject: `Falta un dato para la factura de su pedido ${order.name}`,
    text: [
      `Gracias por su compra en ${issuer.nombre_comercial}.`,
      `Para emitir la factura de su pedido ${order.name}, por USD ${document.charged ?? order.total}, hace falta su cédula, RUC o pasaporte y el nombre que debe constar en ella.`,
      `Escríbalo aquí hasta el ${inEcuador(new Date(question.cutOffAt))} (hora de Ecuador):`,
      links.identification(document.id, new Date(question.expiresAt)),
      'La factura sale apenas lo guarde. El enlace es solo para este pedido: no lo comparta. Si no hizo esta compra, no haga nada.',
    ].join('\n\n'),
  };
}

export function buyerMessage(
  { issuer }: Pick<Store, 'issuer'>,
  orderName: string,
  link: string,
): { text: string; whatsapp: string } {
  const text = `Hola, le escribimos de ${issuer.nombre_comercial}. Para emitir la factura de su pedido ${orderName} hace falta su cédula, RUC o pasaporte. Escríbalo aquí: ${link}`;
  // Without a phone number: WhatsApp asks for the contact, and the buyer's number stays out of the link.
  return { text, whatsapp: `https://wa.me/?text=${encodeURIComponent(text)}` };
}

async function keepNote(
  { ledger, clock }: Pick<JobDeps, 'clock' | 'ledger'>,
  document: Document,
  note: MoveNote,
): Promise<void> {
  await ledger.documents.move(document.id, { from: ['held'], to: 'held', note, now: clock.now() });
}

/** Returns null, or in Spanish why no mail is sent. */
export async function mailAgain(
  { ledger, clock, mailer }: Pick<JobDeps, 'ledger' | 'clock' | 'mailer'>,
  document: Document,
): Promise<string | null> {
  if (!mailer) return 'No hay un servidor de correo configurado (mail.url): copie el enlace y envíelo usted.';
  const now = clock.now();
  const question = await ledger.questions.get(document);
  if (!isAsked(document) || !question || question.answeredAt !== null)
    return 'Ese pedido ya no espera la respuesta de su comprador.';
  if (!mayAsk(question, now)) return 'El enlace del comprador ya venció: copie uno nuevo y envíelo usted.';
  const order = (await ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  if (!order?.buyer.email)
    return 'El pedido no trae el correo del comprador: copie el enlace y envíelo usted.';
  await ledger.transaction(async (tables) => {
    await tables.questions.unmark(document, 'mailed');
    await enqueueOrder(tables, 'ask-buyer', document, { dueAt: now, priority: priorities.question });
  });
  return null;
}

const words = new Intl.DateTimeFormat('es-EC', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'America/Guayaquil',
});

/** "viernes, 20 de noviembre, 23:30" */
export const inEcuador = (instant: Date): string => words.format(instant);

/** `by`: the person of the shop who answered for the buyer. `late`: the document no longer waits for an answer. */
export async function takeAnswer(
  { ledger, clock }: { ledger: Ledger; clock: Clock },
  document: Document,
  answer: BuyerAnswer,
  by?: string,
): Promise<'taken' | 'answered' | 'late'> {
  const now = clock.now();
  return ledger.transaction(async (tables) => {
    await tables.documents.lock(document.id);
    const current = await tables.documents.get(document.id);
    if (!current || !isAsked(current)) return 'late';
    if (by !== undefined) await tables.questions.open(current, { cutOffAt: now, expiresAt: now, now });
    if (!(await tables.questions.answer(current, answer, now))) return 'answered';
    const note = { code: 'buyer-answered', type: answer.type, ...(by !== undefined && { by }) };
    await tables.documents.move(current.id, { from: ['held'], to: 'held', note, now });
    await enqueueOrder(tables, 'sync-order', current, { dueAt: now, priority: priorities.emission });
    return 'taken';
  });
}

/** Adds to an order its buyer's answer, which only the ledger has, encrypted. */
export async function withQuestion({ questions }: Pick<Tables, 'questions'>, order: Order): Promise<Order> {
  const question = await questions.get({ ...order, orderId: order.id });
  if (!question) return order;
  const answer = question.answer as BuyerAnswer | null;
  return { ...order, buyer: { ...order.buyer, asked: { answer, overdue: question.passedAt !== null } } };
}

export function withoutQuestion(order: Order): Order {
  const { asked: _asked, ...buyer } = order.buyer;
  return { ...order, buyer };
}

/** Inside the transaction that holds the factura. */
export async function openQuestion(
  tables: Pick<Tables, 'questions' | 'jobs'>,
  { store, order, action, now }: { store: Store; order: Order; action: Action; now: Date },
): Promise<void> {
  const { ask, cutOff, linkDays, mail } = store.policy.buyer;
  if (!ask || action.action !== 'hold' || !waitsForBuyer(action.code)) return;
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const cutOffAt = cutOffAfter(now, cutOff);
  const expiresAt = new Date(now.getTime() + linkDays * dayMs);
  if (!(await tables.questions.open(key, { cutOffAt, expiresAt, now }))) return;
  const of = { ...key, storeId: store.id };
  await enqueueOrder(tables, 'buyer-cut-off', of, { dueAt: cutOffAt, priority: priorities.question });
  if (mail) await enqueueOrder(tables, 'ask-buyer', of, { dueAt: now, priority: priorities.download });
}

/** The time to answer is over: the order is planned again, by the policy (planner/identity-gate.ts). */
export function buyerCutOff(deps: Pick<JobDeps, 'clock' | 'ledger'>): JobHandler {
  return async ({ subject, storeId }) => {
    const key = readOrderSubject(subject);
    const question = await deps.ledger.questions.get(key);
    if (!question || question.answeredAt !== null || question.passedAt !== null) return done;
    const now = deps.clock.now();
    const dueAt = new Date(question.cutOffAt);
    if (dueAt > now) return { kind: 'again', dueAt, reason: 'the buyer still has time to answer' };
    await deps.ledger.transaction(async (tables) => {
      if (!(await tables.questions.mark(key, 'passed', now))) return;
      const at = { dueAt: now, priority: priorities.question };
      await enqueueOrder(tables, 'sync-order', { ...key, storeId }, at);
    });
    return done;
  };
}

export async function reportUnanswered(
  { ledger, alerts, clock }: Pick<JobDeps, 'ledger' | 'alerts' | 'clock'>,
  store: Store,
  order: Pick<Order, 'id' | 'name'>,
  actions: readonly Action[],
): Promise<void> {
  const key = { platform: store.platform.name, shop: store.shop, orderId: order.id };
  const question = await ledger.questions.get(key);
  if (!question) return;
  const held = actions.some(
    ({ kind, action, code }) => kind === 'factura' && action === 'hold' && waitsForBuyer(code),
  );
  const alert = { code: 'buyer-unanswered', subject: `${store.id}/${order.id}` } as const;
  if (held && question.passedAt !== null && question.notifiedAt === null) {
    // The mark comes last: after a crash in between the same alert is raised again.
    await alerts.raise({
      ...alert,
      about: owner.shop(key),
      params: { order: order.name, store: store.id },
    });
    await ledger.questions.mark(key, 'notified', clock.now());
  } else if (!held && question.notifiedAt !== null) {
    await alerts.over(alert);
    await ledger.questions.unmark(key, 'notified');
  }
}

type AnsweredFor =
  | { kind: 'taken'; type: NonNullable<GivenAnswer['type']> }
  | { kind: 'wrong'; flaws: AnswerFlaws }
  | { kind: 'refused'; message: string };

/** A person of the shop answers for the buyer, by the rules of the buyer's page. */
export async function answerFor(
  deps: Pick<JobDeps, 'ledger' | 'clock'>,
  document: Document,
  { given, by }: { given: GivenAnswer; by: string },
): Promise<AnsweredFor> {
  const order = (await deps.ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
  if (!order || !isAsked(document)) return { kind: 'refused', message: late };
  const read = readAnswer(given, order);
  if (!read.ok) return { kind: 'wrong', flaws: read.flaws };
  const taken = await takeAnswer(deps, document, read.answer, by);
  if (taken === 'taken') return { kind: 'taken', type: read.answer.type };
  return { kind: 'refused', message: taken === 'late' ? late : first };
}

const late = 'Ese pedido ya no espera la identificación de su comprador.';
const first =
  'El comprador ya dio su identificación; si está equivocada, corríjala en el pedido de la tienda y vuelva a leerlo.';
