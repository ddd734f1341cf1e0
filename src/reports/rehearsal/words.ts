import { type Amount, type Decimal, decimal } from '../../domain/money.ts';
import type { BuyerType } from '../../planner/identity/trace.ts';

/* How figures and names are written for the owner of a shop in Ecuador. */

const cents = new Intl.NumberFormat('es-EC', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('es-EC');
const long = new Intl.DateTimeFormat('es-EC', { timeZone: 'America/Guayaquil', dateStyle: 'long' });

/** "USD 1.234,50". */
export const usd = (amount: Amount | Decimal): string =>
  `USD\u00a0${cents.format(decimal(amount).toFixed(2) as Intl.StringNumericLiteral)}`;

export const count = (value: number): string => whole.format(value);

/** "21 de noviembre de 2026", in Ecuador. */
export const dayOf = (instant: string): string => long.format(new Date(instant));

/** "1 pedido", "2 pedidos". */
export const many = (value: number, one: string, more: string): string =>
  `${count(value)} ${value === 1 ? one : more}`;

/** "12,5 %"; a part is never called none or all. */
export function percent(part: number, all: number): string {
  if (all === 0) return '0 %';
  const exact = (part / all) * 100;
  const shown = Math.min(Math.max(Math.round(exact * 10) / 10, part > 0 ? 0.1 : 0), part < all ? 99.9 : 100);
  return `${whole.format(shown)} %`;
}

export const buyerNames: Readonly<Record<BuyerType, string>> = {
  cedula: 'Cédula',
  ruc: 'RUC',
  pasaporte: 'Pasaporte',
  exterior: 'Identificación del exterior',
  'consumidor-final': 'Consumidor final',
};
