import Table from 'cli-table3';
import pc from 'picocolors';
import {
  annulledWords,
  type Document,
  type DocumentState,
  differingFields,
  documentNumber,
  roundingOf,
  roundingWords,
} from '../../domain/document.ts';
import type { AccountPause } from '../../domain/job.ts';
import { creditRounding } from '../../domain/money-policy.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import { alertTexts } from '../../messages/alerts.ts';
import type { Carried } from '../operation.ts';
import { stateText } from './order-timeline.ts';

export async function listDocuments(
  { ledger, links }: Pick<JobDeps, 'ledger' | 'links'>,
  { state, limit }: { state: readonly DocumentState[]; limit: number },
): Promise<Carried> {
  const documents = await ledger.documents.list(state.length > 0 ? { states: state, limit } : { limit });
  const pauses = await ledger.pauses.list();
  const data = documents.map((document) => {
    const { id, linkVersion: version } = document;
    return toJson(document, { page: links.page(id, version), pdf: links.pdf(id, version) }, pauses);
  });
  return { done: true, message: pausedAccounts(pauses) + documentTable(documents, pauses), data };
}

function toJson(
  document: Document,
  links: { page: string; pdf: string },
  pauses: readonly AccountPause[],
): Record<string, unknown> {
  const pause = pauseOf(document, pauses);
  const isAuthorized = document.state === 'authorized';
  const {
    storeId: store,
    platform,
    orderId: order,
    orderName,
    kind,
    state,
    charged,
    code,
    reason,
  } = document;
  const { accessKey, authorizedAt, verifiedAt, verification, annulledAt, writtenBack, createdAt } = document;
  return {
    id: document.id,
    store,
    platform,
    order,
    orderName,
    kind,
    state,
    number: documentNumber(document),
    accessKey,
    charged,
    document: document.total,
    code,
    reason,
    paused: pause && toPausedJson(pause),
    pageUrl: isAuthorized ? links.page : null,
    pdfUrl: isAuthorized ? links.pdf : null,
    authorizedAt,
    verifiedAt,
    verification,
    annulledAt,
    writtenBack,
    createdAt,
  };
}

/** An authorised document also has the result of comparing its XML (src/jobs/verify/). */
function wordOf({ state, verification, annulledAt }: Document): string {
  if (annulledAt !== null) return pc.red('anulada en el SRI');
  if (verification === null) return stateText(state);
  return differingFields(verification) === null
    ? pc.green('autorizada y verificada')
    : pc.red('autorizada, no coincide');
}

function whyOf(
  { reason, verification, kind, charged, total, annulledAt }: Document,
  pause: AccountPause | null,
): string {
  if (annulledAt !== null) return annulledWords;
  if (pause) return `En pausa: ${alertTexts(`account-${pause.cause}`).what}`;
  const rounding = roundingOf(verification);
  if (rounding) return roundingWords(total, rounding);
  const fields = differingFields(verification);
  const cent = kind === 'nota-credito' ? creditRounding(charged, total) : null;
  return fields === null
    ? (reason ?? cent ?? '')
    : `El XML autorizado no dice lo que se envió: ${fields.join(', ')}.`;
}

export function documentTable(documents: readonly Document[], pauses: readonly AccountPause[]): string {
  if (documents.length === 0) return 'No hay documentos.';
  const table = new Table({
    head: ['Tienda', 'Pedido', 'Cobrado', 'Número', 'Estado', 'Motivo'].map((title) => pc.bold(title)),
    colAligns: ['left', 'left', 'right', 'left', 'left', 'left'],
    colWidths: [null, null, null, null, null, 60],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const document of documents) {
    const { storeId, orderName, charged } = document;
    const number = documentNumber(document) ?? '';
    const why = whyOf(document, pauseOf(document, pauses));
    table.push([storeId, orderName, charged, number, wordOf(document), why]);
  }
  return table.toString();
}

function pauseOf(document: Document, pauses: readonly AccountPause[]): AccountPause | null {
  const waits = document.state === 'ready' || document.state === 'uncertain';
  const stops = ({ account, ambiente }: AccountPause) =>
    account === document.account && (ambiente === null || ambiente === document.ambiente);
  return (waits && pauses.find(stops)) || null;
}

const quito = new Intl.DateTimeFormat('es-EC', {
  timeZone: 'America/Guayaquil',
  dateStyle: 'medium',
  timeStyle: 'short',
});

export function pausedAccounts(pauses: readonly AccountPause[]): string {
  return pauses
    .map(({ account, ambiente, cause, since }) => {
      const { what, resolution } = alertTexts(`account-${cause}`);
      const where = ambiente === null ? '' : ambiente === 2 ? ' en producción' : ' en pruebas';
      return `La cuenta «${account}» está en pausa${where} desde ${quito.format(new Date(since))}. ${what} ${resolution}\n`;
    })
    .join('');
}

function toPausedJson({ cause, since, probes }: AccountPause): Record<string, unknown> {
  const { what, resolution } = alertTexts(`account-${cause}`);
  return { code: `account-${cause}`, since, probes, reason: what, resolution };
}
