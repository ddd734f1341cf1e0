import { ecuadorDay } from '../domain/calendar.ts';
import { PayloadError } from '../domain/errors.ts';
import type { AsIf } from '../planner/as-if.ts';

/**
 * Reads `001-001-000000123[,YYYY-MM-DD]`; without a date the factura is of today.
 * @throws PayloadError with a sentence when number or date cannot be a factura's, or the date lies ahead.
 */
export function readAsIf(text: string, now: Date): AsIf {
  const today = ecuadorDay(now);
  const [number = '', date = today, ...more] = text.split(',').map((part) => part.trim());
  const isNumber = /^\d{3}-\d{3}-\d{9}$/.test(number) && number.split('-').every((part) => Number(part) > 0);
  if (!isNumber || more.length > 0)
    throw wrong(
      `«${text}» no es un número de factura. Escríbalo como 001-001-000000123, o con su fecha: 001-001-000000123,2026-11-20.`,
    );
  if (!isDay(date))
    throw wrong(`«${date}» no es una fecha. Escríbala como AAAA-MM-DD, por ejemplo ${today}.`);
  if (date > today)
    throw wrong(
      `La factura ${number} no puede ser del ${date}: en Ecuador hoy es ${today}. Corrija la fecha.`,
    );
  return { number, date };
}

function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const wrong = (sentence: string): PayloadError => new PayloadError('as-if-authorized', sentence, sentence);
