import { type Amount, type Decimal, roundCents, toAmount } from '../src/domain/money.ts';
import { cutText } from '../src/domain/text.ts';

const longestQuote = 80;

/** Names of products may have line breaks and 400 characters, or be missing; a sentence has none of it. */
function readable(sentence: string): string {
  const line = sentence.replace(/\s+/g, ' ').replace(/« ?»/g, '«sin nombre»');
  const [last = '', ...before] = line.split('»').reverse();
  return [...before.reverse().map(shortened), last].join('»');
}

/** What stands before a `»`; of a quotation the first characters stay. */
function shortened(text: string): string {
  const begin = text.indexOf('«') + 1;
  if (begin === 0 || text.length - begin <= longestQuote) return text;
  return `${cutText(text, begin + longestQuote)}…`;
}

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

/** Where a shop says how it rounds; WooCommerce's own words of it stay, since its translations differ. */
export function roundingCure(platform: string): string {
  switch (platform) {
    case 'woocommerce':
      return `Emita esta factura a mano y marque en WooCommerce → Ajustes → Impuestos, en «Redondeo», que se redondee en el subtotal y no en cada línea (Round tax at subtotal level, instead of rounding per line).`;
    case 'shopify':
      return `Emita esta factura a mano: Shopify redondea siempre así y no tiene un ajuste para cambiarlo. Venda las unidades iguales en una sola línea, o con precios cuyo IVA sea de centavos enteros.`;
    default:
      return `Emita esta factura a mano y haga que la tienda redondee el impuesto en el subtotal.`;
  }
}
