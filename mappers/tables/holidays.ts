import { type Day, ecuadorDay } from '../../src/domain/clock.ts';
import { annulmentRules, type Dated, ficha, isInForce } from './limits.ts';

export interface HolidayRow extends Dated {
  name: string;
}

const holiday = (day: string, name: string): HolidayRow => ({
  name,
  since: day,
  until: day,
  source:
    'Código del Trabajo, art. 65, y LOSEP, por la ley de feriados de 2016 (R.O.S. 906); fecha calculada',
  checkedOn: '2026-11-20',
});

/** Observed days: Tuesday moves to Monday, Wednesday and Thursday to Friday, weekends to the nearest working day. */
export const holidays: readonly HolidayRow[] = [
  holiday('2026-01-01', 'Año Nuevo'),
  holiday('2026-02-16', 'Carnaval'),
  holiday('2026-02-17', 'Carnaval'),
  holiday('2026-04-03', 'Viernes Santo'),
  holiday('2026-05-01', 'Día del Trabajo'),
  holiday('2026-05-25', 'Batalla de Pichincha'),
  holiday('2026-08-10', 'Primer Grito de Independencia'),
  holiday('2026-10-09', 'Independencia de Guayaquil'),
  holiday('2026-11-02', 'Día de los Difuntos'),
  holiday('2026-11-03', 'Independencia de Cuenca'),
  holiday('2026-12-25', 'Navidad'),
  holiday('2027-01-01', 'Año Nuevo'),
  holiday('2027-02-08', 'Carnaval'),
  holiday('2027-02-09', 'Carnaval'),
  holiday('2027-03-26', 'Viernes Santo'),
  holiday('2027-04-30', 'Día del Trabajo'),
  holiday('2027-05-24', 'Batalla de Pichincha'),
  holiday('2027-08-09', 'Primer Grito de Independencia'),
  holiday('2027-10-08', 'Independencia de Guayaquil'),
  holiday('2027-11-01', 'Día de los Difuntos'),
  holiday('2027-11-02', 'Independencia de Cuenca'),
  holiday('2027-12-25', 'Navidad'),
];

/**
 * Days on which a decree puts IVA code 8 (8 %) in force, first and last included; at most 12 a year.
 * A rule of the merchant must state that he may charge it.
 */
export interface DecreedDays extends Dated {
  since: string;
  until: string;
  decree: string;
  who: string;
}

const decree = (decree: string, since: string, until: string): DecreedDays => ({
  decree,
  since,
  until,
  who: 'prestadores de servicios turísticos registrados',
  source: `Decreto Ejecutivo ${decree.replace('Decreto ', '')} (fuente secundaria); ${ficha('tabla 17')}`,
  checkedOn: '2026-11-20',
});

export const decreedDays: readonly DecreedDays[] = [
  decree('Decreto 271', '2026-01-01', '2026-01-04'),
  decree('Decreto 304', '2026-02-14', '2026-02-17'),
];

export const decreeOn = (day: string): DecreedDays | undefined =>
  decreedDays.find(({ since, until }) => since <= day && day <= until);

export const aroundDay = (day: string): { last: DecreedDays | undefined; next: DecreedDays | undefined } => ({
  last: decreedDays.findLast(({ until }) => until < day),
  next: decreedDays.find(({ since }) => since > day),
});

/** The last day to annul a factura online. `local` are holidays of the place. */
export function annulmentDeadline(issued: Day, local: readonly Day[]): Day {
  const [year = 0, month = 0] = issued.split('-').map(Number);
  const rule = annulmentRules.find((row) => isInForce(row, issued));
  let day = new Date(Date.UTC(year, month, rule?.dayOfNextMonth ?? 7));
  while (isRestDay(day, local)) day = new Date(day.getTime() + 86_400_000);
  return toDay(day);
}

const toDay = (date: Date): Day => date.toISOString().slice(0, 10);
const isRestDay = (date: Date, local: readonly Day[]): boolean =>
  date.getUTCDay() === 0 ||
  date.getUTCDay() === 6 ||
  local.includes(toDay(date)) ||
  holidays.some(({ since }) => since === toDay(date));

export function annulBy(issued: Day, now: Date, local: readonly Day[]): Day | null {
  const deadline = annulmentDeadline(issued, local);
  return ecuadorDay(now) > deadline ? null : deadline;
}
