import pc from 'picocolors';
import { loadConfig } from '../config/load.ts';
import { annulledWords, documentNumber, roundingOf, roundingWords } from '../domain/document.ts';
import { codeWords } from '../domain/error-catalogue/code-words.ts';
import { LedgerError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Order } from '../domain/order.ts';
import { causeWords, outcomeWords, waitWords, workWords } from '../jobs/story-words.ts';
import { openLedgerReader } from '../ledger/read.ts';
import type { DocumentStory, OrderStory, PendingWork, UnreadOrder } from '../ledger/story.ts';
import type { Action } from '../planner/action.ts';
import { actionsText } from './plan-text.ts';
import { stateWords } from './state-words.ts';

export interface StoryFlags {
  config?: string;
  store?: string;
  json: boolean;
}

/** The whole story of an order as text, or as JSON. Throws LedgerError `order-unknown`. */
export async function tellOrder(name: string, flags: StoryFlags): Promise<string> {
  const { config: path, store, json } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const reader = openLedgerReader(config.ledger, silentLog);
  try {
    const stories = (await reader.stories.find(name)).filter(
      ({ order }) => store === undefined || order.storeId === store,
    );
    const unread =
      stories.length > 0
        ? []
        : (await reader.stories.unread(name.replace(/^#/, ''))).filter(
            ({ storeId }) => store === undefined || storeId === store,
          );
    if (unread.length > 0)
      return json ? `${JSON.stringify(unread, null, 2)}\n` : unread.map(unreadText).join('\n');
    if (stories.length === 0)
      throw new LedgerError(
        'order-unknown',
        `El registro no conoce ningún pedido ${name}: si ya está pagado, pídalo con «facturapuente sweep».`,
        `The ledger knows no order ${name}.`,
      );
    return json ? `${JSON.stringify(stories.map(toJson), null, 2)}\n` : stories.map(toText).join('\n');
  } finally {
    await reader.close();
  }
}

/** Without the order as read: it holds the buyer's data. */
function toJson({ order: { snapshot: _snapshot, ...order }, ...story }: OrderStory): unknown {
  return { order, ...story };
}

function toText({ order, documents, work }: OrderStory): string {
  const { total, currency } = order.snapshot as Order;
  const actions = (order.decision ?? []) as Action[];
  const head = `${pc.bold(`Pedido ${order.name}`)} por ${total} ${currency}, tienda ${order.storeId}, leído ${when(order.syncedAt)}`;
  const parts = [
    head,
    actions.length > 0
      ? `Lo que corresponde\n${actionsText(actions, true)}`
      : 'Todavía no se ha planificado.',
    ...documents.map(documentText),
    work.length > 0
      ? `Lo que falta\n${work.map((one) => `  ${workText(one)}`).join('\n')}`
      : 'No queda nada por hacer.',
  ];
  return `${parts.join('\n\n')}\n`;
}

function unreadText({ orderId, storeId, work }: UnreadOrder): string {
  const head = `${pc.bold(`Pedido ${orderId}`)}, tienda ${storeId}: todavía no se ha podido leer.`;
  return `${head}\n\nLo que falta\n${work.map((one) => `  ${workText(one)}`).join('\n')}\n`;
}

function documentText({ document, history, attempts }: DocumentStory): string {
  const { kind, state, accessKey, reason, id, total, annulledAt } = document;
  const rounding = roundingOf(document.verification);
  const what = kind === 'factura' ? 'Factura' : 'Nota de crédito';
  const number = documentNumber(document) ?? 'sin número';
  const lines = [
    `${pc.bold(`${what} ${number}`)}: ${stateWords[state]} (${id})`,
    ...(accessKey ? [`  Clave de acceso ${accessKey}`] : []),
    ...(reason ? [`  ${reason}`] : []),
    ...(annulledAt ? [`  ${pc.red(annulledWords)}`] : []),
    ...(rounding ? [`  ${roundingWords(total, rounding)}`] : []),
    ...history.map(({ at, to, note }) => `  ${when(at)}  ${stateWords[to]}${noteText(note)}`),
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

/** Why it moved: a code beside its meaning, since `facturapuente error` tells more of it. */
function noteText(note: unknown): string {
  const { code, cause, by } = (note ?? {}) as { code?: string; cause?: string; by?: string };
  const meant: Readonly<Record<string, string>> = code === undefined ? causeWords : codeWords;
  const why = code ?? cause;
  const says = why && (meant[why] ?? why);
  const parts = [code !== undefined && says !== code ? `${code}: ${says}` : says, by && `Por ${by}.`];
  const told = parts.filter(Boolean).join(' ');
  return told && pc.dim(` (${told})`);
}

function workText({ kind, dueAt, attempts, reason, breaker }: PendingWork): string {
  const tried = attempts > 0 ? `, ${attempts} intentos fallidos` : '';
  const waits = breaker
    ? `. Espera: la tienda no responde desde ${when(breaker.since)}; se prueba otra vez desde ${when(breaker.retryAt)}`
    : '';
  return `${workWords[kind]}: ${when(dueAt)}${tried}${reason ? `. ${waitWords(reason)}` : ''}${waits}`;
}

const quito = new Intl.DateTimeFormat('es-EC', {
  timeZone: 'America/Guayaquil',
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const when = (instant: string): string => quito.format(new Date(instant));
