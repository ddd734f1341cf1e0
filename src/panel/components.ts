import { ecuadorDay } from '../domain/clock.ts';
import { type Document, type DocumentState, documentNumber } from '../domain/document.ts';
import { type Amount, toAmount } from '../domain/money.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { flaw as flawText, invalid } from '../http/buyer-form.ts';
import { stateWords } from '../messages/timeline.ts';
import type { PanelAction, Visit } from './visit.ts';

export const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const soft = (text: Piece): Html => html`<p class="soft">${text}</p>`;

export const key = (text: Piece): Html => html`<span class="key">${text}</span>`;

type Tone = 'warn' | 'bad' | 'plain';

export const chip = (text: Piece, tone?: Tone | null): Html =>
  html`<span class="chip${tone && ` ${tone}`}">${text}</span>`;

/** For what is wrong with what the page shows. */
export const warning = (text: Piece): Html => html`<p class="notice bad">${text}</p>`;

/** Focused, so that a screen reader says it. */
export const flawNotice = (flaw: string | undefined): Piece =>
  flaw !== undefined && html`<p class="notice bad" role="alert" tabindex="-1" autofocus>${flaw}</p>`;

export const quote = (text: string | null): Piece =>
  text !== null && html`<blockquote><p>${text}</p></blockquote>`;

export const empty = (message: string, title?: string): Html =>
  html`<div class="empty" role="status">${title !== undefined && html`<h2>${title}</h2>`}<p>${message}</p></div>`;

export const facts = (items: readonly Piece[]): Html =>
  html`<ul class="facts">${items.map((item) => item !== null && html`<li>${item}</li>`)}</ul>`;

export type Pair = readonly [name: string, value: Piece];

/** Pairs whose value is null are left out. */
export const pairs = (rows: readonly Pair[]): Html =>
  html`<dl class="pairs">${rows.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export const section = (id: string, title: string, body: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

export const fold = (title: Piece, body: Piece, isOpen = false): Html =>
  html`<details class="fold"${isOpen && html` open`}><summary>${title}</summary>${body}</details>`;

export const acts = (...buttons: Piece[]): Html => html`<div class="acts">${buttons}</div>`;

export interface Card {
  heading: Piece;
  chip?: Piece;
  facts?: readonly Piece[];
  body?: Piece;
  acts?: Piece;
  /** How urgent it is: the colour of its edge. */
  look?: 'now' | 'soon' | 'later' | undefined;
  level?: 'h2' | 'h3';
}

export function card({ heading, chip, facts: items, body, acts: buttons, look, level = 'h3' }: Card): Html {
  return html`<li class="card${look && ` ${look}`}"><div class="lead"><${level}>${heading}</${level}>${chip}</div>
${items && facts(items)}${body}${buttons !== undefined && acts(buttons)}</li>`;
}

export const cards = (items: readonly Html[]): Html => html`<ul class="cards">${items}</ul>`;

export interface Column {
  label: string;
  isNumber?: boolean;
}

export interface Row {
  head: Piece;
  cells: readonly Piece[];
  look?: 'wrong' | 'sum' | false;
  headLook?: 'inner' | 'soft' | false;
}

interface Table {
  columns: readonly Column[];
  rows: readonly Row[];
  /** With it the table can be scrolled by keyboard. */
  label?: string;
  /** On a telephone each row is a card. */
  asCards?: boolean;
}

export function table({ columns, rows, label, asCards }: Table): Html {
  const number = (column: Column | undefined) => column?.isNumber === true && html` class="number"`;
  const heads = columns.map((column) =>
    column.label === '' ? html`<td></td>` : html`<th scope="col"${number(column)}>${column.label}</th>`,
  );
  const cell = (body: Piece, at: number) => {
    const column = columns[at + 1];
    return html`<td${asCards === true && html` data-name="${column?.label}"`}${number(column)}>${body}</td>`;
  };
  const lines = rows.map(
    ({ head, cells, look, headLook }) =>
      html`<tr${look && html` class="${look}"`}><th scope="row"${headLook && html` class="${headLook}"`}>${head}</th>${cells.map(cell)}</tr>
`,
  );
  return html`<div class="table${asCards === true && ' asCards'}"${label !== undefined && html` role="region" tabindex="0" aria-label="${label}"`}><table>
<thead><tr>${heads}</tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

/** Screen readers say it after the label: what a link or a button is about. */
const spoken = (about: string | undefined): Piece =>
  about !== undefined && html`<span class="hidden-text"> ${about}</span>`;

type Addresses = Pick<Visit, 'at'>;

export function link(
  { at }: Addresses,
  path: string,
  label: Piece,
  { look, about }: { look?: 'button' | 'button plain' | 'quiet'; about?: string } = {},
): Html {
  return html`<a${look && html` class="${look}"`} href="${at(path)}">${label}${spoken(about)}</a>`;
}

interface Form {
  address: string;
  hidden?: Readonly<Record<string, string>>;
  body?: Piece;
  submit: Piece;
  /** `entry`: its fields stand below each other; `act`: one button among others. */
  look: 'entry' | 'act';
  plain?: boolean | undefined;
  /** The script of the buyer's page validates the fields while they are typed. */
  live?: boolean | undefined;
}

function postForm({ address, hidden = {}, body, submit, look, plain, live }: Form): Html {
  return html`<form class="${look}" method="post" action="${address}"${live === true && html` data-buyer novalidate`}>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${body}<button type="submit"${plain === true && html` class="plain"`}>${submit}</button></form>`;
}

/** Of a page that needs no session, or none yet. */
export const entryForm = (
  { at }: Addresses,
  path: string,
  form: Pick<Form, 'hidden' | 'body' | 'submit'>,
): Html => postForm({ address: at(path), look: 'entry', ...form });

