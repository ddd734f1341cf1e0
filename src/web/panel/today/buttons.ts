import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { mayDo } from '../../../domain/people.ts';
import { mayBeAccepted } from '../../../jobs/accept.ts';
import { isAsked } from '../../../jobs/buyer/ask-buyer.ts';
import { mayStand, type Past } from '../../../jobs/retry.ts';
import { mayBeReprocessed } from '../../../jobs/sentences.ts';
import { adoptPage } from '../adopt/page.ts';
import { actionForm } from '../forms.ts';
import { identifyPage } from '../identify/page.ts';
import { newNumberPage } from '../new-number/page.ts';
import { panelPages } from '../pages.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { acceptAction, reprocessAction, retryAction } from './actions.ts';
import { todayWords } from './words.ts';

interface ButtonsLook {
  small?: boolean;
  /** Of one that is stopped; without it nothing is taken to be in doubt. */
  past?: Past | undefined;
}

/** What a person can do about a document, the likeliest cure first; nothing the person may not. */
export function documentButtons(visit: Visit, document: Document, look: ButtonsLook = {}): Piece {
  const { small = false, past } = look;
  const { acts, order } = todayWords[visit.language];
  const about = order(document.orderName);
  const fields = { documento: document.id };
  const link = (page: PanelPage, label: string, plain = false): Html | false =>
    mayDo(visit.role, page.role) &&
    html`<a class="button${(plain || small) && ' plain'}" href="${visit.at(page.path.replace(':id', document.id))}">${label}<span class="heard"> ${about}</span></a>`;
  const retry = (label: string, plain = false) =>
    actionForm(visit, retryAction, { fields, label, about, plain: plain || small });
  const reprocess = actionForm(visit, reprocessAction, { fields, label: acts.reprocess, about, plain: true });
  const adopt = link(adoptPage, acts.adopt);
  const story = storyLink(visit, document.id, about);
  if (isAsked(document))
    return html`${link(identifyPage, acts.identify)}${retry(acts.lookAgain, true)}${story}`;
  if (mayBeAccepted(document))
    return html`${actionForm(visit, acceptAction, {
      fields: { ...fields, version: String(document.version) },
      label: acts.accept[document.code ?? '']?.(`USD ${document.charged}`) ?? acts.lookAgain,
      about,
      plain: small,
    })}${retry(acts.lookAgain, true)}${story}`;
  if (document.state === 'held' || (document.state === 'manual' && document.secuencial === null))
    return html`${retry(acts.lookAgain)}${story}`;
  if (document.state !== 'manual' && document.state !== 'rejected') return story;
  // Something of it may stand at the authority: a retry would be refused, only a person can answer for a number.
  if (past && mayStand(document, past))
    return html`${adopt}${link(newNumberPage, acts.newNumber, true)}${story}`;
  if (document.code === 'foreign-number') return html`${retry(acts.newNumber)}${adopt}${story}`;
  if (document.state === 'manual') return html`${adopt}${retry(acts.retry, true)}${story}`;
  return html`${retry(acts.retry)}${mayBeReprocessed(document) && reprocess}${story}`;
}

/** Where a document's whole story is told, below the panel; null where the panel has no such page. */
export const storyPath = (id: string): string | null =>
  panelPages.some(({ path }) => path === '/documento/:id') ? `/documento/${id}` : null;

/** The way there, but not from there. */
export function storyLink(visit: Visit, id: string, about?: string): Html | null {
  const path = storyPath(id);
  if (path === null || visit.here === path) return null;
  const { acts } = todayWords[visit.language];
  return html`<a class="quiet" href="${visit.at(path)}">${acts.story}${about !== undefined && html`<span class="heard"> ${about}</span>`}</a>`;
}
