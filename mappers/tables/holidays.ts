import type { Dated } from './dated.ts';

/** A day of rest of the whole country, on the day it is kept. */
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

/**
 * National holidays, moved as the law moves them: from Tuesday to Monday, from Wednesday and Thursday to Friday, from a
 * day of the weekend to the nearest working day; not 1 January, 25 December and the Tuesday of Carnival. Local ones
 * are the merchant's (policy.creditNotes.holidays).
 */
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
