import { dayMs, ecuadorDay } from './clock.ts';
import type { Amount } from './money.ts';

/** The merchant's decisions about whom a document names. */
export interface BuyerPolicy {
  /** Up to `limit` USD with tax, the limit included (art. 19 Reglamento; Decreto Ejecutivo 586). */
  finalConsumer: {
    allowed: boolean;
    limit: Amount;
    /** Compared with the limit when money went back before the factura: all that was sold, or what is left of it. */
    measures: 'sale' | 'rest';
  };
  buyer: {
    /**
     * When to look up the legal name of a cédula or RUC, which costs money: never (`off`), when the order has no usable name
     * (`when-missing`), or always, before the order's name (`prefer`). A failed look-up changes nothing.
     */
    registry: 'off' | 'when-missing' | 'prefer';
    /** A company's RUC without its razón social, which art. 19 of the Reglamento requires: hold, or issue in the person's name. */
    companyNameMissing: 'hold' | 'warn';
    /** Name look-ups of the store per day in Ecuador; buyers' links may use half of them. */
    registryPerDay: number;
    /** Whether the buyer of an order held for the identification is asked for it, on a page of ours. */
    ask: boolean;
    /** "23:30", in Ecuador: when the policy decides without an answer. */
    cutOff: string;
    /** What then happens to orders within the limit of consumidor final; all others stay held. */
    afterCutOff: 'final-consumer' | 'hold';
    /** How long the link to that page works. */
    linkDays: number;
    /** Whether the link is sent to the buyer's e-mail address. */
    mail: boolean;
  };
}

/** A buyer's answer on our page: whom the factura is to name. Checked before it is stored. */
export interface BuyerAnswer {
  type: 'cedula' | 'ruc' | 'pasaporte' | 'exterior';
  id: string;
  name: string;
  /** Where the buyer wants the factura sent; null leaves the order's own address. */
  email: string | null;
}

/** The state of a question to a buyer. */
export interface BuyerQuestion {
  answer: BuyerAnswer | null;
  /** No answer until the merchant's cut-off: the policy decides. */
  overdue: boolean;
}

/** The source of an answered identification, in explanations. */
export const answerSource = 'respuesta del comprador';

/** The least time a buyer gets to answer. */
const timeToAnswerMs = 30 * 60_000;

/** The next cut-off in Ecuador that leaves the buyer half an hour. */
export function cutOffAfter(now: Date, cutOff: string): Date {
  const today = new Date(`${ecuadorDay(now)}T${cutOff}:00-05:00`);
  const enough = today.getTime() - now.getTime() >= timeToAnswerMs;
  return enough ? today : new Date(today.getTime() + dayMs);
}
