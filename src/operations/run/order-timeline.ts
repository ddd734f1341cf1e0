import { createHash } from 'node:crypto';
import pc from 'picocolors';
import { statedRows } from '../../../mappers/tax-computation.ts';
import type { OpenAlert } from '../../domain/alerts.ts';
import {
  annulledWords,
  type DocumentKind,
  type DocumentState,
  documentNumber,
  roundingOf,
  roundingWords,
} from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import type { Order } from '../../domain/order.ts';
import { needsPerson } from '../../domain/platform.ts';
import { isWithin, orderOf } from '../../domain/settings.ts';
import { queueStopped, shopSilent } from '../../jobs/alerts.ts';
import { laterSaleOf } from '../../jobs/apply-plan.ts';
import { plannedDocuments } from '../../jobs/prepare.ts';
import type { DocumentTimeline, OrderTimeline, PendingJob, UnreadOrder } from '../../ledger/timeline.ts';
import { alertTexts } from '../../messages/alerts.ts';
import { meaningOf } from '../../messages/reasons.ts';
import { causeWords, jobWords, outcomeWords, stateWords, waitWords } from '../../messages/timeline.ts';
import type { Action } from '../../planner/action.ts';
import { byDocument } from '../../planner/eligibility.ts';
import { explainAction, indent, type ReportedLine } from '../../planner/explain/action.ts';
import { plan } from '../../planner/plan.ts';
import type { Carried, Context, Look } from '../operation.ts';
import { anyOrder, documentFacts, theStore } from './facts.ts';

