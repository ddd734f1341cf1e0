import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { DocumentStory } from '../../../ledger/story.ts';
import type { Action } from '../../../planner/action.ts';
import { actionForm } from '../forms.ts';
import { mailBuyerAction, revokeLinksAction } from '../today/actions.ts';
import { documentButtons } from '../today/buttons.ts';
import type { PanelPage, PanelView, Visit } from '../visit.ts';
import { stateChip } from './chips.ts';
import { documentContent } from './content.ts';
import { documentFacts, documentState, documentTitle } from './facts.ts';
import { toldAction, toldAttempts, toldHistory, toldWork } from './tell.ts';
import { documentWords } from './words.ts';

/** `/panel/documento/:id`: the whole story of a document. */
export const documentPage: PanelPage = {
  path: '/documento/:id',
  role: 'read',
  async show(visit) {
    const { ledger } = visit.deps;
    const document = await ledger.documents.get(visit.params.id ?? '');
    if (!document) return missing(visit);
    const words = documentWords[visit.language];
    const story = await ledger.stories.of(document);
    const own = story?.documents.find((one) => one.document.id === document.id);
    const actions = (story?.order.decision ?? []) as Action[];
    const action = actions.find(({ key }) => key === document.key);
    const work = (story?.work ?? []).filter(
      ({ documentId }) => documentId === null || documentId === document.id,
    );
    return {
      title: documentTitle(document, visit.language),
      above: html`<p><a href="${visit.at('/buscar')}">${words.back}</a></p>`,
      body: html`<div class="lead"><p>${stateChip(document, visit.language)} ${document.ambiente === 1 && html`<span class="chip plain">${words.test}</span>`}</p></div>
${documentState(visit, document)}
<div class="acts">${actsOf(visit, document, own)}</div>
${documentFacts(visit, document)}
<div class="columns">${section('historia', words.history, toldHistory(visit, own?.history ?? []))}
<div>${section('envios', words.attempts, toldAttempts(visit, own?.attempts ?? []))}
${section('falta', words.pending, toldWork(visit, work))}</div></div>
${section('porque', words.explain, action ? toldAction(visit, action) : html`<p class="soft">${words.noPlan}</p>`)}
${await documentContent(visit, document)}`,
    };
  },
};

export const section = (id: string, title: string, body: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

/** What a person can do about it, wherever it stands. */
function actsOf(visit: Visit, document: Document, past: DocumentStory | undefined): Piece {
  const words = documentWords[visit.language];
  const fields = { documento: document.id };
  if (document.state !== 'authorized') return documentButtons(visit, document, { past });
  return html`${actionForm(visit, mailBuyerAction, { fields, label: words.mail, plain: true })}${actionForm(visit, revokeLinksAction, { fields, label: words.revoke, plain: true })}`;
}

export function missing(visit: Visit): PanelView {
  const words = documentWords[visit.language];
  return {
    title: words.missing,
    status: 404,
    body: html`<p>${words.missingSays}</p><p><a href="${visit.at('/buscar')}">${words.find}</a></p>`,
  };
}
