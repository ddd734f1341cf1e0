import type { Document } from '../../../domain/document.ts';
import { mayDo } from '../../../domain/settings.ts';
import { type Html, html, type Piece } from '../../../domain/text.ts';
import { isAsked } from '../../../jobs/ask-buyer.ts';
import { mayBeAccepted, mayStand, type Past } from '../../../jobs/retry.ts';
import { mayBeReprocessed } from '../../../jobs/sentences.ts';
import { adoptPage } from '../adopt/page.ts';
import { documentPath } from '../document/parts.ts';
import { identifyPage } from '../identify/page.ts';
import { newNumberPage } from '../new-number/page.ts';
import { actionForm } from '../show.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { acceptAction, reprocessAction, retryAction } from './actions.ts';
import { todayWords } from './words.ts';

interface ButtonsLook {
  small?: boolean;
  /** Attempts and moves of a stopped document; without it no attempt is taken to have an unknown outcome. */
  past?: Past | undefined;
}

/** What a person can do about a document, the likeliest resolution first; only what the person may do. */
export function documentButtons(visit: Visit, document: Document, look: ButtonsLook = {}): Piece {
  const { small = false, past } = look;
  const { acts, order } = todayWords;
  const about = order(document.orderName);
  const fields = { documento: document.id };
  const link = (page: PanelPage, label: string, plain = false): Html | false =>
    mayDo(visit.role, page.role) &&
    html`<a class="button${(plain || small) && ' plain'}" href="${visit.at(page.path.replace(':id', document.id))}">${label}<span class="heard"> ${about}</span></a>`;
  const retry = (label: string, plain = false) =>
    actionForm(visit, retryAction, { fields, label, about, plain: plain || small });
  const reprocess = actionForm(visit, reprocessAction, { fields, label: acts.reprocess, about, plain: true });
  const adopt = link(adoptPage, acts.adopt);
  const timeline = documentLink(visit, document.id, about);
  if (isAsked(document))
    return html`${link(identifyPage, acts.identify)}${retry(acts.readAgain, true)}${timeline}`;
  if (mayBeAccepted(document)) {
    const label = acceptLabel(document);
    const version = String(document.version);
    const accept = { fields: { ...fields, version }, label, about, plain: small };
    return html`${actionForm(visit, acceptAction, accept)}${retry(acts.readAgain, true)}${timeline}`;
  }
  if (document.state === 'held' || (document.state === 'manual' && document.secuencial === null))
    return html`${retry(acts.readAgain)}${timeline}`;
  if (document.state !== 'manual' && document.state !== 'rejected') return timeline;
  // An attempt may be authorised: a retry would be refused, only a person can release the number.
  if (past && mayStand(document, past))
    return html`${adopt}${link(newNumberPage, acts.newNumber, true)}${timeline}`;
  if (document.code === 'number-conflict') return html`${retry(acts.newNumber)}${adopt}${timeline}`;
  if (document.state === 'manual') return html`${adopt}${retry(acts.retry, true)}${timeline}`;
  return html`${retry(acts.retry)}${mayBeReprocessed(document) && reprocess}${timeline}`;
}

/** What the person confirms by accepting, by the code of the hold. */
function acceptLabel({ code, charged }: Document): string {
  const { accept, readAgain } = todayWords.acts;
  switch (code) {
    case 'changed-after-payment':
      return accept[code](`USD ${charged}`);
    case 'order-id-reused':
    case 'refund-id-reused':
    case 'unknown-access-key':
    case 'sub-orders':
      return accept[code];
    default:
      return readAgain;
  }
}

/** A link to the page of a document; null on that page. */
export function documentLink(visit: Visit, id: string, about?: string): Html | null {
  const path = documentPath(id);
  if (visit.here === path) return null;
  const { acts } = todayWords;
  return html`<a class="quiet" href="${visit.at(path)}">${acts.timeline}${about !== undefined && html`<span class="heard"> ${about}</span>`}</a>`;
}
