import { setTimeout as sleep } from 'node:timers/promises';
import { ecuadorDay } from '../domain/clock.ts';
import type { Document } from '../domain/document.ts';
import { type Amount, toAmount } from '../domain/money.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { PanelAction, Visit } from './visit.ts';

/** The work continues after the answer. */
const patienceMs = 10_000;

/** null where it takes longer than a person waits. A later failure is logged. */
export async function unlessLong<T>(
  { deps: { log } }: Visit,
  what: string,
  task: Promise<T>,
): Promise<T | null> {
  const late = sleep(patienceMs, null, { ref: false });
  const first = await Promise.race([task, late]);
  if (first === null)
    task.catch((error: Error) =>
      log.warn({ err: error, what }, 'A task that was started in the panel failed'),
    );
  return first;
}

const zone = 'America/Guayaquil';
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('es-EC', { timeZone: zone, ...options });
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

/** Focused, so that a screen reader says it. */
export const showFlaw = (flaw: string | undefined): Piece =>
  flaw !== undefined && html`<p class="notice bad" role="alert" tabindex="-1" autofocus>${flaw}</p>`;

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

export const kindName = ({ kind }: Pick<Document, 'kind'>): string => kindNames[kind];

export interface FormParts {
  fields?: Readonly<Record<string, string>>;
  body?: Piece;
  label: string;
  /** Screen readers say it after the label: what the button is about. */
  about?: string;
  plain?: boolean;
  kind?: string;
  /** The script of the buyer's page validates the fields while they are typed. */
  live?: boolean;
}

/** null where the person may not use it. The answer returns to `visit.here`. */
export function actionForm(visit: Visit, action: PanelAction, parts: FormParts): Html | null {
  if (!mayDo(visit.role, action.role)) return null;
  const { fields = {}, body, label, about, plain, kind = 'act', live } = parts;
  const hidden = { volver: visit.here, ...fields };
  return html`<form class="${kind}" method="post" action="${visit.at(action.path)}"${live === true && html` data-buyer novalidate`}>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${body}<button type="submit"${plain === true && html` class="plain"`}>${label}${about !== undefined && html`<span class="hidden-text"> ${about}</span>`}</button></form>`;
}

export function comeFrom(form: Readonly<Record<string, unknown>>): string {
  const { volver } = form;
  return typeof volver === 'string' && isPanelPath(volver) ? volver : '';
}

/** Refuses other sites, and `..`, which a browser would resolve. */
export const isPanelPath = (text: string): boolean =>
  text.length <= 500 &&
  /^(\/[\w.~%:@-]+)*(\?[\w.~%:@=&+-]*)?$/.test(text) &&
  new URL(`http://a/panel${text}`).href === `http://a/panel${text}`;
