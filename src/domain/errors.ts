import { type ErrorCode, type ErrorParams, errors } from '../messages/errors.ts';
import { type Message, type Params, sentenceOf } from '../messages/message.ts';
import { limitText } from './text.ts';

/** A third-party platform has its own code and sentence. */
type Said =
  | { [C in ErrorCode]: [code: C, params: ErrorParams<C> & Params] }[ErrorCode]
  | [code: string, params: { message: string } & Params];

/** A code of `src/messages` and its data. The log shows both; neither holds keys, secrets, bodies or buyers' data. */
export class FacturapuenteError extends Error {
  readonly code: string;
  readonly params: Params;

  constructor(...[code, params, options]: [...Said, options?: ErrorOptions]) {
    super(limitText(`${code} ${JSON.stringify(params)}`), options);
    this.name = new.target.name;
    this.code = code;
    this.params = params;
  }

  /** The merchant's sentence, in Spanish: what happened, to what, what to do. */
  get merchant(): string {
    const { message } = this.params;
    if (typeof message === 'string') return limitText(message);
    const entry = Object.hasOwn(errors, this.code)
      ? (errors as Record<string, Message>)[this.code]
      : undefined;
    return limitText(entry ? sentenceOf(entry, this.params) : this.code);
  }
}

/** The configuration cannot be used; names the path and the resolution. */
export class ConfigError extends FacturapuenteError {}

/** A command cannot be carried out; says why, and what to do instead. */
export class CommandError extends FacturapuenteError {}

/** Input from outside that is not what was expected (not an order, unreadable JSON …). */
export class PayloadError extends FacturapuenteError {}

interface ShopErrorOptions extends ErrorOptions {
  retryable: boolean;
  retryAfterMs?: number;
  disconnected?: boolean;
}

/** The shop's API could not be read or written. `retryable`: waiting may help. */
export class ShopError extends FacturapuenteError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** The shop revoked the access: only the merchant can connect it again. */
  readonly disconnected: boolean;

  constructor(...args: [...Said, options: ShopErrorOptions]) {
    super(...args);
    const [, , options] = args;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.disconnected = options.disconnected ?? false;
  }
}

/** Codes of a shop that answers no call; the others concern one order or the access. */
export const outageCodes = [
  'shop-timeout',
  'shop-unreachable',
  'shop-failing',
  'shop-busy',
  'shop-blocked',
  'shop-not-json',
  'shop-php-output',
  'shop-certificate',
  'shop-private',
] as const satisfies readonly ErrorCode[];

/** Of a failed job, whose reason begins with the code of its error. */
export const isOutage = (reason: string): boolean =>
  outageCodes.some((code) => reason.startsWith(`${code}: `));

/** The ledger cannot be opened or used (held by another process, a changed migration …). */
export class LedgerError extends FacturapuenteError {}

/** Another run or row already holds the subject; nothing was written. */
export class IntegrityError extends FacturapuenteError {}

export class DeliveryError extends FacturapuenteError {
  readonly retryable = true;
  readonly retryAfterMs: number | null;

  constructor(...args: [...Said, options?: ErrorOptions & { retryAfterMs: number | null }]) {
    super(...args);
    this.retryAfterMs = args[2]?.retryAfterMs ?? null;
  }
}
