import { dayMs, ecuadorDay } from './clock.ts';
import type { Amount } from './money.ts';

export interface BuyerPolicy {
  /** USD with tax, the limit included (art. 19 Reglamento; Decreto Ejecutivo 586). */
  finalConsumer: {
    allowed: boolean;
    limit: Amount;
    /** Compared with the limit when money was refunded before the factura: all that was sold, or what remains. */
    measures: 'sale' | 'rest';
  };
  buyer: {
    /** A look-up costs money. `when-missing`: the order has no usable name; `prefer`: always, before the order's name. */
    registry: 'off' | 'when-missing' | 'prefer';
    /** A company's RUC without its razón social, which art. 19 of the Reglamento requires. */
    companyNameMissing: 'hold' | 'warn';
    /** The limit of a store and day in Ecuador; buyers' links may use half of it. */
    registryPerDay: number;
    /** Asks the buyer of an order held for the identification, on a page of the product. */
    ask: boolean;
    /** "23:30", in Ecuador: when the policy decides without an answer. */
    cutOff: string;
    /** It concerns orders within the limit of consumidor final; all others stay held. */
    afterCutOff: 'final-consumer' | 'hold';
    linkDays: number;
    mail: boolean;
  };
}

export interface BuyerAnswer {
  type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior';
  id: string;
  name: string;
  /** null sends it to the order's own address. */
  email: string | null;
}

export interface BuyerQuestion {
  answer: BuyerAnswer | null;
  /** The cut-off passed without an answer: the policy decides. */
  overdue: boolean;
}

export const answerSource = 'respuesta del comprador';

const timeToAnswerMs = 30 * 60_000;

export function cutOffAfter(now: Date, cutOff: string): Date {
  const today = new Date(`${ecuadorDay(now)}T${cutOff}:00-05:00`);
  const enough = today.getTime() - now.getTime() >= timeToAnswerMs;
  return enough ? today : new Date(today.getTime() + dayMs);
}
