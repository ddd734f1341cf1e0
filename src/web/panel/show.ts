import { ecuadorDay } from '../../domain/calendar.ts';
import type { Document } from '../../domain/document.ts';
import { type Html, html } from '../../domain/html.ts';
import { type Amount, toAmount } from '../../domain/money.ts';
import type { Visit } from './visit.ts';
import { type Language, locales } from './words.ts';

const zone = 'America/Guayaquil';
const formats = (options: Intl.DateTimeFormatOptions) => ({
  es: new Intl.DateTimeFormat(locales.es, { timeZone: zone, ...options }),
  en: new Intl.DateTimeFormat(locales.en, { timeZone: zone, ...options }),
});
const short = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const moments = formats(short);
const momentsOfYears = formats({ ...short, year: 'numeric' });
const wholes = formats({ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as never);

/** An instant as people in Ecuador read it: "20 nov, 10:00", and with its year where that is not the one we have. */
export function moment(instant: string, { language, now }: Pick<Visit, 'language' | 'now'>): Html {
  const at = new Date(instant);
  const isThisYear = ecuadorDay(at).slice(0, 4) === ecuadorDay(now).slice(0, 4);
  const told = (isThisYear ? moments : momentsOfYears)[language].format(at);
  return html`<time datetime="${instant}" title="${wholes[language].format(at)}">${told}</time>`;
}

/** "USD 132.59" */
export const money = (amount: Amount): Html => html`<span class="amount">USD ${toAmount(amount)}</span>`;

/** "3 h 20 min", counted down by the script. */
export function remaining(until: string, now: Date): Html {
  const seconds = Math.max(0, Math.round((Date.parse(until) - now.getTime()) / 1000));
  return html`<span data-remains="${seconds}">${inWords(Math.ceil(seconds / 60))}</span>`;
}

function inWords(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

const kinds = {
  es: { factura: 'Factura', 'nota-credito': 'Nota de crédito' },
  en: { factura: 'Factura', 'nota-credito': 'Nota de crédito' },
} as const;

/** The service's and the authority's own word, in both languages. */
export const kindName = ({ kind }: Pick<Document, 'kind'>, language: Language): Html =>
  language === 'es' ? html`${kinds.es[kind]}` : html`<span lang="es">${kinds.en[kind]}</span>`;

/** A sentence the ledger keeps, which is Spanish whatever the page's language. */
export const kept = (sentence: string, tag: 'p' | 'span' = 'p'): Html =>
  tag === 'p' ? html`<p lang="es">${sentence}</p>` : html`<span lang="es">${sentence}</span>`;