export interface FormParts extends Pick<Form, 'body' | 'plain' | 'live'> {
  fields?: Readonly<Record<string, string>>;
  label: string;
  about?: string;
  look?: Form['look'];
}

/** null where the person may not use it. The answer returns to `visit.here`. */
export function actionForm(visit: Visit, action: PanelAction, parts: FormParts): Html | null {
  if (!mayDo(visit.role, action.role)) return null;
  const { fields, label, about, look = 'act', ...form } = parts;
  return postForm({
    address: visit.at(action.path),
    hidden: { volver: visit.here, ...fields },
    submit: html`${label}${spoken(about)}`,
    look,
    ...form,
  });
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const attributes = (all: Attributes): Piece =>
  Object.entries(all).map(([name, value]) =>
    value === true ? html` ${name}` : value !== false && value !== undefined && html` ${name}="${value}"`,
  );

/** For what no browser shall complete or correct. */
export const asTyped: Attributes = { autocomplete: 'off', spellcheck: 'false' };

interface Field {
  name: string;
  label: Piece;
  id?: string;
  type?: string;
  hint?: Piece;
  /** '' where the field may have one later. */
  flaw?: string | undefined;
  isFlawed?: boolean;
  options?: readonly (readonly [value: string, label: string])[];
  value?: string | undefined;
  more?: Attributes;
}

/** A list of choices where it has `options`. */
export function field(of: Field): Html {
  const { name, id = name, label, type = 'text', hint, flaw, isFlawed = Boolean(flaw), options, value } = of;
  const described = [hint !== undefined && `${id}-ayuda`, flaw !== undefined && `${id}-reparo`];
  const shared = html`${attributes({
    id,
    name,
    value: !options && value,
    'aria-describedby': described.filter(Boolean).join(' ') || false,
    ...of.more,
  })}${isFlawed && invalid('')}`;
  const choices = options?.map(
    ([one, words]) => html`<option value="${one}"${one === value && html` selected`}>${words}</option>`,
  );
  const control = choices
    ? html`<select${shared}>${choices}</select>`
    : html`<input type="${type}"${shared}>`;
  return html`<div><label for="${id}">${label}</label>
${control}
${hint !== undefined && html`<p class="hint" id="${id}-ayuda">${hint}</p>`}${flaw !== undefined && flawText(flaw, `${id}-reparo`)}</div>`;
}

export const checkbox = (
  name: string,
  label: string,
  { isChecked, more = {} }: { isChecked: boolean; more?: Attributes },
): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="si"${attributes({ checked: isChecked, ...more })}> <span>${label}</span></label>`;

/** Shown by the script where the browser has a clipboard. */
export const copyButton = (
  text: string,
  { label, done, look }: { label: string; done: string; look?: 'plain' | 'quiet' },
): Html =>
  html`<button type="button"${look && html` class="${look}"`} data-copy="${text}" data-said="copiado" data-done="${done}" hidden>${label}</button> <span id="copiado" class="soft" role="status"></span>`;

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('es-EC', { timeZone: 'America/Guayaquil', ...options });
const short = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const moments = format(short);
const momentsOfYears = format({ ...short, year: 'numeric' });
const wholes = format({ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as never);

/** Written as "20 nov, 10:00", with the year unless it is this one. */
export function moment(instant: string, { now }: Pick<Visit, 'now'>): Html {
  const at = new Date(instant);
  const isThisYear = ecuadorDay(at).slice(0, 4) === ecuadorDay(now).slice(0, 4);
  const shown = (isThisYear ? moments : momentsOfYears).format(at);
  return html`<time datetime="${instant}" title="${wholes.format(at)}">${shown}</time>`;
}

export const money = (amount: Amount): Html => html`<span class="amount">USD ${toAmount(amount)}</span>`;

/** Written as "3 h 20 min" and counted down by the script. */
export function remaining(until: string, now: Date): Html {
  const seconds = Math.max(0, Math.round((Date.parse(until) - now.getTime()) / 1000));
  return html`<span data-remains="${seconds}">${inWords(Math.ceil(seconds / 60))}</span>`;
}

function inWords(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

export const kindNames = { factura: 'Factura', 'nota-credito': 'Nota de crédito' } as const;

export const documentTitle = (document: Document): string =>
  `${kindNames[document.kind]} ${documentNumber(document) ?? 'sin número'}`;

export const orderName = ({ orderName: name }: Pick<Document, 'orderName'>): string => `Pedido ${name}`;

export const documentPath = (id: string): string => `/documento/${id}`;

export const orderPath = ({ storeId, orderId }: Pick<Document, 'storeId' | 'orderId'>): string =>
  `/pedido/${encodeURIComponent(storeId)}/${encodeURIComponent(orderId)}`;

const tones: Partial<Record<DocumentState, Tone>> = {
  held: 'warn',
  uncertain: 'warn',
  rejected: 'bad',
  manual: 'bad',
  cancelled: 'plain',
};

/** The state is a word, never a colour alone. */
export const stateChip = ({ state }: Pick<Document, 'state'>): Html => chip(stateWords[state], tones[state]);

export function comeFrom(form: Readonly<Record<string, unknown>>): string {
  const { volver } = form;
  return typeof volver === 'string' && isPanelPath(volver) ? volver : '';
}

/** Refuses other sites, and `..`, which a browser would resolve. */
export const isPanelPath = (text: string): boolean =>
  text.length <= 500 &&
  /^(\/[\w.~%:@-]+)*(\?[\w.~%:@=&+-]*)?$/.test(text) &&
  new URL(`http://a/panel${text}`).href === `http://a/panel${text}`;
