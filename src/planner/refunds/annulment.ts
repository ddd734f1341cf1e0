import { holidays as national } from '../../../mappers/tables/holidays.ts';
import { annulmentRules, isInForce } from '../../../mappers/tables/limits.ts';
import { type Day, ecuadorDay } from '../../domain/clock.ts';

/** A day of the next month, moved to the next working day (mappers/tables/limits.ts). `holidays` are local ones. */
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

/** The first digits of an access key (ficha técnica SRI, tabla 1). Null for any other text. */
export function issueDayOf(accessKey: string): Day | null {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})\d{41}$/.exec(accessKey) ?? [];
  const written = `${year}-${month}-${day}`;
  return Number.isNaN(Date.parse(written)) ? null : written;
}

export function annulBy(issued: Day, now: Date, holidays: readonly Day[]): Day | null {
  const deadline = annulmentDeadline(issued, holidays);
  return ecuadorDay(now) > deadline ? null : deadline;
}
