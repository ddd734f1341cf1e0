import { annulmentRules } from '../../../mappers/tables/annulment.ts';
import { isInForce } from '../../../mappers/tables/dated.ts';
import { holidays as national } from '../../../mappers/tables/holidays.ts';
import { type Day, ecuadorDay } from '../../domain/calendar.ts';

/**
 * Until when a factura can still be annulled online: a day of the month after its date, moved to the next working
 * day (mappers/tables/annulment.ts). `holidays` are local ones. Later only a nota de crédito undoes it.
 */
export function annulmentDeadline(issued: Day, holidays: readonly Day[]): Day {
  const [year = 0, month = 0] = issued.split('-').map(Number);
  const rule = annulmentRules.find((row) => isInForce(row, issued));
  let day = new Date(Date.UTC(year, month, rule?.dayOfNextMonth ?? 7));
  while (isRestDay(day, holidays)) day = new Date(day.getTime() + 86_400_000);
  return toDay(day);
}

const toDay = (date: Date): Day => date.toISOString().slice(0, 10);
const isRestDay = (date: Date, holidays: readonly Day[]): boolean =>
  date.getUTCDay() === 0 ||
  date.getUTCDay() === 6 ||
  holidays.includes(toDay(date)) ||
  national.some(({ since }) => since === toDay(date));

/**
 * The day a document was issued: its access key begins with it as ddmmaaaa (ficha técnica SRI, tabla 1). null for
 * what is no access key.
 */
export function issueDayOf(accessKey: string): Day | null {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})\d{41}$/.exec(accessKey) ?? [];
  const written = `${year}-${month}-${day}`;
  return Number.isNaN(Date.parse(written)) ? null : written;
}

/** What the merchant may still do at the tax authority's portal, as a sentence; empty once it is too late. */
export function annulmentAdvice(issued: Day, now: Date, holidays: readonly Day[], unless = ''): string {
  const deadline = annulmentDeadline(issued, holidays);
  if (ecuadorDay(now) > deadline) return '';
  return ` Si la venta quedó sin efecto${unless}, también puede anular la factura en línea en el portal del SRI hasta el ${inWords(deadline)} (día 7 del mes siguiente).`;
}

const months = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];

/** "7 de diciembre de 2026". */
export function inWords(day: Day): string {
  const [year, month = 1, date] = day.split('-').map(Number);
  return `${date} de ${months[month - 1]} de ${year}`;
}
