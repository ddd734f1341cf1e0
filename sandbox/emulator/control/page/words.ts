import { type Html, html } from '../../../../src/domain/text.ts';
import { type Account, mask } from '../../accounts/accounts.ts';
import { isAuthorised, isRefused, type StoredDocument, type Tipo } from '../../emission/documents.ts';
import type { World } from '../../world.ts';

export const typeNames: Readonly<Record<Tipo, string>> = {
  '01': 'Factura',
  '03': 'Liquidación de compra',
  '04': 'Nota de crédito',
  '05': 'Nota de débito',
  '06': 'Guía de remisión',
  '07': 'Retención',
};

/** The three ends a document can be at, as the filter and the badges name them. */
export type Standing = 'autorizado' | 'proceso' | 'error';

export const standingNames: Readonly<Record<Standing, string>> = {
  autorizado: 'Autorizados',
  proceso: 'En proceso',
  error: 'Con error',
};

export function standingOf(document: StoredDocument): Standing {
  if (isAuthorised(document)) return 'autorizado';
  return isRefused(document) ? 'error' : 'proceso';
}

const months = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'];

/** `2026-11-20T08:30:00-05:00` as `20 nov 2026, 08:30:00`; the instant must be written in Ecuador's time. */
export function moment(iso: string | null): Html {
  if (iso === null) return html`—`;
  const [year, month, day] = iso.slice(0, 10).split('-');
  const text = `${Number(day)} ${months[Number(month) - 1]} ${year}`;
  return html`<time datetime="${iso}"><span class="day">${text}</span> <span class="hour">${iso.slice(11, 19)}</span></time>`;
}

const grouped = new Intl.NumberFormat('en');

/** `12345.60` as `12 345.60`, the way the documents print it but readable; what no document can hold as `1.7e+301`. */
export function amount(decimal: string | undefined): string {
  if (decimal === undefined) return '—';
  const [whole = '', ...rest] = decimal.split('.');
  if (whole.length > 15) return Number(decimal).toPrecision(2);
  return [grouped.format(whole as `${number}`).replaceAll(',', '\u202f'), ...rest].join('.');
}

/** Accounts are numbered, because two masked keys may look alike. */
export function accountName(world: World, apiKey: string): string {
  const place = [...world.accounts.keys()].indexOf(apiKey) + 1;
  return `Cuenta ${place > 0 ? place : '?'} · ${keyTail(apiKey)}`;
}

/** The account at a place, as `cuenta=1` in an address names it. */
export function accountAt(world: World, place: string | undefined): Account | undefined {
  return [...world.accounts.values()][Number(place) - 1];
}

const keyTail = (apiKey: string) => mask(apiKey).replace(/^\*+/, '····');

export const ambienteNames = { 1: 'Pruebas', 2: 'Producción' } as const;
