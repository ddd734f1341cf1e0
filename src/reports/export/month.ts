import { type Day, ecuadorDay } from '../../domain/calendar.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Document } from '../../domain/document.ts';
import { LedgerError } from '../../domain/errors.ts';

/** "2026-11" */
export type Month = string;

/** First and last day of a month. Throws LedgerError `export-month` for one that is none or has not begun. */
export function spanOf(month: Month, clock: Clock): { from: Day; to: Day } {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  const from = `${month}-01`;
  if (year === undefined || number === undefined || from > ecuadorDay(clock.now()))
    throw new LedgerError(
      'export-month',
      `«${month}» no es un mes que ya haya empezado: escríbalo como 2026-11.`,
      `${month} is no month that has begun; write it as 2026-11.`,
    );
  const last = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate();
  return { from, to: `${month}-${String(last).padStart(2, '0')}` };
}

export const folders: Record<Document['kind'], string> = {
  factura: 'facturas',
  'nota-credito': 'notas-de-credito',
};