/** Several stores may have orders of this name. Throws CommandError `not-found`. */
export async function explainOrder(
  { ledger, jobDeps }: Pick<Context, 'ledger' | 'jobDeps'>,
  { order: name, store }: { order: string; store?: string | undefined },
): Promise<Carried<{ orders: object[] }>> {
  const isChosen = ({ storeId }: { storeId: string }) => store === undefined || storeId === store;
  const { timelines } = ledger;
  const found = (await timelines.find(name)).filter(({ order }) => isChosen(order));
  const seen = { now: jobDeps.clock.now(), alerts: await ledger.alerts.open() };
  if (found.length > 0)
    return {
      done: true,
      message: found.map((one) => toText(one, seen)).join('\n\n'),
      data: { orders: found.map(timelineFacts) },
    };
  const unread = (await timelines.unread(name.replace(/^#/, ''))).filter(isChosen);
  if (unread.length === 0) throw new CommandError('not-found', { why: 'order', name });
  return {
    done: true,
    message: unread.map((one) => unreadText(one, seen)).join('\n\n'),
    data: { orders: unread },
  };
}

/** The order as read and the calculation hold the buyer's data. */
function timelineFacts({ order, documents, jobs }: OrderTimeline) {
  const { name, orderId, platform, shop, storeId, syncedAt, decision } = order;
  const decided = (decision ?? []) as Action[];
  return {
    order: name,
    orderId,
    platform,
    shop,
    store: storeId,
    readAt: syncedAt,
    decision: decided.map(({ kind, action, code, reason }) => ({ kind, action, code, reason })),
    documents: documents.map(({ document, history, attempts }) => ({
      ...documentFacts(document),
      history: history.map(({ at, from, to, note }) => ({ at, from, to, why: whyOf(note) })),
      attempts: attempts.map(({ n, issueDate, total, outcome, errors, accessKey, createdAt }) => ({
        n,
        issueDate,
        total,
        outcome,
        errors,
        accessKey,
        createdAt,
      })),
    })),
    pendingJobs: jobs,
  };
}

/** Only code or cause: the rest of a note may quote the buyer. */
function whyOf(note: unknown): string | null {
  const { code, cause } = (note ?? {}) as { code?: string; cause?: string };
  return code ?? cause ?? null;
}

function toText({ order, documents, jobs }: OrderTimeline, seen: Seen): string {
  const { total, currency } = order.snapshot as Order;
  const actions = ((order.decision ?? []) as Action[]).map((action) => settled(action, documents));
  const head = `${pc.bold(`Pedido ${order.name}`)} por ${total} ${currency}, tienda ${order.storeId}, leído ${when(order.syncedAt)}`;
  const parts = [
    head,
    actions.length > 0
      ? `Lo que corresponde\n${actionsText(actions, true)}`
      : 'Todavía no se ha planificado.',
    ...documents.map(documentText),
    jobs.length > 0
      ? `Lo que falta\n${jobsText(jobs, order.storeId, seen)}`
      : nothingToDo(documents, order.decision),
  ];
  return parts.join('\n\n');
}

/** The decision was made when the order was read; its document may have changed since. */
export function settled(action: Action, documents: readonly Pick<DocumentTimeline, 'document'>[]): Action {
  const { kind, sourceId } = action.identity;
  const now = documents.findLast(
    ({ document }) =>
      document.kind === kind && document.sourceId === sourceId && document.state !== 'cancelled',
  )?.document;
  const decided = action.action === 'wait' && now ? byDocument(now) : null;
  return decided ? { ...action, ...decided } : action;
}

function nothingToDo(documents: readonly DocumentTimeline[], decision: unknown): string {
  const waiting = documents.filter(({ document }) => needsPerson(document.state));
  if (waiting.length === 0)
    return laterSaleOf(decision) === null
      ? 'No queda nada por hacer.'
      : 'Nada más ocurre por sí solo: una persona debe hacer lo que dice «Lo que corresponde».';
  const names = waiting.map(({ document: { kind, state } }) => `${documentName(kind)} (${stateText(state)})`);
  return `Nada más ocurre por sí solo: ${names.join(' y ')} ${names.length > 1 ? 'esperan' : 'espera'} a que una persona haga lo que dice su motivo.`;
}

const documentName = (kind: DocumentKind): string =>
  kind === 'factura' ? 'la factura' : 'la nota de crédito';

function unreadText({ orderId, storeId, jobs }: UnreadOrder, seen: Seen): string {
  const head = `${pc.bold(`Pedido ${orderId}`)}, tienda ${storeId}: todavía no se ha podido leer.`;
  return `${head}\n\nLo que falta\n${jobsText(jobs, storeId, seen)}`;
}

function documentText({ document, history, attempts }: DocumentTimeline): string {
  const { kind, state, accessKey, reason, id, total, annulledAt } = document;
  const rounding = roundingOf(document.verification);
  const what = kind === 'factura' ? 'Factura' : 'Nota de crédito';
  const number = documentNumber(document) ?? 'sin número';
  const lines = [
    `${pc.bold(`${what} ${number}`)}: ${stateText(state)} (${id})`,
    ...(accessKey ? [`  Clave de acceso ${accessKey}`] : []),
    ...(reason ? [`  ${reason}`] : []),
    ...(annulledAt ? [`  ${pc.red(annulledWords)}`] : []),
    ...(rounding ? [`  ${roundingWords(total, rounding)}`] : []),
    ...history.map(({ at, to, note }) => `  ${when(at)}  ${stateText(to)}${noteText(note)}`),
    ...attempts.map(
      ({ n, createdAt, outcome, errors, ...keys }) =>
        `  Envío ${n}, ${when(createdAt)}: ${outcomeWords[outcome]}${keyText(keys)}${errors.length > 0 ? `. ${errors.join('; ')}` : ''}`,
    ),
  ];
  return lines.join('\n');
}

function keyText({
  accessKey,
  foreseenKey,
}: {
  accessKey: string | null;
  foreseenKey: string | null;
}): string {
  if (accessKey !== null) return `, clave ${accessKey}`;
  return foreseenKey === null ? '' : `, clave prevista ${foreseenKey}`;
}

function noteText(note: unknown): string {
  const { code, cause, by } = (note ?? {}) as { code?: string; cause?: string; by?: string };
  const message =
    code === undefined
      ? cause && ((causeWords as Readonly<Record<string, string>>)[cause] ?? cause)
      : (meaningOf(code) ?? code);
  const parts = [
    code !== undefined && message !== code ? `${code}: ${message}` : message,
    by && `Por ${by}.`,
  ];
  const reported = parts.filter(Boolean).join(' ');
  return reported && pc.dim(` (${reported})`);
}

interface Seen {
  now: Date;
  alerts: readonly Pick<OpenAlert, 'code' | 'subject' | 'what' | 'resolution'>[];
}

/** A due job that nothing holds back is claimed within moments. */
const lateMs = 5 * 60_000;

export function jobsText(jobs: readonly PendingJob[], storeId: string, { now, alerts }: Seen): string {
  const isUnclaimed = ({ state, dueAt, pause }: PendingJob) =>
    (state === 'waiting' || state === 'released') && !pause && now.getTime() - Date.parse(dueAt) >= lateMs;
  const lines = jobs.map((one) => jobText(one, now));
  if (jobs.some(isUnclaimed)) {
    const cause =
      alerts.find(({ code }) => code === queueStopped.code) ??
      alerts.find(({ code, subject }) => code === shopSilent.code && subject === storeId);
    lines.push(
      cause
        ? `${cause.what} ${cause.resolution}`
        : 'Nadie lo ha tomado: revise que «facturapuente start» esté en marcha.',
    );
  }
  return lines.map((line) => `  ${line}`).join('\n');
}

function timeText({ state, dueAt }: PendingJob, now: Date): string {
  if (state === 'held') return 'detenido';
  if (state === 'leased') return 'se está haciendo';
  return Date.parse(dueAt) < now.getTime() ? `pendiente desde ${when(dueAt)}` : when(dueAt);
}

function jobText(job: PendingJob, now: Date): string {
  const { kind, attempts, reason, pause } = job;
  const tried = attempts > 0 ? `, ${attempts} intentos fallidos` : '';
  const waits = pause
    ? `. Espera: la cuenta está en pausa desde ${when(pause.since)}. ${alertTexts(`account-${pause.cause}`).what}`
    : '';
  return `${jobWords[kind]}: ${timeText(job, now)}${tried}${reason && !pause ? `. ${waitWords(reason)}` : ''}${waits}`;
}

const quito = new Intl.DateTimeFormat('es-EC', {
  timeZone: 'America/Guayaquil',
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const when = (instant: string): string => quito.format(new Date(instant));

const colours: Partial<Record<DocumentState, (text: string) => string>> = {
  held: pc.yellow,
  uncertain: pc.yellow,
  authorized: pc.green,
  rejected: pc.red,
  manual: pc.red,
  cancelled: pc.dim,
};

export function stateText(state: DocumentState): string {
  const text = stateWords[state].toLowerCase();
  return colours[state]?.(text) ?? text;
}

/** Throws ShopError, CommandError. */
export async function planNow(
  { jobDeps, ledger, stores, scope }: Pick<Context, 'jobDeps' | 'ledger' | 'stores' | 'scope'>,
  asked: { order: string; store?: string | undefined },
): Promise<Look> {
  const { key } = await anyOrder(ledger, stores, asked);
  const store = theStore(stores, key);
  const found = isWithin(scope, key) ? await jobDeps.shop(store)?.fetchOrder(key.orderId) : null;
  if (!found) throw new CommandError('not-found', { why: 'unread' });
  const order = orderOf(store, found);
  const documents = await plannedDocuments(jobDeps.ledger, key);
  const invoiceFrom = jobDeps.invoiceFrom(store);
  const actions = plan({ order, documents, store, invoiceFrom, now: jobDeps.clock.now() }).map(actionFacts);
  const { ambiente } = store.issuer;
  return {
    ambiente,
    input: { order: key.orderId, store: store.id },
    seen: createHash('sha256')
      .update(JSON.stringify([key, ambiente, actions]))
      .digest('hex'),
    shown: { order: order.name, store: store.id, ambiente, total: order.total, actions },
    due: actions.some(({ action }) => action === 'emit'),
  };
}

/** The buyer's data are omitted. */
const actionFacts = ({ kind, identity, action, code, reason, charged, document: total, body }: Action) => ({
  kind,
  for: identity.sourceId,
  action,
  code,
  reason,
  charged,
  total,
  taxes: (body ? statedRows(body) : []).map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
    codigo,
    codigoPorcentaje: codigo_porcentaje,
    base: base_imponible,
    valor,
  })),
});

export function actionsText(actions: readonly Action[], explained: boolean): string {
  const rows = actions.map((action) => {
    const why = explained ? explain(action) : '';
    return `  ${titleOf(action)}: ${verbs[action.action]}. ${action.reason}${figures(action)}${why && `\n${why}`}`;
  });
  return rows.join('\n');
}

const verbs: Record<Action['action'], string> = {
  emit: pc.green('emitir'),
  wait: pc.yellow('esperar'),
  hold: pc.red('retener'),
  manual: pc.red('a mano'),
  nothing: pc.dim('nada'),
};

const titleOf = ({ kind, identity }: Action): string =>
  kind === 'factura' ? 'factura' : `nota de crédito del reembolso ${identity.sourceId}`;

function figures({ kind, charged, document, difference }: Action): string {
  if (document === null) return '';
  const moved = kind === 'factura' ? 'cobrado' : 'devuelto';
  return `\n    ${moved} ${charged}, documento ${document}, diferencia ${difference}`;
}

export function explain(action: Action): string {
  const parts = explainAction(action).flatMap(({ title, lines }) => [title, ...indent(lines.map(coloured))]);
  return indent(indent(parts)).join('\n');
}

const tones: Record<ReportedLine['tone'], (text: string) => string> = {
  missing: pc.red,
  'passed-over': pc.dim,
  warning: pc.yellow,
};

const coloured = (line: string | ReportedLine): string =>
  typeof line === 'string' ? line : tones[line.tone](line.text);
