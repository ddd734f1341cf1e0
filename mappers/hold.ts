import type { Amount } from '../src/core/money.ts';

/**
 * Why an order cannot become a document by itself. Thrown inside the mappers, caught at their door
 * (`toFactura`): callers get a result, never an exception.
 */
export class Hold extends Error {
  readonly code: string;
  /** A Spanish sentence for the merchant: what is wrong, with what, what to do. */
  readonly reason: string;
  /** What the document would have added up to, where that is the matter. */
  readonly document: Amount | null;

  constructor(code: string, reason: string, document: Amount | null = null) {
    super(`${code}: ${reason}`);
    this.name = 'Hold';
    this.code = code;
    this.reason = reason;
    this.document = document;
  }
}
