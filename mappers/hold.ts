import { type Amount, type Decimal, roundCents, toAmount } from '../src/core/money.ts';

/** Names of products may have line breaks and 400 characters; a sentence has neither. */
const readable = (sentence: string): string =>
  sentence.replace(/\s+/g, ' ').replace(/«([^»]{80})[^»]+»/g, '«$1…»');

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
    this.reason = readable(reason);
    this.document = document;
  }
}

/** How a sentence goes on after what a shop charged: what it would be by the book, and how far apart they are. */
export function wouldBe(charged: Decimal, due: Decimal): string {
  const apart = roundCents(charged).minus(roundCents(due)).abs();
  return `serían ${toAmount(due)}, una diferencia de ${toAmount(apart)}`;
}
