import type { Day } from '../src/domain/clock.ts';
import { type Amount, type Decimal, roundCents, toAmount } from '../src/domain/money.ts';
import type { CreditPolicy, MoneyPolicy } from '../src/domain/money-policy.ts';
import type { Issuer } from '../src/domain/settings.ts';
import { cutText } from '../src/domain/text.ts';
import { type Message, sentenceOf } from '../src/messages/message.ts';
import { reasons, type Said } from '../src/messages/reasons.ts';
import type { IdentificationCode } from './tables/limits.ts';

export function reasonOf(...[code, params]: Said): string {
  if ('message' in params && typeof params.message === 'string') return params.message;
  return readable(sentenceOf((reasons as Readonly<Record<string, Message>>)[code] ?? ['', ''], params));
}

const longestQuote = 80;

/** Product names may have 400 characters. */
function readable(sentence: string): string {
  const line = sentence.replace(/\s+/g, ' ').replace(/« ?»/g, '«sin nombre»');
  const [last = '', ...before] = line.split('»').reverse();
  return [...before.reverse().map(shortened), last].join('»');
}

function shortened(text: string): string {
  const begin = text.indexOf('«') + 1;
  if (begin === 0 || text.length - begin <= longestQuote) return text;
  return `${cutText(text, begin + longestQuote)}…`;
}

export class Hold extends Error {
  readonly code: string;
  /** A Spanish sentence for the merchant. */
  readonly reason: string;
  /** USD; the total the document would have, when the total is the problem. */
  readonly document: Amount | null;

  constructor(...[code, params, document = null]: [...said: Said, document?: Amount | null]) {
    const reason = reasonOf(...([code, params] as Said));
    super(`${code}: ${reason}`);
    this.name = 'Hold';
    this.code = code;
    this.reason = reason;
    this.document = document;
  }
}

/** The answer of a mapper instead of a document, with the fields of the Hold. */
export interface Unmapped extends Pick<Hold, 'code' | 'reason' | 'document'> {
  ok: false;
}

export function mapOrHold<Mapped>(map: () => Mapped): Mapped | Unmapped {
  try {
    return map();
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document };
  }
}

export function dueOf(charged: Decimal, due: Decimal): { due: Amount; apart: Amount } {
  return { due: toAmount(due), apart: toAmount(roundCents(charged).minus(roundCents(due)).abs()) };
}

/** The buyer a document names. `type` is a code of SRI table 6. */
export interface Recipient {
  type: IdentificationCode;
  id: string;
  name: string;
}

/** The input of every document besides its order. */
export interface DocumentContext {
  issuer: Issuer;
  series: { establecimiento: string; puntoEmision: string };
  /** Null while no number is reserved (offline planning). */
  secuencial: string | null;
  /** Today in Ecuador: the only date the service accepts. */
  today: Day;
  policy: MoneyPolicy & CreditPolicy;
  /** Identifies the document (domain/document.ts). */
  reference: string;
}

/** The input of a factura besides its order. */
export interface FacturaContext extends DocumentContext {
  recipient: Recipient;
}

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

const plain = /^[!-~\u00A1-\u024F]+(?: [!-~\u00A1-\u024F]+)*$/;
// Control characters, line separators, surrogate halves and what XML 1.0 forbids.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]+/gu;

/** At most `max` UTF-16 units, cut between whole characters: the XSD forbids newlines (`[^\n]*`). */
export function oneLine(text: string, max: number): string {
  const flat = plain.test(text) ? text : text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
  if (flat.length <= max) return flat;
  const at = graphemes.segment(flat).containing(max)?.index ?? max;
  if (at > 0) return flat.slice(0, at).trimEnd();
  return cutText(flat, max);
}

/** Undefined when nothing printable is left, because optional fields are never sent empty. */
export function optionalLine(text: string | null | undefined, max: number): string | undefined {
  const line = text ? oneLine(text, max) : '';
  return line === '' ? undefined : line;
}
