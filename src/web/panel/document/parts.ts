import {
  type Document,
  type DocumentState,
  differingFields,
  documentNumber,
  type MoveCause,
  roundingOf,
} from '../../../domain/document.ts';
import { pauseWords } from '../../../domain/job.ts';
import { creditRounding } from '../../../domain/money-policy.ts';
import { type Html, html, type Piece } from '../../../domain/text.ts';
import { causeWords as es, waitWords } from '../../../jobs/timeline-words.ts';
import type { DocumentTimeline, PendingJob } from '../../../ledger/timeline.ts';
import type { Action } from '../../../planner/action.ts';
import { explainAction } from '../../../planner/explain/action.ts';
import { kept, kindNames, moment, money } from '../show.ts';
import type { Language, Visit } from '../visit.ts';
import { codeWords } from './code-words.ts';
import { documentWords } from './words.ts';

export function showHistory(visit: Visit, history: DocumentTimeline['history']): Html {
  const { language } = visit;
  const words = documentWords[language];
  return html`<ol class="line">${history.map(({ at, to, note }) => {
    const { by, ...why } = (note ?? {}) as Note;
    return html`<li class="to-${to}"><span class="soft">${moment(at, visit)}</span> <strong>${words.states[to].name}</strong>${showCause(language, why)}${by !== undefined && html`<div class="soft">${words.by(by)}</div>`}</li>`;
  })}</ol>`;
}

/** The note of a move; other versions may have written it (domain/document.ts). */
interface Note {
  code?: string;
  cause?: string;
  by?: string;
}

/** Why it moved, in words; the code itself where only another version knows it. */
function showCause(language: Language, { code, cause }: Note): Piece {
  const why = code ?? cause;
  if (why === undefined) return null;
  const says = code === undefined ? causeWords[language][why] : codeWords[language][why];
  return says === undefined
    ? html`<div class="soft key">${why}</div>`
    : html`<div class="soft" title="${why}">${says}</div>`;
}

/** Every POST that left or may have left, with the service's errors. */
export function showAttempts(visit: Visit, attempts: DocumentTimeline['attempts']): Html {
  const words = documentWords[visit.language];
  if (attempts.length === 0) return html`<p class="soft">${words.noAttempts}</p>`;
  return html`<ol class="line">${attempts.map(
    ({ n, createdAt, outcome, errors, accessKey, foreseenKey }) =>
      html`<li class="to-${outcome}"><span class="soft">${moment(createdAt, visit)}</span> <strong>${words.attempt(n)}</strong>: ${words.outcomes[outcome]}
${accessKey !== null && html`<div class="key soft">${accessKey}</div>`}${accessKey === null && foreseenKey !== null && html`<div class="key soft">${words.foreseen} ${foreseenKey}</div>`}
${errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${kept(error, 'span')}</li>`)}</ul>`}</li>`,
  )}</ol>`;
}

export function showJobs(visit: Visit, jobs: readonly PendingJob[]): Html {
  const words = documentWords[visit.language];
  if (jobs.length === 0) return html`<p class="soft">${words.nothingPending}</p>`;
  return html`<ul class="line">${jobs.map(
    ({ kind, dueAt, attempts, reason, breaker, pause }) =>
      html`<li><strong>${words.jobs[kind]}</strong> <span class="soft">${moment(dueAt, visit)}${attempts > 0 && html` · ${words.tried(attempts)}`}</span>${pause ? kept(pauseWords[pause.cause].what) : reason !== null && kept(waitWords(reason))}${breaker !== null && html`<div>${words.shopSilent} ${moment(breaker.since, visit)}; ${words.triedAgain} ${moment(breaker.retryAt, visit)}</div>`}</li>`,
  )}</ul>`;
}

/** The planner's last action and its calculation, without buyers' data. */
export function showAction({ language }: Visit, action: Action): Html {
  const { actions } = documentWords[language];
  const sections = explainAction(action).map(
    ({ title, lines }): Piece =>
      html`<h3>${title}</h3>${
        lines.length > 0 &&
        html`<ul class="why">${lines.map((line) =>
          typeof line === 'string'
            ? html`<li>${line}</li>`
            : html`<li class="${line.tone}">${line.text}</li>`,
        )}</ul>`
      }`,
  );
  return html`<p><strong>${actions[action.action]}.</strong> ${kept(action.reason, 'span')}</p><div lang="es">${sections}</div>`;
}

