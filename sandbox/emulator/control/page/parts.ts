import { type Html, html, type Piece } from '../../../../src/domain/text.ts';
import { estadoTexts, type StoredDocument } from '../../emission/documents.ts';
import { standingOf } from './words.ts';

/** One page: what its window is called, which entry of the menu it belongs to, and what it shows. */
export interface View {
  title: string;
  section: string;
  body: Html;
}

export type Tone = 'ok' | 'wait' | 'bad' | 'note' | 'plain';

/** A coloured word; the word alone says the same. */
export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`;

const tones = { autorizado: 'ok', proceso: 'wait', error: 'bad' } as const;

export const stateBadge = (document: StoredDocument): Html =>
  badge(tones[standingOf(document)], estadoTexts[document.estado]);

/** A titled block; `extra` is at the right of its title. */
export const card = (title: string, body: Piece, extra?: Piece): Html =>
  html`<section class="card"><header><h2>${title}</h2>${extra}</header>${body}</section>`;

export interface Column {
  name: string;
  /** `num` aligns right, `wide` is left out on a telephone. */
  kind?: string;
}

/** A table whose rows are `<tr>`; `caption` is read out, not shown. */
export const table = (caption: string, columns: readonly Column[], rows: readonly Html[]): Html => html`
<div class="table" tabindex="0" role="region" aria-label="${caption}"><table>
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map(({ name, kind }) => html`<th scope="col"${kind && html` class="${kind}"`}>${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;

/** What is known of a thing, as name and value. */
export const facts = (rows: readonly (readonly [string, Piece])[]): Html =>
  html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const empty = (text: Piece): Html => html`<p class="empty">${text}</p>`;

/** A form that changes something: it carries the token, and the page to come back to. */
export type Form = (action: string, body: Piece, options?: { kind?: string; id?: string }) => Html;

export const formOf =
  (token: string, back: string): Form =>
  (action, body, { kind, id } = {}) =>
    html`<form method="post" action="/pagina/${action}"${kind && html` class="${kind}"`}${id && html` id="${id}"`}><input type="hidden" name="ficha" value="${token}"><input type="hidden" name="volver" value="${back}">${body}</form>`;
