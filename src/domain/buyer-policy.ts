import type { Amount } from './money.ts';

/** What the merchant decided about whom a document names. */
export interface BuyerPolicy {
  /** Up to `limit` USD with tax, the limit itself included (art. 19 Reglamento; Decreto Ejecutivo 586). */
  finalConsumer: {
    allowed: boolean;
    limit: Amount;
    /** What is measured where money went back before the factura: all that was sold, or what is left of it. */
    measures: 'sale' | 'rest';
  };
  buyer: {
    /**
     * Looking up the legal name of a cédula or RUC costs money: never (`off`), only where the order has no name
     * that will do (`when-missing`), or always, the registry's name before the order's (`prefer`). A hint: what
     * cannot be looked up changes nothing.
     */
    registry: 'off' | 'when-missing' | 'prefer';
    /**
     * A company's RUC where the order names only a person: art. 19 of the Reglamento asks for the razón social. Held until
     * somebody tells it, or issued in that name with a warning.
     */
    companyNameMissing: 'hold' | 'warn';
    /** Look-ups of names for the store in one day of Ecuador; those for buyers' links take at most half of it. */
    registryPerDay: number;
    /** Whether the buyer of an order held for the identification is asked for it, on a page of ours. */
    ask: boolean;
    /** "23:30": when the policy decides without an answer, in Ecuador's time. */
    cutOff: string;
    /** What then becomes of orders within the limit of consumidor final; all others stay held. */
    afterCutOff: 'final-consumer' | 'hold';
    /** How long the link to that page works. */
    linkDays: number;
    /** Whether the link is sent to the buyer's e-mail address. */
    mail: boolean;
  };
}
