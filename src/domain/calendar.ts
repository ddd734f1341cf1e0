/**
 * Ecuador's calendar. Continental Ecuador (America/Guayaquil) is UTC−5 the whole year and knows no daylight
 * saving time, so plain arithmetic is exact. The service accepts only today's date there (spec, key rules).
 */
const OFFSET_MS = 5 * 60 * 60 * 1000;

/** A calendar day in Ecuador as "YYYY-MM-DD". */
export type Day = string;

/** The day it is in Ecuador at an instant. */
export function ecuadorDay(instant: Date): Day {
  return new Date(instant.getTime() - OFFSET_MS).toISOString().slice(0, 10);
}

/** The instant at which a day begins in Ecuador. */
export function startOfEcuadorDay(day: Day): Date {
  return new Date(`${day}T00:00:00-05:00`);
}

/** "YYYY-MM-DD" → the service's `fecha_emision` "YYYY/MM/DD" (spec, issuer block). */
export function toServiceDate(day: Day): string {
  return day.replaceAll('-', '/');
}
