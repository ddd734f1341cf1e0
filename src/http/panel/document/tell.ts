import { type Html, html, type Piece } from '../../../core/html.ts';
import type { DocumentStory, PendingWork } from '../../../ledger/story.ts';
import type { Action } from '../../../planning/action.ts';
import { explainAction } from '../../../planning/explain/action.ts';
import { kept, moment } from '../show.ts';
import type { Visit } from '../visit.ts';
import { documentWords } from './words.ts';

/** Every move of a document, oldest first. */
export function toldHistory({ language }: Visit, history: DocumentStory['history']): Html {
  const words = documentWords[language];
  return html`<ol class="line">${history.map(({ at, to, note }) => {
    const { code, cause, by } = (note ?? {}) as { code?: string; cause?: string; by?: string };
    const why = code ?? cause;
    return html`<li class="to-${to}"><span class="soft">${moment(at, language)}</span> <strong>${words.states[to].name}</strong>${why !== undefined && html` <span class="soft key">${why}</span>`}${by !== undefined && html` <span class="soft">${words.by(by)}</span>`}</li>`;
  })}</ol>`;
}

/** Every POST that left or may have left, with the errors in the service's words. */
export function toldAttempts({ language }: Visit, attempts: DocumentStory['attempts']): Html {
  const words = documentWords[language];
  if (attempts.length === 0) return html`<p class="soft">${words.noAttempts}</p>`;
  return html`<ol class="line">${attempts.map(
    ({ n, createdAt, outcome, errors, accessKey }) =>
      html`<li class="to-${outcome}"><span class="soft">${moment(createdAt, language)}</span> <strong>${words.attempt(n)}</strong>: ${words.outcomes[outcome]}
${accessKey !== null && html`<div class="key soft">${accessKey}</div>`}
${errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${kept(error, 'span')}</li>`)}</ul>`}</li>`,
  )}</ol>`;
}

/** What is still to be done. */
export function toldWork({ language }: Visit, work: readonly PendingWork[]): Html {
  const words = documentWords[language];
  if (work.length === 0) return html`<p class="soft">${words.nothingPending}</p>`;
  return html`<ul class="line">${work.map(
    ({ kind, dueAt, attempts, reason }) =>
      html`<li><strong>${words.work[kind]}</strong> <span class="soft">${moment(dueAt, language)}${attempts > 0 && html` · ${words.tried(attempts)}`}</span>${reason !== null && kept(reason)}</li>`,
  )}</ul>`;
}

/** What the planner said last, and why: told from facts that hold no buyers' data. */
export function toldAction({ language }: Visit, action: Action): Html {
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
