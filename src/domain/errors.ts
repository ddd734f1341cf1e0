import { limitText } from './text.ts';

/**
 * Every error of ours speaks twice: `merchant` is a Spanish sentence for the person who runs the shop,
 * `message` an English one for the engineer (what happened, to what, what to do). Neither ever holds keys,
 * secrets, raw bodies or buyers' data; what they quote of others ends where long texts do.
 */
export class FacturapuenteError extends Error {
  readonly code: string;
  readonly merchant: string;

  constructor(code: string, merchant: string, engineer: string, options?: ErrorOptions) {
    super(limitText(engineer), options);
    this.name = new.target.name;
    this.code = code;
    this.merchant = limitText(merchant);
  }
}

/** The configuration cannot be used; names the path and the cure. */
export class ConfigError extends FacturapuenteError {}

/** A command cannot do what it was asked to; says why, and what to do instead. */
export class CommandError extends FacturapuenteError {}

/** Bytes from outside that are not what their place demands (not an order, unreadable JSON …). */
export class PayloadError extends FacturapuenteError {}

/** The shop's API could not be read or written. `retryable` says whether waiting can help. */
export class ShopError extends FacturapuenteError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** The shop no longer lets us in: nothing helps until the merchant connects it again. */
  readonly disconnected: boolean;
  /**
   * The shop did not answer, or failed as a whole, and named no time to come back: counts towards its circuit breaker.
   * Default: whatever waiting may help and nothing said how long.
   */
  readonly outage: boolean;

  constructor(
    code: string,
    merchant: string,
    engineer: string,
    options: ErrorOptions & {
      retryable: boolean;
      retryAfterMs?: number;
      disconnected?: boolean;
      outage?: boolean;
    },
  ) {
    super(code, merchant, engineer, options);
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.disconnected = options.disconnected ?? false;
    this.outage =
      options.outage ?? (options.retryable && options.retryAfterMs === undefined && !this.disconnected);
  }
}

/** The ledger refused to open or to go on (held by another process, a changed migration …). */
export class LedgerError extends FacturapuenteError {}

/** What was to be told to somebody outside (a webhook, a mailbox) did not arrive. */
export class DeliveryError extends FacturapuenteError {
  readonly retryable = true;
  readonly retryAfterMs: number | null;

  constructor(
    code: string,
    merchant: string,
    engineer: string,
    options: ErrorOptions & { retryAfterMs?: number | null } = {},
  ) {
    super(code, merchant, engineer, options);
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