const en: Record<MoveCause, string> = {
  issuer: 'The tax authority named a cause with the issuer, outside the document.',
  authority: 'The tax authority had an error of its own.',
  registered: 'The tax authority had that access key already.',
  'number-taken': 'The tax authority had that number already.',
  'in-process': 'The tax authority was still processing that access key.',
  date: 'The day of its issue date was over.',
  document: 'The tax authority named a cause in the document itself.',
  retry: 'Somebody retried it.',
  'new number': 'Somebody authorised another number.',
  reprocess: 'Somebody had it reprocessed.',
  accepted: 'Somebody accepted what the shop says now.',
  'key given by hand': 'Its access key was entered by hand.',
  found: 'The service has it now, although it had said that it did not.',
  'not found': 'The service said that it does not have it.',
  'unknown key': 'The access key turned out to be another document’s.',
  'foreseen key': 'The answer was lost; the service has the document under the expected access key.',
  'unexpected key': 'The service answered with an unexpected access key.',
  'no webhook with the key': 'No webhook of the service brought its access key.',
  'no final state': 'For more than a day the service did not report a final state.',
  'known unsent': 'That attempt is known to have left nothing with the service.',
  'known not authorised': 'It is known not to be authorised.',
  'sent again with today’s date': 'It is sent again with today’s date and the same number.',
  reprocessed: 'The service processes it again.',
  'not reprocessed': 'The service did not process it again.',
  'lost by the ledger': 'The ledger had lost it; the service still has it.',
  'written again': 'The order no longer had its access key; it is written onto it again.',
  'the process that sent it died': 'The program stopped while it was sending it.',
};

/** Causes of a move as the timeline shows them. */
export const causeWords: Record<Language, Readonly<Record<string, string>>> = { es, en };

const tones: Partial<Record<DocumentState, string>> = {
  held: ' warn',
  uncertain: ' warn',
  rejected: ' bad',
  manual: ' bad',
  cancelled: ' plain',
};

/** The state of a document: a word, never a colour alone. */
export const stateChip = ({ state }: Pick<Document, 'state'>, language: Language): Html =>
  html`<span class="chip${tones[state] ?? ''}">${documentWords[language].states[state].name}</span>`;

/** The page of a document, below the panel. */
export const documentPath = (id: string): string => `/documento/${id}`;

/** The page of an order, below the panel. */
export const orderPath = ({ storeId, orderId }: Pick<Document, 'storeId' | 'orderId'>): string =>
  `/pedido/${encodeURIComponent(storeId)}/${encodeURIComponent(orderId)}`;

export function documentFacts(visit: Visit, document: Document): Html {
  const words = documentWords[visit.language];
  const { facts } = words;
  const { total, issueDate, authorizedAt, writtenBack, accessKey } = document;
  const rows: [string, Piece][] = [
    [facts.order, html`<a href="${visit.at(orderPath(document))}">${document.orderName}</a>`],
    [facts.store, document.storeId],
    [facts.charged[document.kind], money(document.charged)],
    [facts.total, total === null ? null : money(total)],
    [facts.issued, issueDate],
    [facts.authorized, authorizedAt === null ? null : moment(authorizedAt, visit)],
    [facts.back, writtenBack === null ? facts.notBack : words.states[writtenBack].name],
    [facts.key, accessKey === null ? null : keyWithCopy(accessKey, words)],
  ];
  return html`<dl class="pairs">${rows.map(
    ([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

const keyWithCopy = (key: string, { copy, copied }: { copy: string; copied: string }): Html =>
  html`<span class="key">${key}</span> <button type="button" class="quiet" data-copy="${key}" data-said="clave-copiada" data-done="${copied}" hidden>${copy}</button> <span id="clave-copiada" role="status"></span>`;

/** Why the document is in its state, and whether the authorised XML matches what was sent. */
export function documentState(visit: Visit, document: Document): Html {
  const words = documentWords[visit.language];
  const { reason, verification, state, kind, charged, total, annulledAt } = document;
  const ours = kind === 'nota-credito' && state === 'authorized' ? creditRounding(charged, total) : null;
  const [fields, theirs] = [differingFields(verification), roundingOf(verification)];
  return html`<p>${words.states[state].says}</p>
${annulledAt !== null && html`<p class="notice bad">${words.annulled(moment(annulledAt, visit))}</p>`}
${reason !== null && html`<blockquote>${kept(reason)}</blockquote>`}
${ours !== null && html`<p class="soft">${kept(ours)}</p>`}
${verification === 'agrees' && html`<p class="soft">${words.agrees}</p>`}
${theirs && html`<p class="soft">${words.rounded(money(total ?? theirs.total), money(theirs.total))}</p>`}
${fields && html`<p class="notice bad">${words.differs} <span class="key">${fields.join(', ')}</span></p>`}`;
}

/** "Factura 001-002-000000123", or without its number until it has one. */
export const documentTitle = (document: Document, language: Language): string =>
  `${kindNames[document.kind]} ${documentNumber(document) ?? documentWords[language].noNumber}`;
