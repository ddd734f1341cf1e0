import Table from 'cli-table3';
import pc from 'picocolors';
import { linksOf } from '../app/links.ts';
import { loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { type AccountPause, pauseWords } from '../domain/account-pause.ts';
import { creditRounding } from '../domain/credit-rounding.ts';
import {
  annulledWords,
  type Document,
  type DocumentState,
  differingFields,
  documentNumber,
  roundingOf,
  roundingWords,
} from '../domain/document.ts';
import { silentLog } from '../domain/log.ts';
import { openLedgerReader } from '../ledger/read.ts';
import { stateWords } from './state-words.ts';

export interface DocumentsFlags {
  config?: string;
  state: string[];
  limit: number;
  json: boolean;
}

/** The newest documents as a table, or as JSON with `--json`. */
export async function listDocuments(flags: DocumentsFlags): Promise<string> {
  const { config: path, state, limit, json } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const reader = openLedgerReader(config.ledger, silentLog);
  try {
    const filter = state.length > 0 ? { states: state as DocumentState[], limit } : { limit };
    const documents = await reader.documents.list(filter);
    const pauses = await reader.pauses.list();
    if (!json) return pausedAccounts(pauses) + documentTable(documents, pauses);
    const links = linksOf(config, await openSecrets(config));
    const told = documents.map(async (document) => {
      const version = await reader.linkVersions.of(document.id);
      return toJson(
        document,
        { page: links.page(document.id, version), pdf: links.pdf(document.id, version) },
        pauses,
      );
    });
    return `${JSON.stringify(await Promise.all(told), null, 2)}\n`;
  } finally {
    await reader.close();
  }
}

function toJson(
  document: Document,
  links: { page: string; pdf: string },
  pauses: readonly AccountPause[],
): Record<string, unknown> {
  const pause = pauseOf(document, pauses);
  const { id, storeId, platform, orderId, orderName, kind, state, accessKey, charged, total, code, reason } =
    document;
  const { authorizedAt, verifiedAt, verification, annulledAt, writtenBack, createdAt } = document;
  const number = documentNumber(document);
  return {
    id,
    store: storeId,
    platform,
    order: orderId,
    orderName,
    kind,
    state,
    number,
    accessKey,
    charged,
    document: total,
    code,
    reason,
    paused: pause && toPausedJson(pause),
    pageUrl: state === 'authorized' ? links.page : null,
    pdfUrl: state === 'authorized' ? links.pdf : null,
    authorizedAt,
    verifiedAt,
    verification,
    annulledAt,
    writtenBack,
    createdAt,
  };
}

/** An authorised document is also told by what its XML said (src/jobs/verify/). */
function wordOf({ state, verification, annulledAt }: Document): string {
  if (annulledAt !== null) return pc.red('anulada en el SRI');
  if (verification === null) return stateWords[state];
  return differingFields(verification) === null
    ? pc.green('autorizada y verificada')
    : pc.red('autorizada, no coincide');
}

function whyOf(
  { reason, verification, kind, charged, total, annulledAt }: Document,
  pause: AccountPause | null,
): string {
  if (annulledAt !== null) return annulledWords;
  if (pause) return `En pausa: ${pauseWords[pause.cause].what}`;
  const rounding = roundingOf(verification);
  if (rounding) return roundingWords(total, rounding);
  const fields = differingFields(verification);
  const cent = kind === 'nota-credito' ? creditRounding(charged, total) : null;
  return fields === null
    ? (reason ?? cent ?? '')
    : `El XML autorizado no dice lo que se envió: ${fields.join(', ')}.`;
}

/** A row a document, for a person. */
export function documentTable(documents: readonly Document[], pauses: readonly AccountPause[]): string {
  if (documents.length === 0) return 'No hay documentos.\n';
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
  return `${table.toString()}\n`;
}

/** Why a document that is ready does not leave; null when its account does not rest. */
function pauseOf(document: Document, pauses: readonly AccountPause[]): AccountPause | null {
  const waits = document.state === 'ready' || document.state === 'uncertain';
  const shuts = ({ account, ambiente }: AccountPause) =>
    account === document.account && (ambiente === null || ambiente === document.ambiente);
  return (waits && pauses.find(shuts)) || null;
}

const quito = new Intl.DateTimeFormat('es-EC', {
  timeZone: 'America/Guayaquil',
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** One paragraph for each account that rests: since when, why, and what to do. */
function pausedAccounts(pauses: readonly AccountPause[]): string {
  return pauses
    .map(({ account, ambiente, cause, since }) => {
      const { what, cure } = pauseWords[cause];
      const where = ambiente === null ? '' : ambiente === 2 ? ' en producción' : ' en pruebas';
      return `La cuenta «${account}» está en pausa${where} desde ${quito.format(new Date(since))}. ${what} ${cure}\n`;
    })
    .join('');
}

/** The same for scripts. */
function toPausedJson({ cause, since, probes }: AccountPause): Record<string, unknown> {
  const { what, cure } = pauseWords[cause];
  return { code: `account-${cause}`, since, probes, reason: what, cure };
}
