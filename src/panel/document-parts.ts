import {
  type Document,
  type DocumentState,
  differingFields,
  documentNumber,
  roundingOf,
} from '../domain/document.ts';
import { creditRounding } from '../domain/money-policy.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { causeWords, waitWords } from '../jobs/timeline-words.ts';
import type { DocumentTimeline, PendingJob } from '../ledger/timeline.ts';
import { alertTexts } from '../messages/alerts.ts';
import { meaningOf } from '../messages/reasons.ts';
import type { Action } from '../planner/action.ts';
import { explainAction } from '../planner/explain/action.ts';
import { documentWords } from './document-words.ts';
import { kindNames, moment, money } from './show.ts';
import type { Visit } from './visit.ts';

export function showHistory(visit: Visit, history: DocumentTimeline['history']): Html {
  return html`<ol class="line">${history.map(({ at, to, note }) => {
    const { by, ...why } = (note ?? {}) as Note;
    return html`<li class="to-${to}"><span class="soft">${moment(at, visit)}</span> <strong>${documentWords.states[to].name}</strong>${showCause(why)}${by !== undefined && html`<div class="soft">${documentWords.by(by)}</div>`}</li>`;
  })}</ol>`;
}

/** Other versions may have written it (domain/document.ts). */
interface Note {
  code?: string;
  cause?: string;
  by?: string;
}

function showCause({ code, cause }: Note): Piece {
  const why = code ?? cause;
  if (why === undefined) return null;
  const message =
    code === undefined ? (causeWords as Readonly<Record<string, string>>)[why] : meaningOf(code);
  return message === undefined
    ? html`<div class="soft key">${why}</div>`
    : html`<div class="soft" title="${why}">${message}</div>`;
}

export function showAttempts(visit: Visit, attempts: DocumentTimeline['attempts']): Html {
  if (attempts.length === 0) return html`<p class="soft">${documentWords.noAttempts}</p>`;
  return html`<ol class="line">${attempts.map(
    ({ n, createdAt, outcome, errors, accessKey, foreseenKey }) =>
      html`<li class="to-${outcome}"><span class="soft">${moment(createdAt, visit)}</span> <strong>${documentWords.attempt(n)}</strong>: ${documentWords.outcomes[outcome]}
${accessKey !== null && html`<div class="key soft">${accessKey}</div>`}${accessKey === null && foreseenKey !== null && html`<div class="key soft">${documentWords.foreseen} ${foreseenKey}</div>`}
${errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${error}</li>`)}</ul>`}</li>`,
  )}</ol>`;
}

export function showJobs(visit: Visit, jobs: readonly PendingJob[]): Html {
  if (jobs.length === 0) return html`<p class="soft">${documentWords.nothingPending}</p>`;
  return html`<ul class="line">${jobs.map(
    ({ kind, dueAt, attempts, reason, pause }) =>
      html`<li><strong>${documentWords.jobs[kind]}</strong> <span class="soft">${moment(dueAt, visit)}${attempts > 0 && html` · ${documentWords.tried(attempts)}`}</span>${pause ? html`<p>${alertTexts(`account-${pause.cause}`).what}</p>` : reason !== null && html`<p>${waitWords(reason)}</p>`}</li>`,
  )}</ul>`;
}

export function showAction(action: Action): Html {
  const { actions } = documentWords;
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
  return html`<p><strong>${actions[action.action]}.</strong> ${action.reason}</p><div lang="es">${sections}</div>`;
}

const tones: Partial<Record<DocumentState, string>> = {
  held: ' warn',
  uncertain: ' warn',
  rejected: ' bad',
  manual: ' bad',
  cancelled: ' plain',
};

/** The state is a word, never a colour alone. */
export const stateChip = ({ state }: Pick<Document, 'state'>): Html =>
  html`<span class="chip${tones[state] ?? ''}">${documentWords.states[state].name}</span>`;

export const documentPath = (id: string): string => `/documento/${id}`;

export const orderPath = ({ storeId, orderId }: Pick<Document, 'storeId' | 'orderId'>): string =>
  `/pedido/${encodeURIComponent(storeId)}/${encodeURIComponent(orderId)}`;

export function documentFacts(visit: Visit, document: Document): Html {
  const { facts } = documentWords;
  const { total, issueDate, authorizedAt, writtenBack, accessKey } = document;
  const rows: [string, Piece][] = [
    [facts.order, html`<a href="${visit.at(orderPath(document))}">${document.orderName}</a>`],
    [facts.store, document.storeId],
    [facts.charged[document.kind], money(document.charged)],
    [facts.total, total === null ? null : money(total)],
    [facts.issued, issueDate],
    [facts.authorized, authorizedAt === null ? null : moment(authorizedAt, visit)],
    [facts.back, writtenBack === null ? facts.notBack : documentWords.states[writtenBack].name],
    [facts.key, accessKey === null ? null : keyWithCopy(accessKey, documentWords)],
  ];
  return html`<dl class="pairs">${rows.map(
    ([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

const keyWithCopy = (key: string, { copy, copied }: { copy: string; copied: string }): Html =>
  html`<span class="key">${key}</span> <button type="button" class="quiet" data-copy="${key}" data-said="clave-copiada" data-done="${copied}" hidden>${copy}</button> <span id="clave-copiada" role="status"></span>`;

export function documentState(visit: Visit, document: Document): Html {
  const { reason, verification, state, kind, charged, total, annulledAt } = document;
  const ours = kind === 'nota-credito' && state === 'authorized' ? creditRounding(charged, total) : null;
  const [fields, theirs] = [differingFields(verification), roundingOf(verification)];
  return html`<p>${documentWords.states[state].message}</p>
${annulledAt !== null && html`<p class="notice bad">${documentWords.annulled(moment(annulledAt, visit))}</p>`}
${reason !== null && html`<blockquote><p>${reason}</p></blockquote>`}
${ours !== null && html`<p class="soft"><p>${ours}</p></p>`}
${verification === 'agrees' && html`<p class="soft">${documentWords.agrees}</p>`}
${theirs && html`<p class="soft">${documentWords.rounded(money(total ?? theirs.total), money(theirs.total))}</p>`}
${fields && html`<p class="notice bad">${documentWords.differs} <span class="key">${fields.join(', ')}</span></p>`}`;
}

export const documentTitle = (document: Document): string =>
  `${kindNames[document.kind]} ${documentNumber(document) ?? documentWords.noNumber}`;
