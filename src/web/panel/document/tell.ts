import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { MoveCause } from '../../../domain/move-note.ts';
import { causeWords as es, waitWords } from '../../../jobs/story-words.ts';
import type { DocumentStory, PendingWork } from '../../../ledger/story.ts';
import type { Action } from '../../../planner/action.ts';
import { explainAction } from '../../../planner/explain/action.ts';
import { kept, moment } from '../show.ts';
import type { Visit } from '../visit.ts';
import { inBoth } from '../words.ts';
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

const en: Record<MoveCause, string> = {
  issuer: 'The tax authority named a cause with the issuer, outside the document.',
  authority: 'The tax authority had an error of its own.',
  registered: 'The tax authority had that access key already.',
  'number-taken': 'The tax authority had that number already.',
  'in-process': 'The tax authority was still at that access key.',
  date: 'The day of its issue date was over.',
  document: 'The tax authority named a cause in the document itself.',
  retry: 'Somebody asked to try it again.',
  'new number': 'Somebody answered for a new number.',
  reprocess: 'Somebody asked to have it reprocessed.',
  accepted: 'Somebody said that what the shop tells now is right.',
  'key given by hand': 'Its access key was given by hand.',
  found: 'The service shows it now, after it said that it did not know it.',
  'not found': 'The service said that it does not know it.',
  'foreign key': 'The access key proved another document’s.',
  'foreseen key':
    'The answer was lost; the service showed the document under the access key that was foreseen.',
  'unexpected key': 'The service answered with an access key that was not expected.',
  'no webhook told the key': 'No notice of the service told its access key.',
  'no final state': 'For more than a day the service did not say how it ended.',
  'known unsent': 'That sending is known to have left nothing with the service.',
  'known not authorised': 'It is known not to be authorised.',
  'leaves anew with today’s date': 'It leaves again with today’s date and its own number.',
  reprocessed: 'The service processes it again.',
  'not reprocessed': 'The service did not process it again.',
  'lost by the ledger': 'The ledger had lost it; the service still holds it.',
  'written again': 'The order no longer bore its access key; it is written onto it once more.',
  'the process that sent it died': 'The program stopped while it was sending it.',
};

/** Causes of a move as the story tells them. */
export const causeWords: Record<'es' | 'en', Readonly<Record<string, string>>> = inBoth(es, en);
