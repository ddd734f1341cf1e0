import { type Html, html, type Piece } from '../../../domain/html.ts';
import { waitWords } from '../../../jobs/story-words.ts';
import type { DocumentStory, PendingWork } from '../../../ledger/story.ts';
import type { Action } from '../../../planner/action.ts';
import { explainAction } from '../../../planner/explain/action.ts';
import { kept, moment } from '../show.ts';
import type { Visit } from '../visit.ts';
import { causeWords } from './cause-words.ts';
import { codeWords } from './code-words.ts';
import { documentWords } from './words.ts';

/** Every move of a document, oldest first. */
export function toldHistory(visit: Visit, history: DocumentStory['history']): Html {
  const { language } = visit;
  const words = documentWords[language];
  return html`<ol class="line">${history.map(({ at, to, note }) => {
    const { by, ...why } = (note ?? {}) as Told;
    return html`<li class="to-${to}"><span class="soft">${moment(at, visit)}</span> <strong>${words.states[to].name}</strong>${toldWhy(language, why)}${by !== undefined && html`<div class="soft">${words.by(by)}</div>`}</li>`;
  })}</ol>`;
}

/** As other versions may have written it too (domain/move-note.ts). */
interface Told {
  code?: string;
  cause?: string;
  by?: string;
}

/** Why it moved, in words; a code that only another version knows stands for itself. */
function toldWhy(language: Visit['language'], { code, cause }: Told): Piece {
  const why = code ?? cause;
  if (why === undefined) return null;
  const says = code === undefined ? causeWords[language][why] : codeWords[language][why];
  return says === undefined
    ? html`<div class="soft key">${why}</div>`
    : html`<div class="soft" title="${why}">${says}</div>`;
}

/** Every POST that left or may have left, with the errors in the service's words. */
export function toldAttempts(visit: Visit, attempts: DocumentStory['attempts']): Html {
  const words = documentWords[visit.language];
  if (attempts.length === 0) return html`<p class="soft">${words.noAttempts}</p>`;
  return html`<ol class="line">${attempts.map(
    ({ n, createdAt, outcome, errors, accessKey, foreseenKey }) =>
      html`<li class="to-${outcome}"><span class="soft">${moment(createdAt, visit)}</span> <strong>${words.attempt(n)}</strong>: ${words.outcomes[outcome]}
${accessKey !== null && html`<div class="key soft">${accessKey}</div>`}${accessKey === null && foreseenKey !== null && html`<div class="key soft">${words.foreseen} ${foreseenKey}</div>`}
${errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${kept(error, 'span')}</li>`)}</ul>`}</li>`,
  )}</ol>`;
}

/** What is still to be done. */
export function toldWork(visit: Visit, work: readonly PendingWork[]): Html {
  const words = documentWords[visit.language];
  if (work.length === 0) return html`<p class="soft">${words.nothingPending}</p>`;
  return html`<ul class="line">${work.map(
    ({ kind, dueAt, attempts, reason, breaker }) =>
      html`<li><strong>${words.work[kind]}</strong> <span class="soft">${moment(dueAt, visit)}${attempts > 0 && html` · ${words.tried(attempts)}`}</span>${reason !== null && kept(waitWords(reason))}${breaker !== null && html`<div>${words.shopSilent} ${moment(breaker.since, visit)}; ${words.triedAgain} ${moment(breaker.retryAt, visit)}</div>`}</li>`,
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
