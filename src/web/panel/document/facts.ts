import { creditRounding } from '../../../domain/credit-rounding.ts';
import { type Document, differingFields, documentNumber, roundingOf } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { kept, moment, money } from '../show.ts';
import type { Visit } from '../visit.ts';
import { documentWords } from './words.ts';

/** `/pedido/<store>/<order>`: the address of an order below the panel. */
export const orderPath = ({ storeId, orderId }: Pick<Document, 'storeId' | 'orderId'>): string =>
  `/pedido/${encodeURIComponent(storeId)}/${encodeURIComponent(orderId)}`;

/** What a document is, in two columns. */
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

/** Why it stands where it stands, and whether the authorised XML says what was sent. */
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

/** "Factura 001-002-000000123", its number only once it has one. */
export const documentTitle = (document: Document, language: Visit['language']): string => {
  const kind = document.kind === 'factura' ? 'Factura' : 'Nota de crédito';
  return `${kind} ${documentNumber(document) ?? documentWords[language].noNumber}`;
};
