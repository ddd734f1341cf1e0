import { ecuadorDay } from './calendar.ts';

/** Whom a factura is to name, as its buyer said it on our page; checked before it was kept. */
export interface BuyerAnswer {
  type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior';
  id: string;
  name: string;
  /** Where the buyer wants the factura sent; null leaves the order's own address. */
  email: string | null;
}

/** What became of asking the buyer. */
export interface BuyerQuestion {
  answer: BuyerAnswer | null;
  /** Nobody answered until the merchant's cut-off: the policy decides. */
  overdue: boolean;
}

/** Where an answer is said to stand, in explanations. */
export const answerSource = 'respuesta del comprador';

/** A question nobody has time to read is none. */
const timeToAnswerMs = 30 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** The first "23:30" in Ecuador that leaves the buyer half an hour. */
export function cutOffAfter(now: Date, cutOff: string): Date {
  const today = new Date(`${ecuadorDay(now)}T${cutOff}:00-05:00`);
  const enough = today.getTime() - now.getTime() >= timeToAnswerMs;
  return enough ? today : new Date(today.getTime() + dayMs);
}
